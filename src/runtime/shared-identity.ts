// A process can load the package twice, as ECMAScript modules and as CommonJS. Each copy must recognise objects created by the
// other.

declare const TAMIS_VERSION: string | undefined;

/** Copies of different versions share only errors. */
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

const brand = Symbol.for('tamis error');

/** Marks an error as one of a family of classes, for all copies of the package. */
export function markError(error: Error, family: string): void {
  Object.defineProperty(error, brand, { value: family });
}

/**
 * Implements `instanceof` of an error class: also true for the errors of another copy.
 *
 * @param names the names that such an error must have one of; any if omitted
 */
export function isErrorOf(
  called: unknown,
  type: unknown,
  value: unknown,
  family: string,
  names?: readonly string[],
): boolean {
  if (Function.prototype[Symbol.hasInstance].call(called, value)) return true;
  // A class derived by a program has only its own instances.
  if (called !== type || typeof value !== 'object' || value === null) return false;
  const error = value as { readonly [brand]?: string; readonly name?: unknown };
  return error[brand] === family && (names?.includes(String(error.name)) ?? true);
}

/**
 * Returns an equal string that shares no memory with the given one. JavaScript engines represent a slice of a string, and a string
 * that was concatenated from slices, as a reference to the whole: a cached slice would retain the request from which it was cut.
 */
export function copyText(text: string): string {
  // Engines join the two parts before they slice the result, so that it refers to the joined string alone.
  return ` ${text}`.slice(1);
}
