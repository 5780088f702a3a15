import { fieldIndex, type FieldIndex } from '../../filter/compile/frame/field-index.js';
import { orderedIndex, type OrderedIndex } from '../../filter/compile/frame/ordered-index.js';
import type { Order } from '../list/index.js';
import type { Schema } from '../../language/schema/schema.js';
import { orderByField, sortField, type SortField } from './sort-field.js';

/** The orders that every table has. */
export interface TableOrders<T> {
  /** Key order. */
  readonly key: Order<T>;
  /** List order. */
  readonly list: Order<T>;
}

/**
 * The declaration of an index: the groups that a row belongs to, and the order of rows within a group. An index that only sorts
 * has one group, whose key is empty.
 */
export interface IndexDeclaration<T> {
  /** Returns the distinct keys of a row's groups; null for a row that cannot be indexed. */
  readonly keysOf: (row: T) => readonly string[] | null;
  /** The order within a group, without ties. */
  readonly order: (orders: TableOrders<T>) => Order<T>;
  /** The indexed field for filters; null for computed strings. */
  readonly field: FieldIndex<T> | OrderedIndex<T> | null;
  /** The field by which the index sorts; absent if it does not sort. */
  readonly sort?: SortField<T>;
  /** Whether filters find a row by its value in the index. If absent: every row that has keys. */
  readonly isSearchable?: (row: T) => boolean;
}

export type IndexDeclarations<T, I extends string = string> = Readonly<Record<I, IndexDeclaration<T>>>;

/** The key of the only group of an index that only sorts. */
export const wholeGroup = '';
const inWholeGroup: readonly string[] = [wholeGroup];

/** Returns an index by a string computed from each row. Rows with equal strings are in list order. */
export function stringIndex<T>(text: (row: T) => string): IndexDeclaration<T> {
  return { keysOf: (row) => [text(row)], order: ({ list }) => list, field: null };
}

/**
 * Returns indexes by the values of fields, under the names that filters use. Rows with equal values are in list order.
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
 * Returns indexes that sort rows by fields and in which filters find ranges, under names such as `byPriority`. Rows with equal
 * values are in list order.
 *
 * @throws TypeError for a field that the schema lacks, or whose values have no order.
 */
export function rangeIndexes<T extends object>(
  schema: Schema,
  names: readonly string[],
): IndexDeclarations<T> {
  const indexes = names.map((name) => {
    const sort = sortField<T>(name, { schema, listField: null, listOrder: null, values: [] });
    return [rangeIndexName(name), sortedIndex(sort, orderedIndex<T>(schema, name))];
  });
  return Object.fromEntries(indexes) as IndexDeclarations<T>;
}

/** Returns an index that sorts rows by a field. If `field` is given, filters can find ranges in it. */
export function sortedIndex<T>(sort: SortField<T>, field: OrderedIndex<T> | null): IndexDeclaration<T> {
  const { values, read } = sort;
  return {
    keysOf: () => inWholeGroup,
    // Filters read null as the zero value if the field is not nullable, but the index sorts null last.
    isSearchable(row) {
      const keys = field === null ? [] : field.keysOf(row);
      if (field === null || keys === null) return field === null;
      const position = values.positionOf(read(row));
      const [key] = keys;
      return key === undefined ? position >= values.end : position === values.positionOfKey(key);
    },
    order: ({ list }) => orderByField(sort, list),
    field,
    sort,
  };
}

/** Returns the name of the index that sorts by a field. */
export function rangeIndexName<N extends string>(field: N): `by${N}` {
  return `by${field}`;
}
