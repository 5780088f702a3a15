/** Most names of one value that are looked at: a map of a million keys has no names worth suggesting. */
const mostNames = 256;

/** Under this a stand-in for what was read of an object keeps the object, whose names it lacks. */
export const standsFor: unique symbol = Symbol('stands for');

/** The first names that a value has of its own. Reads no value behind a name; inherited names are left out. */
export function ownNames(holder: object): string[] {
  const names: string[] = [];
  try {
    for (const name of namesIn(standsFor in holder ? (holder[standsFor] as object) : holder)) {
      names.push(name);
      if (names.length >= mostNames) break;
    }
  } catch {
    // A proxy may refuse to name what it has. Names only help, so there are none.
  }
  return names;
}

function* namesIn(holder: object): Generator<string, void, undefined> {
  if (Array.isArray(holder)) return;
  if (holder instanceof Map) {
    for (const key of holder.keys()) if (typeof key === 'string') yield key;
    return;
  }
  // Not Object.keys, which would copy a million of them.
  for (const name in holder) if (Object.hasOwn(holder, name)) yield name;
}
