import { textComparison } from '../../language/values/utf8-order.js';
import { keyOf, type Order } from '../list/index.js';
import type { IndexDeclarations } from './index-declaration.js';
import { stringKey } from './key.js';
import { mergeRows } from './merge-rows.js';
import { createIndex, buildIndex, isSamePlace, updateIndex, type SecondaryIndex } from './secondary-index.js';
import {
  fromSortedRows,
  findRow,
  locate,
  rowAt,
  scanRows,
  sortRows,
  fullRange,
  withoutRow,
  withRow,
  type SortedRows,
} from './sorted-rows.js';

/** The immutable rows of a table: by key, in list order, and in the declared indexes. */
export interface TableRows<T extends object, I extends string = string> {
  readonly primary: SortedRows<T>;
  /** The rows in list order; `primary` itself if that is key order. */
  readonly listed: SortedRows<T>;
  readonly indexes: Readonly<Record<I, SecondaryIndex<T>>>;
}

export interface TableDeclaration<T extends object, I extends string> {
  readonly key: (row: T) => string;
  /** The list order; absent or null for key order. */
  readonly listOrder?: Order<T> | null;
  readonly indexes?: IndexDeclarations<T, I>;
}

/** Returns an empty table. */
export function emptyRows<T extends object, I extends string = never>({
  key,
  listOrder = null,
  indexes,
}: TableDeclaration<T, I>): TableRows<T, I> {
  const byKey = { text: key };
  const orders = { key: byKey, list: listOrder ?? byKey };
  const primary = fromSortedRows<T>(orders.key, []);
  return {
    primary,
    listed: listOrder === null ? primary : fromSortedRows<T>(listOrder, []),
    indexes: mapIndexes(indexes ?? ({} as IndexDeclarations<T, I>), (each) => createIndex(each, orders)),
  };
}

export function getRow<T extends object>(table: TableRows<T>, key: string): T | null {
  return findRow(table.primary, stringKey(key)) ?? null;
}

/**
 * Returns the table with a row added or replaced. The caller must not modify the row afterwards. It is not frozen: a frozen row
 * created by a spread costs 1 KB of metadata in V8 and slows down field access.
 *
 * @param accepts is given the row with the same key, null if there is none; if it returns false, nothing is changed
 */
export function putRow<T extends object, I extends string>(
  table: TableRows<T, I>,
  row: T,
  accepts?: (old: T | null) => boolean,
): TableRows<T, I> {
  const { order } = table.listed;
  const position = locate(table.primary, keyOf(table.primary.order, row));
  const old = position.found ? (rowAt(table.primary, position) ?? null) : null;
  if (accepts?.(old) === false) return table;
  const primary = withRow(table.primary, row, position);
  const listed = (): SortedRows<T> =>
    withRow(
      old === null || isSamePlace(order, old, row)
        ? table.listed
        : withoutRow(table.listed, keyOf(order, old)),
      row,
    );
  return {
    primary,
    listed: table.listed === table.primary ? primary : listed(),
    indexes: mapIndexes(table.indexes, (index) => updateIndex(index, old, row)),
  };
}

/** Returns the table without the row with this key; the same object if none exists. */
export function deleteRow<T extends object, I extends string>(
  table: TableRows<T, I>,
  key: string,
): TableRows<T, I> {
  const old = getRow<T>(table, key);
  if (old === null) return table;
  const primary = withoutRow(table.primary, stringKey(key));
  return {
    primary,
    listed:
      table.listed === table.primary ? primary : withoutRow(table.listed, keyOf(table.listed.order, old)),
    indexes: mapIndexes(table.indexes, (index) => updateIndex(index, old, null)),
  };
}

/**
 * Returns the table with many rows added or replaced. Costs one sort, instead of one copied chunk per row. Later rows replace
 * earlier ones.
 *
 * @param isInOrder whether the rows are in the order of distinct keys
 */
export function putRows<T extends object, I extends string>(
  table: TableRows<T, I>,
  rows: Iterable<T>,
  isInOrder = false,
): TableRows<T, I> {
  const { order } = table.primary;
  const given = Array.isArray(rows) ? (rows as readonly T[]) : [...rows];
  const added = isInOrder ? given : inOrder(order, given);
  const known = scanRows(table.primary, fullRange, false);
  // Of two rows with the same key, the one of the first source remains.
  const all = table.primary.size === 0 ? added : [...mergeRows(order, [added, known], false)];
  const primary = fromSortedRows(order, all);
  const listed = table.listed === table.primary ? primary : sortRows(table.listed.order, all);
  const indexes = mapIndexes(table.indexes, (index) => {
    const sorted = [listed, primary].find((each) => each.order === index.order);
    const source = sorted ?? listed;
    const rowsOfSource = source === primary ? all : scanRows(source, fullRange, false);
    return buildIndex(index, rowsOfSource, sorted !== undefined);
  });
  return { primary, listed, indexes };
}

/** Returns rows in the order of distinct keys; of rows with the same key only the last one. */
function inOrder<T>({ text }: Order<T>, rows: readonly T[]): readonly T[] {
  const keyed = rows.map((row) => ({ row, key: text(row) }));
  const compare = textComparison(keyed.map(({ key }) => key));
  const isInOrder = keyed.every(({ key }, at) => at === 0 || compare(keyed[at - 1]?.key ?? '', key) < 0);
  if (isInOrder) return rows;
  keyed.sort((a, b) => compare(a.key, b.key));
  return keyed.filter(({ key }, at) => key !== keyed[at + 1]?.key).map(({ row }) => row);
}

function mapIndexes<A, B, I extends string>(
  indexes: Readonly<Record<I, A>>,
  change: (value: A) => B,
): Readonly<Record<I, B>> {
  const entries = Object.entries<A>(indexes).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(entries) as Readonly<Record<I, B>>;
}
