/** Reads one own property, `undefined` where there is none. */
export type PropertyReader = (holder: object) => unknown;

/**
 * Whether a plain look-up of `key` could find something that every object inherits. Deciding this once a filter
 * saves an ownership check a row, which costs more than the look-up.
 */
export function isInheritedKey(key: string): boolean {
  return key in Object.prototype;
}

const builtInKeys = new Set([
  'length',
  'size',
  'name',
  'arguments',
  'caller',
  'prototype',
  'description',
  'buffer',
]);

/**
 * Whether a plain look-up of `key` could find data where there is none: the length of a text, the size of a Map, the name
 * of a function, the buffer of bytes. What else such values inherit are methods.
 */
export function isBuiltInKey(key: string): boolean {
  return builtInKeys.has(key) || key.startsWith('byte');
}

/** The own property `key` of `holder`; inherited ones do not exist. */
export function ownValue(holder: object, key: string): unknown {
  return Object.prototype.hasOwnProperty.call(holder, key)
    ? (holder as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
