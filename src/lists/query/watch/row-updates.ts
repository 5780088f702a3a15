import type { RowChange, RowChanges } from '../../table/change-feed.js';

/** The tables from which a list builds its rows: its own table, and tables whose data its rows show too. */
export interface JoinedRows<T, C extends RowChange = RowChange, S = unknown> {
  /** The list's own table first, then the other tables. */
  readonly tables: readonly [C['table'], ...C['table'][]];
  /** Returns the key of a row in the list's own table. */
  readonly key: (row: T) => string;
  /**
   * Returns the list's row that shows data of the changed row of another table; null if no row does. Absent if rows show only
   * their own data.
   */
  readonly rowIn?: ((change: C, snapshot: S) => T | null) | undefined;
}

/** A row before and after changes. Both are the same object if only data from another table changed. */
export interface RowUpdate<T> {
  readonly before: T | null;
  readonly after: T | null;
}

/** Returns the updated rows of a list by key, combining all groups of changes. `snapshot` is the state after the last group. */
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
    // A change in the list's own table has rows of the list, and at least one of them is not null.
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
