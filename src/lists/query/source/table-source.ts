import { onlyTable, versionsOf, type Table } from '../../table/table.js';
import type { RowKey } from '../../table/key.js';
import { storedSnapshot, type StoredSnapshot } from '../../table/table-snapshot.js';
import { sortedTable } from '../../table/sorted-table.js';
import type { StoreSnapshot, Versions } from '../../table/store.js';
import type { SortField } from '../../table/sort-field.js';
import type { TableRows } from '../../table/table-rows.js';
import type { Selection, SortedTable } from '../scan/access-path.js';
import type { ParsedQuery } from '../request/query.js';
import type { ListView, RowSource, WatchedRows } from './row-source.js';
import { positionInList, sortOrder, type OrderParts, type SplitSortOrder } from '../scan/sort-order.js';

/** Returns the rows of a table of a store. @throws TypeError if the store has no such table. */
function tableSource<T extends object>(versions: Versions, table: string): RowSource<T> {
  const at = (): StoredSnapshot<T> =>
    storedSnapshot<T>(versions.snapshot().tables[table] as StoredSnapshot<T> | undefined);
  const { definition } = at();
  const { schema, sorts, filterIndexes, keyOf, keyField, empty } = definition;
  const parts: OrderParts<T> = { sorts, listOrder: empty.listed.order };
  function viewAt(query: ParsedQuery<T>, snapshot: StoreSnapshot): ListView<T> {
    const { index, indexes, history, tables } = snapshot;
    const cached = storedSnapshot<T>(tables[table] as StoredSnapshot<T> | undefined);
    const sorted = orderOfQuery(query, parts, empty.primary.order);
    return { index: indexes[table] ?? index, history, selection: selectionOf(cached, query), sorted };
  }
  return {
    schema,
    sorts,
    filterIndexes,
    keyOf,
    keyField,
    order: empty.listed.order,
    watched: { versions, table, viewAt: viewAt as object as WatchedRows['viewAt'] },
    view: (query) => viewAt(query, versions.snapshot()),
  };
}

/** Returns the source of a table without a store. @throws TypeError if the value was not created by `createTable`. */
export function sourceOfTable<T extends object>(table: Table<T, RowKey>): RowSource<T> | null {
  const versions = versionsOf(table);
  return versions === null ? null : tableSource<T>(versions, onlyTable);
}

/** Returns the order of a page: its sort, key order if a prefix is requested, or the list's own order. */
export function orderOfQuery<T extends object>(
  { sort, prefix, reverse }: ParsedQuery<T>,
  parts: OrderParts<T>,
  keyOrder: OrderParts<T>['listOrder'],
): SplitSortOrder<T> {
  if (sort !== null) return sortOrder(sort, parts);
  return {
    order: prefix === '' ? parts.listOrder : keyOrder,
    reverse,
    partialSort: null,
    positionsAt: positionInList,
  };
}

function selectionOf<T extends object>(
  { definition, contents }: StoredSnapshot<T>,
  { prefix, sort }: ParsedQuery<T>,
): Selection<T> {
  const { primary, listed, indexes } = contents;
  const isByKey = listed === primary || listed.order === primary.order;
  const rows = prefix === '' ? listed : primary;
  const field = sort === null ? undefined : definition.sorts.get(sort.field);
  return {
    rows,
    keyPrefix: prefix,
    where: null,
    ...(prefix === '' || isByKey ? { indexes } : {}),
    ...(prefix === '' && isByKey && definition.keyField !== null ? { keyField: definition.keyField } : {}),
    ...(field === undefined ? {} : { sorted: sortedBy(contents, field) }),
  };
}

/** Returns the rows of a table in the order of a field. */
export function sortedBy<T extends object>(table: TableRows<T>, field: SortField<T>): SortedTable<T> {
  return { field, rows: sortedTable(table, field) };
}
