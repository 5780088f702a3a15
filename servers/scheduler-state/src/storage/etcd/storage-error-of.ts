import { EtcdError, type EtcdErrorCode } from '@tamis/etcd';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** What anybody may be told of each error: no address and no name of a user. */
const reasons: Readonly<Partial<Record<EtcdErrorCode, string>>> = {
  'not-sent': 'etcd cannot be reached',
  unknown: 'etcd does not answer',
  'no-space': 'etcd has no space left',
  permission: 'etcd does not allow it',
  unauthenticated: 'etcd refuses the user',
  'too-large': 'a row is larger than etcd takes',
};

/** The error of a log for one of etcd. What is none is thrown on. */
export function storageErrorOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (!(error instanceof EtcdError)) throw error;
  const { code, message } = error;
  if (code === 'closed' || code === 'damaged') return new StorageError(code, message, error);
  return new StorageError('write-failed', message, error, reasons[code] ?? 'etcd refuses it');
}
