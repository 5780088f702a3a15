import { orderedIndex, type OrderedIndex } from '../../filter/compile/frame/ordered-index.js';
import type { FieldIndex } from '../../filter/compile/frame/field-index.js';
import type { Order } from '../list/order.js';
import type { Schema } from '../../language/schema/schema.js';
import {
  rangeIndexes,
  rangeIndexName,
  sortedIndex,
  stringIndex,
  valueIndexes,
  type IndexDeclaration,
  type IndexDeclarations,
} from './index-declaration.js';
import { sortField, type SortField } from './sort-field.js';

/** The requested indexes of a table: on fields, named as in filters, and on strings that the program computes. */
export interface IndexSpec<T> {
  readonly schema: Schema;
  /** The field whose value is the key or its last part; null if a function computes keys. */
  readonly keyField: string | null;
  /** The order of lists; null for the order of keys. */
  readonly listOrder: Order<T> | null;
  /** The field by which list order sorts first; null if it is not a single field. */
  readonly listField: string | null;
  readonly sorts: readonly string[];
  /** Fields that filters can look up by value. */
  readonly values: readonly string[];
  /** Fields that filters can look up by range. */
  readonly ranges: readonly string[];
  /** Computed strings by which the program finds rows; filters cannot use them. */
  readonly groups?: Readonly<Record<string, (row: T) => string>>;
}

/** The indexes of a table and their uses. */
export interface DeclaredIndexes<T, I extends string = string> {
  /**
   * The indexes by name: those by value under the name of the field, sorted ones under names such as `byPriority`, and groups
   * under their own names.
   */
  readonly indexes: IndexDeclarations<T, I>;
  /** The indexes that filters may use in their plans. */
  readonly filterIndexes: readonly (FieldIndex<T> | OrderedIndex<T>)[];
  /** The fields by which lists can be sorted, by their names in filters. */
  readonly sorts: ReadonlyMap<string, SortField<T>>;
}

/** Returns the indexes for a specification. @throws TypeError for a field by which rows cannot be found or sorted. */
export function declareIndexes<T extends object>(spec: IndexSpec<T>): DeclaredIndexes<T> {
  const { schema, keyField, listOrder, listField, values, ranges, groups = {} } = spec;
  const sortFields = spec.sorts.map((field) => sortField<T>(field, { schema, listField, listOrder, values }));
  const sorting = sortFields.filter(({ by }) => by === 'index');
  const byGroup = Object.entries<(row: T) => string>(groups).map(([group, text]) => [
    group,
    stringIndex(text),
  ]);
  const indexes: IndexDeclarations<T> = {
    ...valueIndexes<T>(schema, values),
    ...Object.fromEntries(sorting.map((field) => [rangeIndexName(field.name), sortedIndex(field, null)])),
    ...rangeIndexes<T>(schema, ranges),
    ...(Object.fromEntries(byGroup) as IndexDeclarations<T>),
  };
  const fields = Object.values<IndexDeclaration<T>>(indexes).flatMap(({ field }) => field ?? []);
  return {
    indexes,
    // If lists are in key order, they are also sorted by the key field.
    filterIndexes:
      listOrder === null && keyField !== null ? [...fields, orderedIndex<T>(schema, keyField)] : fields,
    sorts: new Map(sortFields.map((field) => [field.name, field])),
  };
}
