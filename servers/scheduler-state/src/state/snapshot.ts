import { emptyTables, tableNames, type TableName, type Tables } from './tables.js';

/** The whole state after one write. Immutable. */
export interface Snapshot {
  readonly tables: Tables;
  /** Index of the last write to each table, including deletions. */
  readonly tableIndexes: Readonly<Record<TableName, number>>;
  /** Index of the last write to any table. */
  readonly index: number;
  /** Number of the history. Indexes only increase within one history; a later history may start with lower indexes. */
  readonly incarnation: number;
  /**
   * Number of times that this server has switched to another history or loaded its contents again. After that, the same index may
   * mean different rows.
   */
  readonly generation: number;
}

export function emptySnapshot(): Snapshot {
  return Object.freeze({
    tables: emptyTables(),
    tableIndexes: Object.fromEntries(tableNames.map((name) => [name, 0])) as Readonly<
      Record<TableName, number>
    >,
    index: 0,
    incarnation: 0,
    generation: 0,
  });
}

/** Returns the index of a list that reads these tables. It is at least 1, because a query with index 0 never blocks. */
export function indexOf(snapshot: Snapshot, tables: readonly TableName[]): number {
  let index = 1;
  for (const name of tables) index = Math.max(index, snapshot.tableIndexes[name]);
  return index;
}
