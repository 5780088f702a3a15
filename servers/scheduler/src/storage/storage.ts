/** A row as a driver keeps it: under a key, in a table. The row itself is opaque and never changed. */
export interface StoredRow {
  readonly table: string;
  readonly key: string;
  readonly row: object;
}

/** What one write, or several that are committed together, change: all of it or nothing. */
export interface Batch {
  /** The index of the last write in it, greater than that of every batch before. */
  readonly index: number;
  /** At most one change of a key. */
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
 *
 * A driver that several servers share fits behind the same calls: the state keeps a replica of everything in
 * memory and never reads rows back one by one. Such a driver (etcd, for one) keeps the index in a key of its own;
 * `commit` is one transaction that compares that key with the index it last saw, sets it to the batch's and puts the
 * rows, so of two servers that write at once one is refused and nothing of it kept. `load` reads at one revision, and
 * a watch from the next one feeds the replica the batches of others; that call joins this contract with the driver.
 */
export interface Storage {
  load(): Promise<Contents>;
  /**
   * Resolves when the batch would survive the loss of the process and of the machine's power.
   *
   * @throws StorageError `write-failed` when nothing of it was kept, `closed`.
   */
  commit(batch: Batch): Promise<void>;
  /**
   * Tries what a commit needs, and changes nothing. After a commit that failed, whether that one would succeed now.
   *
   * @throws StorageError `write-failed` with a reason, `closed`.
   */
  probe(): Promise<void>;
  close(): Promise<void>;
}
