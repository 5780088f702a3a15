/** A row as a driver keeps it: under a key, in a table. The row itself is opaque and never changed. */
export interface StoredRow {
  readonly table: string;
  readonly key: string;
  readonly row: object;
}

/** What one write changes, all of it or nothing. */
export interface Batch {
  /** The index of the write, greater than that of every batch before. */
  readonly index: number;
  readonly puts: readonly StoredRow[];
  readonly deletes: readonly { readonly table: string; readonly key: string }[];
  /** The index that each changed table has from now on. */
  readonly tableIndexes: Readonly<Record<string, number>>;
}

/** Everything that a driver has kept. */
export interface Contents {
  /** The index of the last batch, 0 for a new store. */
  readonly index: number;
  readonly tableIndexes: Readonly<Record<string, number>>;
  readonly rows: AsyncIterable<StoredRow>;
}

/**
 * Where the state survives. The state calls `load` once, before anything else, and `commit` for one batch at a time.
 * A driver may keep rows in any form that gives them back equal, 64-bit integers included.
 */
export interface Storage {
  load(): Promise<Contents>;
  /** Resolves when the batch would survive the loss of the process; rejects when nothing of it was kept. */
  commit(batch: Batch): Promise<void>;
  close(): Promise<void>;
}
