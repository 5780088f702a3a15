// A process can load the package twice, as ECMAScript modules and as CommonJS. What one copy has made, the other must recognise.

declare const TAMIS_VERSION: string | undefined;

/** Copies of different versions share nothing but errors. */
export const version = typeof TAMIS_VERSION === 'string' ? TAMIS_VERSION : 'source';

/** Returns the map of this name that all copies of this version share. */
export function sharedWeakMap<Key extends object, Value>(name: string): WeakMap<Key, Value> {
  const key = Symbol.for(`tamis ${version} ${name}`);
  const shared = globalThis as { [key: symbol]: WeakMap<Key, Value> | undefined };
  const known = shared[key];
  if (known !== undefined) return known;
  const map = new WeakMap<Key, Value>();
  Object.defineProperty(globalThis, key, { value: map });
  return map;
}

/** Makes `instanceof` of a class true for instances of the same class of another copy. */
export function shareInstances(type: { readonly prototype: object }, name: string): void {
  const brand = Symbol.for(`tamis ${name}`);
  Object.defineProperty(type.prototype, brand, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A class that a program derives has only instances of its own.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && brand in value;
    },
  });
}
