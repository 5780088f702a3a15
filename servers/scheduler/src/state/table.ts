import { compareKeys, keyOf, type FieldIndex, type Order, type OrderedIndex } from 'tamis';
import { findGroup, groupRows, withGroupedRow, withoutGroupedRow, type Grouped } from './grouped.js';
import { textKey } from './key.js';
import {
  findRow,
  orderRows,
  scanRows,
  withoutRow,
  withRow,
  wholeRange,
  type SortedRows,
} from './sorted-rows.js';
import { sortRows, withSortedRow, withoutSortedRow, type Sorted } from './sorted.js';

/**
 * A table: rows found by their unique primary text, and in as many other orders as it declares. Immutable like its
 * orders. `I` names the further indexes.
 */
export interface Table<T extends object, I extends string = string> {
  readonly primary: SortedRows<T>;
  readonly indexes: Readonly<Record<I, SortedRows<T>>>;
  /** The rows by their fields, for filters. */
  readonly fields: readonly Grouped<T>[];
  /** The rows in the order of their fields, for filters. */
  readonly sorted: readonly Sorted<T>[];
}

/** The fields that filters find rows by. */
export interface FilterFields<T, I extends string> {
  readonly fields: readonly FieldIndex<T>[];
  /** Fields of integers by which rows are sorted too. */
  readonly sorted?: readonly OrderedIndex<T>[];
  /** The index in whose order lists of the table are; left out for the primary one. */
  readonly listedBy?: I;
}

/** An empty table. Every index must be unique: let its text end in the primary key where it is not by itself. */
export function createTable<T extends object, I extends string = never>(
  primary: (row: T) => string,
  indexes: Readonly<Record<I, Order<T>>> = {} as Readonly<Record<I, Order<T>>>,
  { fields, sorted = [], listedBy }: FilterFields<T, I> = { fields: [] },
): Table<T, I> {
  const order = { text: primary };
  const listOrder = listedBy === undefined ? order : indexes[listedBy];
  return {
    primary: orderRows(order, []),
    indexes: mapIndexes(indexes, (each) => orderRows(each, [])),
    fields: fields.map((field) => groupRows(field, listOrder, [])),
    sorted: sorted.map((field) => sortRows(field, listOrder, [])),
  };
}

export function getRow<T extends object>(table: Table<T>, key: string): T | null {
  return findRow(table.primary, textKey(key)) ?? null;
}

/** The rows whose field has this value, in the order of lists; the field is one that filters find rows by. */
export function rowsWith<T extends object>(
  { fields }: Table<T>,
  name: keyof T & string,
  key: string,
): Iterable<T> {
  const grouped = fields.find(({ field }) => field.field === name);
  if (grouped === undefined) throw new TypeError(`Rows are not found by ${name}`);
  const rows = findGroup(grouped, key);
  return rows === null ? [] : scanRows(rows, wholeRange, false);
}

/** Adds or replaces a row. The row must not be changed afterwards; its outermost level is frozen to show it. */
export function putRow<T extends object, I extends string>(table: Table<T, I>, row: T): Table<T, I> {
  Object.freeze(row);
  const old = findRow(table.primary, keyOf(table.primary.order, row));
  return {
    primary: withRow(table.primary, row),
    indexes: mapIndexes(table.indexes, (rows) =>
      withRow(old === undefined ? rows : leave(rows, old, row), row),
    ),
    fields: table.fields.map((grouped) => withGroupedRow(grouped, old, row)),
    sorted: table.sorted.map((each) => withSortedRow(each, old, row)),
  };
}

/** Takes a row out; the same table when there is none. */
export function deleteRow<T extends object, I extends string>(table: Table<T, I>, key: string): Table<T, I> {
  const old = findRow(table.primary, textKey(key));
  if (old === undefined) return table;
  return {
    primary: withoutRow(table.primary, textKey(key)),
    indexes: mapIndexes(table.indexes, (rows) => withoutRow(rows, keyOf(rows.order, old))),
    fields: table.fields.map((grouped) => withoutGroupedRow(grouped, old)),
    sorted: table.sorted.map((each) => withoutSortedRow(each, old)),
  };
}

/** Adds many rows at once, which costs one sort and not a copied chunk a row. Later rows replace earlier ones. */
export function putRows<T extends object, I extends string>(
  table: Table<T, I>,
  rows: Iterable<T>,
): Table<T, I> {
  const { text } = table.primary.order;
  const byKey = new Map<string, T>();
  for (const chunk of table.primary.chunks) for (const row of chunk) byKey.set(text(row), row);
  for (const row of rows) byKey.set(text(row), Object.freeze(row));
  const all = [...byKey.values()];
  const primary = orderRows(table.primary.order, all);
  const indexes = mapIndexes(table.indexes, ({ order }) => orderRows(order, all));
  const fields = table.fields.map(({ field, order }) => {
    const sorted = Object.values<SortedRows<T>>(indexes).find((rows) => rows.order === order) ?? primary;
    return groupRows(field, order, scanRows(sorted, wholeRange, false));
  });
  const sorted = table.sorted.map(({ field, rows: { order } }) => sortRows(field, order, all));
  return { primary, indexes, fields, sorted };
}

/** Takes the old row out of an index when the new one stands elsewhere in it. */
function leave<T extends object>(rows: SortedRows<T>, old: T, row: T): SortedRows<T> {
  const place = keyOf(rows.order, old);
  return compareKeys(place, keyOf(rows.order, row)) === 0 ? rows : withoutRow(rows, place);
}

function mapIndexes<A, B, I extends string>(
  indexes: Readonly<Record<I, A>>,
  change: (value: A) => B,
): Readonly<Record<I, B>> {
  const entries = Object.entries<A>(indexes).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(entries) as Readonly<Record<I, B>>;
}
