/** Maximum length of the path of an entry, in bytes: the limit of an LMDB key. The minimum length is 1. */
export const maxPathLength = 1_900;

/** One change of the store. A null value deletes the entry. */
export interface Change {
  readonly path: string;
  readonly value: Uint8Array | null;
}

/** Free and total space, in bytes. */
export interface Space {
  readonly free: number;
  /** Total space, including used space. */
  readonly total: number;
}

/**
 * Durable storage of entries by path, such as `auth/cloud/role/dev`. A driver may encrypt values, but callers always see plain
 * ones. Paths are case-sensitive and are compared by their UTF-8 bytes.
 */
export interface Storage {
  /** Returns an entry; null if it is missing. The bytes are a copy. */
  get(path: string): Promise<Uint8Array | null>;
  /** Returns the paths that begin with `prefix`, in bytewise order. */
  list(prefix: string): Promise<readonly string[]>;
  /**
   * Applies all changes or none. Resolves when they are durable; rejects if none of them was applied.
   */
  write(changes: readonly Change[]): Promise<void>;
  /** Returns the free and total space; null if only memory limits it. Rejects if the underlying store no longer exists. */
  space(): Promise<Space | null>;
  close(): Promise<void>;
}

/** An entry as stored on disk. */
export type StoredEntry = readonly [path: string, value: Uint8Array];

/** The complete store of a driver. */
export interface RootStorage extends Storage {
  /**
   * Like `write` of {@link Storage}.
   *
   * @param leaderTerm term in which the write was prepared, see `ActiveServer`. Nothing is written to a shared store if this
   * server is no longer active in that term.
   */
  write(changes: readonly Change[], leaderTerm?: number): Promise<void>;
  /** Whether no other process can have taken over the store, see `StoreLock`. */
  readonly isOwn: () => boolean;
  /** Returns a consistent snapshot of all entries, in bytewise order of paths, read on demand. */
  readonly entries: () => Iterable<StoredEntry> | AsyncIterable<StoredEntry>;
}
