import { emptyTables, tableNames, type TableName, type Tables } from './tables.js';

/** The whole state as it was after one write. Immutable: holding one costs nothing but memory. */
export interface Snapshot {
  readonly tables: Tables;
  /** The index of the last write to each table, deletions included. */
  readonly tableIndexes: Readonly<Record<TableName, number>>;
  /** The index of the last write anywhere. */
  readonly index: number;
  /** The number of the history. Within one of them indexes only grow; one with a greater number may begin below. */
  readonly incarnation: number;
  /** How often this server has taken up another history or loaded its contents: the same index may mean other rows then. */
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

/** The index of a list that reads these tables. At least 1: a client that got 0 would never block. */
export function indexOf(snapshot: Snapshot, tables: readonly TableName[]): number {
  let index = 1;
  for (const name of tables) index = Math.max(index, snapshot.tableIndexes[name]);
  return index;
}
