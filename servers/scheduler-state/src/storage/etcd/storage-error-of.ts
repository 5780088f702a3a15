import { EtcdError, type EtcdErrorCode } from '@tamis/etcd';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** Public message of each error, without addresses and user names. */
const reasons: Readonly<Partial<Record<EtcdErrorCode, string>>> = {
  'not-sent': 'etcd cannot be reached',
  unknown: 'etcd did not respond',
  'no-space': 'etcd has no space left',
  permission: 'etcd does not allow it',
  unauthenticated: 'etcd refuses the user',
  'too-large': 'a row is larger than etcd takes',
};

/** Converts an etcd error to a storage error. Other errors are rethrown. */
export function storageErrorOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (!(error instanceof EtcdError)) throw error;
  const { code, message } = error;
  if (code === 'closed' || code === 'damaged') return new StorageError(code, message, error);
  return new StorageError('write-failed', message, error, reasons[code] ?? 'etcd refuses it');
}
