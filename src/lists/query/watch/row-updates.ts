import type { RowChange, RowChanges } from '../../table/change-feed.js';

/** The rows of a list: those of a table, including data shown from other tables. */
export interface JoinedRows<T, C extends RowChange = RowChange, S = unknown> {
  /** The table of the rows, then the others. */
  readonly tables: readonly [C['table'], ...C['table'][]];
  /** The key of a row in its table. */
  readonly key: (row: T) => string;
  /** Returns the row that shows data of a changed row of another table, as in the snapshot. Absent if no row does. */
  readonly rowIn?: ((change: C, snapshot: S) => T | null) | undefined;
}

/** A row of a list before and after changes. Both are the same if only data shown from another table changed. */
export interface RowUpdate<T> {
  readonly before: T | null;
  readonly after: T | null;
}

/** Returns the combined updates of list rows by these groups, by key. The snapshot is the one after the last group. */
export function rowUpdates<T, C extends RowChange, S>(
  groups: readonly RowChanges<C>[],
  { tables, key, rowIn }: JoinedRows<T, C, S>,
  snapshot: S,
): ReadonlyMap<string, RowUpdate<T>> {
  const [own] = tables;
  const updates = new Map<string, RowUpdate<T>>();
  const changes = groups.flatMap((group) => group.changes.filter(({ table }) => tables.includes(table)));
  for (const change of changes) {
    if (change.table !== own) continue;
    // Rows of the list's own table are the rows of the list, and one of them is not null.
    const { before, after } = change as object as RowUpdate<T>;
    const ownKey = key((after ?? before) as T);
    const known = updates.get(ownKey);
    updates.set(ownKey, { before: known === undefined ? before : known.before, after });
  }
  for (const change of changes) {
    const row = change.table === own ? null : (rowIn?.(change, snapshot) ?? null);
    if (row !== null && !updates.has(key(row))) updates.set(key(row), { before: row, after: row });
  }
  return updates;
}
