/** Maximum number of names read per value. The names of a map with a million keys are useless as suggestions. */
const maxNames = 256;

/** Property of a substitute object that refers to the original object. The substitute only has the values that were read. */
export const standsFor: unique symbol = Symbol('stands for');

/** Returns the first own property names of a value. Reads no property values, and omits inherited names. */
export function ownNames(container: object): string[] {
  const names: string[] = [];
  try {
    for (const name of namesIn(standsFor in container ? (container[standsFor] as object) : container)) {
      names.push(name);
      if (names.length >= maxNames) break;
    }
  } catch {
    // A proxy may refuse to list its names. They are only used for suggestions, so an empty list is returned.
  }
  return names;
}

function* namesIn(container: object): Generator<string, void, undefined> {
  if (Array.isArray(container)) return;
  if (container instanceof Map) {
    for (const key of container.keys()) if (typeof key === 'string') yield key;
    return;
  }
  // Not Object.keys, which would copy all keys.
  for (const name in container) if (Object.hasOwn(container, name)) yield name;
}
