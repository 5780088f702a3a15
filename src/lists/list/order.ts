import { compareBytewise, textComparison } from '../../language/values/utf8-order.js';

/**
 * The sort key of rows: `index` numerically, then `text` by its UTF-8 bytes. Page tokens consist of the same values: `<index>.<text>`
 * or, without `index`, `<text>`. So keys must be unique in a list, and must not change while a client pages through it.
 */
export interface Order<T> {
  /** Returns an integer of any size. Numbers and bigints can be mixed. */
  index?: ((row: T) => number | bigint) | undefined;
  text: (row: T) => string;
}

/** The position of a row in an order. `index` is always 0 if the order has no index. */
export interface Key {
  readonly index: number | bigint;
  readonly text: string;
}

/** Returns the key of a row. @throws TypeError if the order's functions return values of another type. */
export function keyOf<T>(order: Order<T>, row: T): Key {
  if (row === undefined || row === null) throw new TypeError(`row must be an object, got ${describe(row)}`);
  const text: unknown = order.text(row);
  if (typeof text !== 'string') throw new TypeError(`order.text must return a string, got ${describe(text)}`);
  if (order.index === undefined) return { index: 0, text };
  const index: unknown = order.index(row);
  if (typeof index === 'bigint' || (typeof index === 'number' && Number.isInteger(index))) {
    return { index, text };
  }
  throw new TypeError(`order.index must return an integer, got ${describe(index)} (row ${describe(text)})`);
}

/**
 * Compares two keys in list order: negative, zero or positive. Numbers and bigints are compared without conversion, because only
 * then JavaScript compares them exactly.
 */
export function compareKeys(a: Key, b: Key, compareText = compareBytewise): number {
  if (a.index < b.index) return -1;
  if (a.index > b.index) return 1;
  return compareText(a.text, b.text);
}

/** Returns the page token of a row. */
export function tokenOf<T>(order: Order<T>, key: Key): string {
  return order.index === undefined ? key.text : `${digits(key.index)}.${key.text}`;
}

/** Prints all digits of an integer: `String(2 ** 60)` prints only the shortest string that parses to the same double. */
function digits(index: number | bigint): string {
  return Number.isSafeInteger(index) ? String(index) : String(BigInt(index));
}

/**
 * The start of a page, parsed from a token. A `key` target is compared as a key. A `text` target is not the token of any row, such as
 * `abc` if tokens have the form `<index>.<text>`; it is compared with the tokens of the rows, as text.
 */
export type PageStart = (
  { readonly kind: 'key'; readonly key: Key } | { readonly kind: 'text'; readonly text: string }
) & { readonly compareText: typeof compareBytewise };

/**
 * A token with an index of at most 309 digits, the length of the largest double. Stops tokens of a million digits, whose conversion
 * to a bigint takes more than linear time.
 */
const indexedToken = /^(-?[0-9]{1,309})\.(.*)$/s;

/** Parses a token. Every string is valid, even if it is not the token of any row. */
export function parseToken<T>(order: Order<T>, token: string): PageStart {
  const compareText = textComparison([token]);
  if (order.index === undefined) return { kind: 'key', key: { index: 0, text: token }, compareText };
  const match = indexedToken.exec(token);
  const index = match?.[1];
  const text = match?.[2];
  if (index === undefined || text === undefined) return { kind: 'text', text: token, compareText };
  return { kind: 'key', key: { index: BigInt(index), text }, compareText };
}

/** Compares a row with the target: negative before it, zero on it, positive after it, in ascending order. */
function compareToTarget<T>(order: Order<T>, key: Key, target: PageStart): number {
  if (target.kind === 'key') return compareKeys(key, target.key, target.compareText);
  return target.compareText(tokenOf(order, key), target.text);
}

/** Whether a row is before the target in the list; in a reversed list if `reverse` is set. */
export function precedes<T>(order: Order<T>, key: Key, target: PageStart, reverse: boolean): boolean {
  const distance = compareToTarget(order, key, target);
  return reverse ? distance > 0 : distance < 0;
}

/** Describes a value, short enough for an error message. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function') return 'a function';
  return String(value);
}
