import { rangeIndexName } from './index-declaration.js';
import type { SortField } from './sort-field.js';
import { groupRows, type SecondaryIndex } from './secondary-index.js';
import { joinRows, scanRows, fullRange, type SortedRows } from './sorted-rows.js';
import type { TableRows } from './table-rows.js';

/** Returns the rows of a table in the order of a field; null if one of them has no position in it. */
export function sortedTable<T extends object>(
  { listed, indexes }: TableRows<T>,
  { name, by, order }: SortField<T>,
): SortedRows<T> | null {
  if (by === 'list') return listed;
  const index = indexes[by === 'index' ? rangeIndexName(name) : name];
  if (index === undefined || index.unindexed > 0) return null;
  return order === null ? groupRows(index) : joinGroups(index, order({ list: index.order }));
}

/** Concatenated groups of indexes. Computed at most once per index version, because it visits every group. */
const joined = new WeakMap<SecondaryIndex<never>, SortedRows<never>>();

function joinGroups<T>(index: SecondaryIndex<T>, order: SortedRows<T>['order']): SortedRows<T> {
  const key = index as object as SecondaryIndex<never>;
  const known = joined.get(key) as SortedRows<T> | undefined;
  if (known !== undefined) return known;
  const groups = [...scanRows(index.groups, fullRange, false)].map(({ rows }) => rows);
  const rows = joinRows(order, groups);
  joined.set(key, rows as object as SortedRows<never>);
  return rows;
}
