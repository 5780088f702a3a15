import { emptyTables, tableNames, type TableName, type Tables } from './tables.js';

/** The whole state after one write. Immutable. */
export interface Snapshot {
  readonly tables: Tables;
  /** Index of the last write to each table, including deletions. */
  readonly tableIndexes: Readonly<Record<TableName, number>>;
  /** Index of the last write to any table. */
  readonly index: number;
  /** Number of the history. Indexes only grow within one history; a later one may start with lower indexes. */
  readonly incarnation: number;
  /** Number of times this server has switched histories or reloaded its contents. The same index may then mean different rows. */
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

/** Returns the index of a list that reads these tables. At least 1, because a client with index 0 would never block. */
export function indexOf(snapshot: Snapshot, tables: readonly TableName[]): number {
  let index = 1;
  for (const name of tables) index = Math.max(index, snapshot.tableIndexes[name]);
  return index;
}
