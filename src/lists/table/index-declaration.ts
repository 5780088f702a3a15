import { fieldIndex, type FieldIndex } from '../../filter/compile/frame/field-index.js';
import { orderedIndex, type OrderedIndex } from '../../filter/compile/frame/ordered-index.js';
import type { Order } from '../list/index.js';
import type { Schema } from '../../language/schema/schema.js';
import { placeInList, textOrder } from './text-order.js';

/** The orders that every table has. */
export interface TableOrders<T> {
  /** Key order. */
  readonly key: Order<T>;
  /** List order. */
  readonly list: Order<T>;
}

/**
 * The declaration of a table's index: the groups that a row belongs to, and the order of the rows of a group. An index that only
 * sorts has a single group, with the empty key.
 */
export interface IndexDeclaration<T> {
  /** Returns the keys of a row's groups, each once; null for a row that cannot be indexed. */
  readonly keysOf: (row: T) => readonly string[] | null;
  /** The order within a group, without ties. */
  readonly order: (orders: TableOrders<T>) => Order<T>;
  /** The indexed field for filters; null for computed strings. */
  readonly field: FieldIndex<T> | OrderedIndex<T> | null;
}

export type IndexDeclarations<T, I extends string = string> = Readonly<Record<I, IndexDeclaration<T>>>;

/** The key of the only group of an index that sorts. */
export const wholeGroup = '';
const inWholeGroup: readonly string[] = [wholeGroup];

/** Returns an index of rows by a string computed from each row; rows with equal strings are in list order. */
export function stringIndex<T>(text: (row: T) => string): IndexDeclaration<T> {
  return { keysOf: (row) => [text(row)], order: ({ list }) => list, field: null };
}

/**
 * Returns indexes of rows by the values of fields, given as filters name them, under the names of the fields; rows with equal values are in list order.
 *
 * @throws TypeError for a field that the schema lacks.
 */
export function valueIndexes<T>(schema: Schema, names: readonly string[]): IndexDeclarations<T> {
  const indexes = names.map((name) => {
    const field = fieldIndex<T>(schema, name);
    return [field.field, { keysOf: field.keysOf, order: ({ list }: TableOrders<T>) => list, field }];
  });
  return Object.fromEntries(indexes) as IndexDeclarations<T>;
}

/**
 * Returns indexes that sort rows by integer fields; rows with equal values are in list order: `byPriority` sorts by
 * `Priority`.
 *
 * @throws TypeError for a field that the schema lacks.
 */
export function sortedNumberIndexes<T>(schema: Schema, names: readonly string[]): IndexDeclarations<T> {
  return Object.fromEntries(
    names.map((name) => {
      const index = orderedIndex<T>(schema, name);
      return [rangeIndexName(index.field), sortedBy(index)];
    }),
  );
}

/**
 * Returns indexes that sort rows by string fields; rows with equal strings are in list order: `byName` sorts by `Name`. Filters
 * do not use them.
 */
export function sortedStringIndexes<T>(
  fields: Readonly<Record<string, (row: T) => string>>,
): IndexDeclarations<T> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, textOf]) => [
      rangeIndexName(name),
      {
        keysOf: () => inWholeGroup,
        order: ({ list }: TableOrders<T>) => textOrder(list, textOf),
        field: null,
      },
    ]),
  );
}

/** Returns the name of the index that sorts by a field. */
export function rangeIndexName<N extends string>(field: N): `by${N}` {
  return `by${field}`;
}

function sortedBy<T>(field: OrderedIndex<T>): IndexDeclaration<T> {
  return {
    keysOf: (row) => (integerAt(field, row) === null ? null : inWholeGroup),
    order: ({ list }) => ({ index: (row) => integerAt(field, row) ?? 0, text: placeInList(list) }),
    field,
  };
}

function integerAt<T>(field: OrderedIndex<T>, row: T): number | bigint | null {
  const key = field.keysOf(row)?.[0];
  return typeof key === 'number' || typeof key === 'bigint' ? key : null;
}
