import {
  keyOf,
  compareKeys,
  type IndexKey,
  type Key,
  type KeyRange,
  type Order,
  type OrderedIndex,
} from 'tamis';
import { textKey } from './key.js';
import { orderRows, withoutRow, withRow, type SortedRows, type Range } from './sorted-rows.js';

/**
 * Rows in the order of one field, whose values are integers: so a filter that bounds it is a stretch of rows. Immutable,
 * like the orders. Rows of one value stand in the order of the text that lists are in.
 */
export interface Sorted<T> {
  readonly field: OrderedIndex<T>;
  readonly rows: SortedRows<T>;
  /** How many rows have no key, because they do not fit the schema. While there is one, no filter may look here. */
  readonly misfits: number;
}

/** Sorts rows, in whatever order they come. `order` is that of lists. */
export function sortRows<T>(field: OrderedIndex<T>, order: Order<T>, rows: Iterable<T>): Sorted<T> {
  const byKey: Order<T> = { index: (row) => integerOf(field.keysOf(row)?.[0]), text: order.text };
  const all = [...rows];
  const fitting = all.filter((row) => isSorted(field, row));
  return { field, rows: orderRows(byKey, fitting), misfits: all.length - fitting.length };
}

/** Puts a row in its place, and takes the one that it replaces out where that stood elsewhere. */
export function withSortedRow<T>(sorted: Sorted<T>, old: T | undefined, row: T): Sorted<T> {
  const { field } = sorted;
  const fits = isSorted(field, row);
  const stays =
    old !== undefined &&
    fits &&
    isSorted(field, old) &&
    compareKeys(keyOf(sorted.rows.order, old), keyOf(sorted.rows.order, row)) === 0;
  const rest = old === undefined || stays ? sorted : withoutSortedRow(sorted, old);
  if (!fits) return { ...rest, misfits: rest.misfits + 1 };
  return { ...rest, rows: withRow(rest.rows, row) };
}

export function withoutSortedRow<T>(sorted: Sorted<T>, row: T): Sorted<T> {
  if (!isSorted(sorted.field, row)) return { ...sorted, misfits: sorted.misfits - 1 };
  return { ...sorted, rows: withoutRow(sorted.rows, keyOf(sorted.rows.order, row)) };
}

/** Where the rows of a range stand. No row has an empty text, so the place of one lies before all rows with its number. */
export function sortedRange({ from, to, fromInclusive, toInclusive }: KeyRange): Range {
  return {
    from: from === null ? null : cut(from, fromInclusive),
    to: to === null ? null : cut(to, !toInclusive),
  };
}

/** The place before all rows with a number, or behind them. */
export function cut(key: IndexKey, isBefore: boolean): Key {
  const integer = integerOf(key);
  return textKey('', isBefore ? integer : BigInt(integer) + 1n);
}

function isSorted<T>(field: OrderedIndex<T>, row: T): boolean {
  const key = field.keysOf(row)?.[0];
  return typeof key === 'number' || typeof key === 'bigint';
}

export function integerOf(key: IndexKey | undefined): number | bigint {
  if (typeof key === 'number' || typeof key === 'bigint') return key;
  throw new TypeError('Only fields of integers are sorted');
}
