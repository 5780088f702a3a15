/**
 * Converts values of rows to data: a Map to a map, a Set to a list, a Date to its ISO string. Everything that filters read passes
 * through here, so that tests only need to handle strings, arrays and maps.
 */
import { classOf, isPlain } from './object-class.js';
import { builtInGuard, isInheritedKey, ownValue } from './own-property.js';

/** Returns a Set as an array, a Date as its string, and other values unchanged. */
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

/** Returns the number of elements of a Set; 0 for other values. */
export function sizeOfSet(value: unknown): number {
  if (typeof value !== 'object' || value === null || isPlain(value) || Array.isArray(value)) return 0;
  return classOf(value) === 'Set' ? (value as ReadonlySet<unknown>).size : 0;
}

/** Whether a value has entries: a Map, or an object other than an array, Set, Date or bytes. */
export function isMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (isPlain(value)) return true;
  const found = classOf(value);
  return found === 'record' || found === 'Map';
}

/** Returns a function that reads one entry of a map; undefined if none exists. The key is analysed once, not for each row. */
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
 * Returns a reader of properties that an application has added to a value other than a plain object: a property of an array, Map,
 * Date or function, or one of an application class. Such properties are entries, as those of every class are, and take precedence
 * over the value as data; methods and built-in properties are not entries. The reader returns undefined if there is no such
 * property. Null for keys that cannot be one.
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

/** Returns an entry of a Map. A key with digits also finds an integer key, as in a plain object. */
function entryOfMap(map: ReadonlyMap<unknown, unknown>, key: string): unknown {
  const found = map.get(key);
  return found === undefined && integer.test(key) ? (map.get(Number(key)) ?? map.get(BigInt(key))) : found;
}

/** Returns the entries of a map in order; null if any key is neither a string nor an integer. */
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

/** Returns whether a map has no entries, and the number of keys read to find out. */
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

/** Returns the number of entries of a map, and the number of keys read to count them. */
export function sizeOfMap(map: object): { readonly size: number; readonly keys: number } {
  if (!isPlain(map) && classOf(map) === 'Map') {
    let size = 0;
    for (const value of (map as ReadonlyMap<unknown, unknown>).values()) if (value !== undefined) size += 1;
    return { size, keys: (map as ReadonlyMap<unknown, unknown>).size };
  }
  const keys = Object.keys(map);
  return { size: keys.filter((key) => ownValue(map, key) !== undefined).length, keys: keys.length };
}
