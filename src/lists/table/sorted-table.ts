import { rangeIndexName } from './index-declaration.js';
import { orderByField, type SortField } from './sort-field.js';
import { groupRows, type SecondaryIndex } from './secondary-index.js';
import { joinRows, scanRows, fullRange, sortRows, type SortedRows } from './sorted-rows.js';
import type { TableRows } from './table-rows.js';

/** Returns the rows of a table in the order of a field. */
export function sortedTable<T extends object>(
  { listed, indexes }: TableRows<T>,
  field: SortField<T>,
): SortedRows<T> {
  const { name, by } = field;
  const index = by === 'list' ? undefined : indexes[by === 'index' ? rangeIndexName(name) : name];
  if (index === undefined) return listed;
  return by === 'index' ? groupRows(index) : joinGroups(index, listed, orderByField(field, index.order));
}

/** Concatenated groups, cached per version of an index, because concatenation visits every group. */
const joined = new WeakMap<SecondaryIndex<never>, SortedRows<never>>();

function joinGroups<T>(
  index: SecondaryIndex<T>,
  listed: SortedRows<T>,
  order: SortedRows<T>['order'],
): SortedRows<T> {
  const key = index as object as SecondaryIndex<never>;
  const known = joined.get(key) as SortedRows<T> | undefined;
  if (known !== undefined) return known;
  const groups = [...scanRows(index.groups, fullRange, false)].map(({ rows }) => rows);
  const rows =
    index.unindexed === 0
      ? joinRows(order, groups)
      : sortRows(order, [...scanRows(listed, fullRange, false)]);
  joined.set(key, rows as object as SortedRows<never>);
  return rows;
}
