/**
 * Reason why a store cannot be opened or written. `unusable`: no store can be created there. `foreign`: it contains other data.
 * `damaged`: the store cannot be read. `exposed`: other users can read or write it. `newer`: a later version wrote it.
 * `write-failed`: nothing of the batch was stored. `undecided`: the batch may have been stored. `closed`: the store was already
 * closed.
 */
export type StorageErrorCode =
  'unusable' | 'foreign' | 'damaged' | 'exposed' | 'newer' | 'write-failed' | 'undecided' | 'closed';

/** Error of a store operation. The message contains the location and advice. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** Public part of the message, without file names of this machine. May be empty. */
  readonly reason: string;

  constructor(code: StorageErrorCode, message: string, cause?: unknown, reason = '') {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
  }
}
