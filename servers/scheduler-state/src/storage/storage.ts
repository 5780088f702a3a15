/** A row as a driver stores it: in a table, under a key. The row is opaque and immutable. */
export interface StoredRow {
  readonly table: string;
  readonly key: string;
  readonly row: object;
}

/** The changes of one or more writes, committed atomically. */
export interface Batch {
  /** Index of the last write in it, greater than that of all earlier batches. */
  readonly index: number;
  /** Contains at most one change per key. */
  readonly puts: readonly StoredRow[];
  readonly deletes: readonly { readonly table: string; readonly key: string }[];
  /** New indexes of the changed tables. */
  readonly tableIndexes: Readonly<Record<string, number>>;
}

/** A batch to append to the log. */
export interface Entry {
  /** Unique ID of the batch. */
  readonly id: string;
  /** Term of the leader that appends it. */
  readonly term: number;
  /** ID of the preceding batch; empty for the first one. */
  readonly after: string;
  readonly batch: Batch;
}

/**
 * The outcome of an append.
 *
 * - `committed`: the batch survives a crash of the process and a power loss.
 * - `conflict`: the log does not end with the expected batch; nothing was stored.
 * - `notLeader`: the log has seen a later term; this call stored nothing.
 * - `unknown`: the batch may have been stored. Appending the same entry again shows it, as does the log.
 *
 * `index` is the index of the last batch in the log.
 */
export type AppendOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly index: number }
  | { readonly kind: 'notLeader'; readonly index: number }
  | { readonly kind: 'unknown' };

/** The complete contents of a log: the effect of all its batches. */
export interface Contents {
  /** ID of the last batch; empty for a new log. */
  readonly id: string;
  /** Index of the last batch; 0 for a new log. */
  readonly index: number;
  readonly tableIndexes: Readonly<Record<string, number>>;
  /** Number of the history; omitted if the log does not provide one. */
  readonly incarnation?: number;
  readonly rows: AsyncIterable<StoredRow>;
}

/**
 * An event for a subscriber: the next batch, contents that replace everything before, or a new history number. Indexes only grow
 * within one history; a later one may start with lower indexes.
 */
export type LogEvent =
  | {
      readonly kind: 'batch';
      readonly id: string;
      readonly batch: Batch;
      /** Number of the history that starts with this batch. */
      readonly incarnation?: number;
    }
  | { readonly kind: 'renewal'; readonly incarnation: number }
  | { readonly kind: 'reset'; readonly contents: Contents };

/**
 * The log of all writes, the durable form of the state. The state keeps a replica in memory, applies batches as the log delivers
 * them, including its own, and never reads single rows. A driver may store rows in any form that preserves them, including 64-bit
 * integers.
 *
 * Servers may share a log: the leader appends and the others follow. Of two concurrent appends one is rejected, because the log
 * no longer ends where it expected. A driver for such a log, for example etcd, stores ID, index and term of the last batch under
 * one key. `append` is one transaction that compares them and writes the rows.
 */
export interface Storage {
  /**
   * Appends a batch. If the entry is already the last one, the result is `committed` and nothing is written again. Calls must not
   * overlap.
   *
   * @throws StorageError `write-failed` if neither this nor an earlier call stored anything; `closed`.
   */
  append(entry: Entry): Promise<AppendOutcome>;
  /**
   * Yields the contents first, then all later batches in order of commit, before or after `append` resolves. The contents are
   * sent again if batches are no longer available or the log was replaced. Ends when the log is closed or the subscriber returns.
   *
   * @throws StorageError `damaged` from the contents or the iteration.
   */
  subscribe(): AsyncIterableIterator<LogEvent>;
  /**
   * Checks the preconditions of an append without changing anything. After a failed append, checks whether it would succeed now.
   *
   * @throws StorageError `write-failed` with a reason, `closed`.
   */
  probe(): Promise<void>;
  close(): Promise<void>;
}
