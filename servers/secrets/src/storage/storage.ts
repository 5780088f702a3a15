/** Most bytes of the path of an entry, which has 1 at least: what fits in a key of LMDB. */
export const maxPathLength = 1_900;

/** One change of the store. A null value deletes the entry. */
export interface Change {
  readonly path: string;
  readonly value: Uint8Array | null;
}

/** Room for more, in bytes. */
export interface Space {
  readonly free: number;
  /** With what is taken. */
  readonly total: number;
}

/**
 * Where everything durable lives: entries by path, such as `auth/cloud/role/dev`. A driver may encrypt; callers see
 * plain values. Paths are case sensitive and compared by their UTF-8 bytes.
 */
export interface Storage {
  /** Null when there is no entry. The bytes are the caller's own copy. */
  get(path: string): Promise<Uint8Array | null>;
  /** The paths that begin with `prefix`, in bytewise order. */
  list(prefix: string): Promise<readonly string[]>;
  /**
   * Applies all changes or none. Resolves when they would survive the loss of the process; rejects when nothing of
   * them was kept.
   */
  write(changes: readonly Change[]): Promise<void>;
  /** Null where nothing but memory bounds it. Rejects when what everything lives in is not there any more. */
  space(): Promise<Space | null>;
  close(): Promise<void>;
}

/** An entry as it is on disk. */
export type StoredEntry = readonly [path: string, value: Uint8Array];

/** A store as its driver has it, whole. */
export interface RootStorage extends Storage {
  /**
   * @param leaderTerm in which what is written was thought out, see `ActiveServer`: in a shared store nothing is written when
   *   this server is not active in it any more.
   */
  write(changes: readonly Change[], leaderTerm?: number): Promise<void>;
  /** Whether no other process can have it by now, see `StoreLock`. */
  readonly isOwn: () => boolean;
  /** All entries of one moment, in bytewise order of their paths, read on demand. */
  readonly entries: () => Iterable<StoredEntry> | AsyncIterable<StoredEntry>;
}
