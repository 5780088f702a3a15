/** A row as a driver keeps it: under a key, in a table. The row itself is opaque and never changed. */
export interface StoredRow {
  readonly table: string;
  readonly key: string;
  readonly row: object;
}

/** The changes of one write, or of several that are committed together: all of it or nothing. */
export interface Batch {
  /** The index of the last write in it, greater than that of every batch before. */
  readonly index: number;
  /** At most one change of a key. */
  readonly puts: readonly StoredRow[];
  readonly deletes: readonly { readonly table: string; readonly key: string }[];
  /** The index that each changed table has from now on. */
  readonly tableIndexes: Readonly<Record<string, number>>;
}

/** A batch that is to be the next one in the log. */
export interface Entry {
  /** A name that no other batch has. */
  readonly id: string;
  /** The term of the leader that appends it. */
  readonly term: number;
  /** The name of the batch that it follows, empty for the first one. */
  readonly after: string;
  readonly batch: Batch;
}

/**
 * The outcome of an append.
 *
 * - `committed`: it would survive the loss of the process and of the machine's power.
 * - `conflict`: the log does not end with the expected batch; nothing was kept.
 * - `notLeader`: the log has seen a later term; this call stored nothing.
 * - `unknown`: it may have been stored or not. Appending the same entry again shows it, or the log itself.
 *
 * `index` is that of the last batch in the log.
 */
export type AppendOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly index: number }
  | { readonly kind: 'notLeader'; readonly index: number }
  | { readonly kind: 'unknown' };

/** The whole contents of a log: the effect of all its batches. */
export interface Contents {
  /** The name of the last batch, empty in a new log. */
  readonly id: string;
  /** The index of the last batch, 0 in a new log. */
  readonly index: number;
  readonly tableIndexes: Readonly<Record<string, number>>;
  /** The number of the history; omitted if the log does not provide one. */
  readonly incarnation?: number;
  readonly rows: AsyncIterable<StoredRow>;
}

/**
 * An event for a subscriber: the next batch, contents that replace everything before, or a new number of the history. Within one
 * history indexes only grow; a later history may begin with lower ones.
 */
export type LogEvent =
  | {
      readonly kind: 'batch';
      readonly id: string;
      readonly batch: Batch;
      /** The number of the history if it begins with this batch. */
      readonly incarnation?: number;
    }
  | { readonly kind: 'renewal'; readonly incarnation: number }
  | { readonly kind: 'reset'; readonly contents: Contents };

/**
 * The log of all writes, the durable form of the state. The state keeps a replica of its contents in memory, applies batches as
 * the log delivers them, including its own, and never reads single rows back. A driver may store rows in any form that preserves
 * them, including 64-bit integers.
 *
 * A log may be shared between servers. Then the leader appends and the others follow; of two concurrent appends one is refused,
 * because the log no longer ends where it expected. A driver for such a log (etcd, for one) keeps the
 * name, index and term of the last batch in a key of its own, and `append` is one transaction that compares them and
 * puts the rows.
 */
export interface Storage {
  /**
   * Makes a batch the next one. An entry that is the last in the log already is `committed`, and nothing happens twice.
   * One at a time.
   *
   * @throws StorageError `write-failed` when nothing of it was kept, neither by this call nor by one before; `closed`.
   */
  append(entry: Entry): Promise<AppendOutcome>;
  /**
   * Yields the contents at the time of the first event, then all later batches, in order, as they are committed: before `append`
   * resolves, or later. The contents are sent again if batches are no longer available or the log has been replaced. It ends when
   * the log is closed or the subscriber returns.
   *
   * @throws StorageError `damaged` by the contents or the iteration.
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
