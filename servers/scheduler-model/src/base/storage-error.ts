/**
 * Why a store cannot be opened or written:
 * `unusable` the place cannot hold a store, `foreign` it holds something else, `damaged` it holds a store that cannot
 * be read, `exposed` others may read or write it, `newer` a store of a later version; `write-failed` nothing of a batch was
 * kept, `undecided` a batch may have been kept or not, `closed` the store was closed before.
 */
export type StorageErrorCode =
  'unusable' | 'foreign' | 'damaged' | 'exposed' | 'newer' | 'write-failed' | 'undecided' | 'closed';

/** A failed operation of a store. The message says where, and what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** The public part of the message, without file names of this machine. May be empty. */
  readonly reason: string;

  constructor(code: StorageErrorCode, message: string, cause?: unknown, reason = '') {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
  }
}
