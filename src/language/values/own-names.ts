/** Maximum number of names read per value: a map of a million keys has no names worth suggesting. */
const maxNames = 256;

/**
 * The property by which a substitute for an object, made from values read, refers to the original object, whose names it lacks.
 */
export const standsFor: unique symbol = Symbol('stands for');

/** The first own property names of a value. Reads no property values; inherited names are omitted. */
export function ownNames(container: object): string[] {
  const names: string[] = [];
  try {
    for (const name of namesIn(standsFor in container ? (container[standsFor] as object) : container)) {
      names.push(name);
      if (names.length >= maxNames) break;
    }
  } catch {
    // A proxy may refuse to list its names. Names are only used for suggestions, so an empty list is returned.
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
