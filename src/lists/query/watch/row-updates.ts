import type { RowChange, RowChanges } from '../../table/change-feed.js';

/** The rows of a list: those of a table, and what they show of other tables. */
export interface JoinedRows<T, C extends RowChange = RowChange, S = unknown> {
  /** That of the rows, then the others. */
  readonly tables: readonly [C['table'], ...C['table'][]];
  /** The key of a row in its table. */
  readonly key: (row: T) => string;
  /** The row that shows something of one in another of the tables, as it is in the snapshot; left out where none does. */
  readonly rowIn?: ((change: C, snapshot: S) => T | null) | undefined;
}

/** A row of a list before and after some changes. The same twice where only what it shows of another table has changed. */
export interface RowUpdate<T> {
  readonly before: T | null;
  readonly after: T | null;
}

/** What these groups together have done to the rows of a list, by their keys. The snapshot is that after the last one. */
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
    const known = updates.get(change.key);
    // The rows of its own table are those of the list.
    const { before, after } = change as object as RowUpdate<T>;
    updates.set(change.key, { before: known === undefined ? before : known.before, after });
  }
  for (const change of changes) {
    const row = change.table === own ? null : (rowIn?.(change, snapshot) ?? null);
    if (row !== null && !updates.has(key(row))) updates.set(key(row), { before: row, after: row });
  }
  return updates;
}
