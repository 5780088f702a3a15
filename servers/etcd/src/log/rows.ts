import { EtcdError } from '../errors.js';
import { deleteOperation, putOperation } from '../protocol/requests.js';
import type { RequestOp } from '../protocol/messages.js';

/** A row of a log: a key below the log's rows, and its bytes. */
export interface Row {
  readonly key: string;
  readonly value: Buffer;
}

/** A change of a row; without a value it is deleted. */
export interface RowChange {
  readonly key: string;
  readonly value: Buffer | undefined;
}

/** The largest row, in bytes: etcd refuses a request above 1.5 MiB, so a larger row could never be put. */
export const maxRowBytes = 1 << 20;
/** Operations of one transaction, of the 128 that etcd takes; the guarded head is one more. */
const operationLimit = 120;
/** Bytes of rows in one transaction; a single row may have more. */
const byteLimit = 1_000_000;

/** The last change of each key: etcd refuses a transaction that puts a key twice. */
export function mergeChanges(changes: readonly RowChange[]): readonly RowChange[] {
  const merged = new Map<string, RowChange>();
  for (const change of changes) merged.set(change.key, change);
  return merged.size === changes.length ? changes : [...merged.values()];
}

/** @throws EtcdError `too-large`, with the row. */
export function checkRows(changes: readonly RowChange[]): void {
  const large = changes.find((change) => bytesOf(change) > maxRowBytes);
  if (large === undefined) return;
  throw new EtcdError(
    'too-large',
    `etcd log: row ${large.key} has ${bytesOf(large)} bytes with its key, the limit is ${maxRowBytes}`,
  );
}

/** Changes in groups that each fit one transaction. */
export function groupChanges(changes: readonly RowChange[]): readonly (readonly RowChange[])[] {
  const groups: RowChange[][] = [];
  let freeBytes = 0;
  for (const change of changes) {
    const group = groups.at(-1);
    const bytes = bytesOf(change);
    if (group === undefined || bytes > freeBytes || group.length === operationLimit) {
      groups.push([change]);
      freeBytes = byteLimit - bytes;
    } else {
      group.push(change);
      freeBytes -= bytes;
    }
  }
  return groups;
}

/** The operations of changes of rows whose keys begin with `prefix`. */
export function operationsOf(prefix: string, changes: readonly RowChange[]): RequestOp[] {
  return changes.map(({ key, value }) =>
    value === undefined ? deleteOperation({ key: prefix + key }) : putOperation(prefix + key, value),
  );
}

function bytesOf({ key, value }: RowChange): number {
  return Buffer.byteLength(key) + (value?.length ?? 0);
}
