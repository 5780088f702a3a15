import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import type { Event, KeyValue } from '../protocol/messages.js';
import { methods } from '../protocol/methods.js';
import type { KeyRange } from '../protocol/requests.js';
import { WatchCreateRequest, type WatchResponse } from '../protocol/messages.js';

/** State of a key after a revision. */
export interface KeyChange {
  readonly key: string;
  /** Absent when the key was deleted. */
  readonly value: Buffer | undefined;
  readonly createRevision: number;
  readonly modRevision: number;
  /** Number of writes since the key was created; 0 if it was deleted. */
  readonly version: number;
  readonly lease: bigint;
}

/** All changes of one revision in a range. Without changes, nothing has changed up to this revision. */
export interface Revision {
  readonly revision: number;
  readonly changes: readonly KeyChange[];
}

/**
 * Yields the revisions of a range from a given one on. Ends only when the signal aborts.
 *
 * @throws EtcdError `compacted` if that revision was compacted; `unknown` and `not-sent` if the stream broke.
 */
export async function* watchRange(
  transport: Transport,
  range: KeyRange,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<Revision> {
  const create = WatchCreateRequest.fromPartial({
    key: Buffer.from(range.key),
    rangeEnd: range.end ?? Buffer.alloc(0),
    startRevision: BigInt(from),
    fragment: true,
    progressNotify: true,
  });
  let gathered: Event[] = [];
  for await (const response of transport.stream(methods.watch, { createRequest: create }, { signal })) {
    refuseCancelled(response);
    gathered.push(...response.events);
    if (response.fragment) continue;
    yield* revisionsOf(gathered);
    gathered = [];
    // Progress: a watch without events has missed nothing. (`created` does not imply that.)
    const revision = Number(response.header?.revision ?? 0);
    if (response.events.length === 0 && !response.created && revision >= from)
      yield { revision, changes: [] };
  }
  if (!signal.aborted) throw new EtcdError('unknown', 'etcd: the watch has ended');
}

/** `created` comes before `canceled`, also for a watch that begins at a revision that is gone. */
function refuseCancelled({ canceled, compactRevision, cancelReason }: WatchResponse): void {
  if (compactRevision > 0n)
    throw new EtcdError('compacted', `etcd: the revisions before ${compactRevision} are gone`);
  if (canceled)
    throw new EtcdError(
      cancelReason.endsWith('permission denied') ? 'permission' : 'unknown',
      `etcd: the watch was cancelled: ${cancelReason}`,
    );
}

function* revisionsOf(events: readonly Event[]): Generator<Revision> {
  let changes: KeyChange[] = [];
  for (const { kv, type } of events) {
    if (kv === undefined) continue;
    const change = changeOf(kv, type === 1);
    const [previous] = changes;
    if (previous !== undefined && previous.modRevision !== change.modRevision) {
      yield { revision: previous.modRevision, changes };
      changes = [];
    }
    changes.push(change);
  }
  const [last] = changes;
  if (last !== undefined) yield { revision: last.modRevision, changes };
}

/** A key and its value, as returned by a range or a watch. */
export function changeOf(kv: KeyValue, isDeletion = false): KeyChange {
  return {
    key: kv.key.toString(),
    value: isDeletion ? undefined : kv.value,
    createRevision: Number(kv.createRevision),
    modRevision: Number(kv.modRevision),
    version: isDeletion ? 0 : Number(kv.version),
    lease: kv.lease,
  };
}
