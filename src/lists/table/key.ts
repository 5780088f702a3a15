import { describe } from '../../language/diagnostics/options.js';
import { fitsIn64Bits } from '../../language/values/go-number.js';
import type { Key } from '../list/index.js';
import { integerText, readInteger } from './text-order.js';

/** The key of a row: a string or a 64-bit integer. An integer is a number if it is a safe integer, otherwise a bigint. */
export type RowKey = string | number | bigint;

/** The type of a key: the type of the key field, or string if a function computes keys. */
export type KeyIn<T, N> = [N] extends [keyof T]
  ? [N] extends [never]
    ? string
    : Extract<T[N], RowKey>
  : string;

/** Encodes keys as strings with the same order. */
export interface KeyCodec {
  /** Returns the stored form of a key; null for a value that is not a key. */
  readonly encode: (key: unknown) => string | null;
  readonly decode: (stored: string) => RowKey;
  /** The kind of value that a key must be, for error messages. */
  readonly expected: string;
}

export const stringKeys: KeyCodec = {
  encode: (key) => (typeof key === 'string' ? key : null),
  decode: (stored) => stored,
  expected: 'a string',
};

export const integerKeys: KeyCodec = {
  encode(key) {
    const isKey = typeof key === 'bigint' ? fitsIn64Bits(key) : Number.isSafeInteger(key);
    return isKey ? integerText(key as number | bigint) : null;
  },
  decode(stored) {
    const integer = readInteger(stored) ?? 0n;
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  },
  expected: 'an integer of 64 bits, as a bigint if it is not safe',
};

/** Returns the stored key. @throws TypeError if the value is not a key */
export function requireKey({ encode, expected }: KeyCodec, key: unknown): string {
  const stored = encode(key);
  if (stored !== null) return stored;
  throw new TypeError(`The key of a row must be ${expected}, got ${describe(key)}`);
}

/** Returns a position in an order of strings. With `index`: in an order by a number, then by the string. */
export function stringKey(text: string, index: number | bigint = 0): Key {
  return { index, text };
}
