/**
 * Whether a plain look-up of `key` could find an inherited property. Checking this once per filter avoids a check per row, which
 * costs more than the look-up itself.
 */
export function isInheritedKey(key: string): boolean {
  return key in Object.prototype;
}

/**
 * Which built-in property a plain look-up of `key` could find, and which holders are known not to have it: the length of a
 * string, the size of a Map, the source of a RegExp and the buffer of bytes are not in plain objects (`plain`), and the name of a
 * function only in functions (`no function`). Other inherited properties of such values are methods. Null for all other keys.
 */
export function builtInGuard(key: string): 'plain' | 'no function' | null {
  if (key === 'name') return 'no function';
  return builtInKeys.has(key) ? 'plain' : null;
}

const builtInKeys: ReadonlySet<string> = new Set([
  'arguments',
  'caller',
  'prototype',
  'lastIndex',
  ...[Map, Set, Date, Array, Function, String, Symbol, RegExp, ArrayBuffer, DataView, Uint8Array].flatMap(
    (type) => valuesOf(type.prototype),
  ),
  ...valuesOf(Object.getPrototypeOf(Uint8Array.prototype) as object),
]);

/** Returns the names of the properties of a prototype that are not methods. */
function valuesOf(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([, { get, value }]) => get !== undefined || typeof value !== 'function')
    .map(([name]) => name);
}

/** Returns the own property `key` of `container`. Inherited properties do not exist for filters. */
export function ownValue(container: object, key: string): unknown {
  return Object.prototype.hasOwnProperty.call(container, key)
    ? (container as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
