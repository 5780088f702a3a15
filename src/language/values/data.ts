/**
 * Rows are data: a Map is a map, a Set a list, a Date the text that `toISOString` writes. What is read of a row passes
 * through here, so that no test needs to know more than texts, arrays and maps.
 */
import { classOf, isPlain } from './object-class.js';
import { builtInGuard, isInheritedKey, ownValue } from './own-property.js';

/** A Set as an array, a Date as its text; everything else as it is. */
export function asData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isPlain(value) || Array.isArray(value)) return value;
  switch (classOf(value)) {
    case 'Set':
      return [...(value as ReadonlySet<unknown>)];
    case 'Date':
      return (value as Date).toISOString();
    default:
      return value;
  }
}

/** How many elements a Set has; 0 for everything else. */
export function sizeOfSet(value: unknown): number {
  if (typeof value !== 'object' || value === null || isPlain(value) || Array.isArray(value)) return 0;
  return classOf(value) === 'Set' ? (value as ReadonlySet<unknown>).size : 0;
}

/** Whether a value has entries: a Map, or an object that is no array, Set, Date or bytes. */
export function isMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (isPlain(value)) return true;
  const found = classOf(value);
  return found === 'record' || found === 'Map';
}

/** Reads one entry; undefined where there is none. The key is looked at once, not for each row. */
export function entryReader(key: string): (map: object) => unknown {
  const isInherited = isInheritedKey(key);
  const added = addedReader(key);
  return (map) => {
    if (!isPlain(map) && classOf(map) === 'Map')
      return added?.(map) ?? entryOfMap(map as ReadonlyMap<unknown, unknown>, key);
    return isInherited ? ownValue(map, key) : (map as Readonly<Record<string, unknown>>)[key];
  };
}

/**
 * Reads what a program has added to a value that is no plain object: a property of a list, a Map, a Date or a function of
 * its own, or one that a class of the program has. Such properties are entries, as those of every class are, and are found
 * before what the value is as data; methods and all else that the language gives such values are not. Undefined where
 * there is none, null for keys under which there cannot be any.
 */
export function addedReader(key: string): ((value: unknown) => unknown) | null {
  const guard = builtInGuard(key);
  if (isInheritedKey(key) || guard === 'plain' || /^[0-9]+$/.test(key)) return null;
  return (value) => {
    if (guard === 'no function' && typeof value === 'function') return undefined;
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
    if (typeof value === 'object' && !Array.isArray(value) && classOf(value) === 'record') return undefined;
    const found = (value as Readonly<Record<string, unknown>>)[key];
    return typeof found === 'function' || found === null ? undefined : found;
  };
}

const integer = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** Keys that are integers are found by their digits, as in a plain object. */
function entryOfMap(map: ReadonlyMap<unknown, unknown>, key: string): unknown {
  const found = map.get(key);
  return found === undefined && integer.test(key) ? (map.get(Number(key)) ?? map.get(BigInt(key))) : found;
}

/** The entries of a map, in its order; null where a key is neither a text nor an integer. */
export function entriesOf(map: object): readonly (readonly [key: string, value: () => unknown])[] | null {
  if (isPlain(map) || classOf(map) !== 'Map') {
    return Object.keys(map).map((key) => [key, () => ownValue(map, key)]);
  }
  const entries: [string, () => unknown][] = [];
  for (const [key, value] of map as ReadonlyMap<unknown, unknown>) {
    if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint') return null;
    entries.push([String(key), () => value]);
  }
  return entries;
}

/** Whether a map has no entries, and among how many keys that was found out. */
export function emptiness(map: object): { readonly isEmpty: boolean; readonly keys: number } {
  if (!isPlain(map) && classOf(map) === 'Map') {
    for (const value of (map as ReadonlyMap<unknown, unknown>).values()) {
      if (value !== undefined) return { isEmpty: false, keys: 1 };
    }
    return { isEmpty: true, keys: (map as ReadonlyMap<unknown, unknown>).size };
  }
  const keys = Object.keys(map);
  return { isEmpty: !keys.some((key) => ownValue(map, key) !== undefined), keys: keys.length };
}

/** How many entries a map has, and among how many keys that was found out. */
export function sizeOfMap(map: object): { readonly size: number; readonly keys: number } {
  if (!isPlain(map) && classOf(map) === 'Map') {
    let size = 0;
    for (const value of (map as ReadonlyMap<unknown, unknown>).values()) if (value !== undefined) size += 1;
    return { size, keys: (map as ReadonlyMap<unknown, unknown>).size };
  }
  const keys = Object.keys(map);
  return { size: keys.filter((key) => ownValue(map, key) !== undefined).length, keys: keys.length };
}
