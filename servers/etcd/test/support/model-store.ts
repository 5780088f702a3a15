import type { Event, KeyValue } from '../../src/protocol/messages.js';
import {
  type RangeResponse,
  TxnResponse,
  type Compare,
  type RangeRequest,
  type RequestOp,
  type ResponseHeader,
  type ResponseOp,
  type TxnRequest,
} from '../../src/protocol/messages.js';
import { EtcdError } from '../../src/index.js';

/** The keys of a model of etcd, with all revisions: slow, plain, and by etcd's own rules. */
export interface ModelStore {
  header(): ResponseHeader;
  range(request: RangeRequest): RangeResponse;
  txn(request: TxnRequest): TxnResponse;
  /** Deletes every key of a lease that has ended. */
  endLease(lease: bigint): void;
  compact(revision: bigint): void;
  compacted(): bigint;
  /** The events of a range from a revision on, a list for each revision. */
  history(key: Buffer, end: Buffer, from: bigint): Event[][];
  /** Calls `listener` after every new revision. */
  subscribe(listener: () => void): () => void;
  /** A copy that goes its own ways, as a cluster that was restored from a snapshot. */
  fork(): ModelStore;
  isFull: boolean;
}

export function createModelStore(revisions: readonly Event[][] = []): ModelStore {
  const log: Event[][] = [...revisions];
  const listeners = new Set<() => void>();
  let compactedTo = 0n;

  const header = (): ResponseHeader => ({
    clusterId: 1n,
    memberId: 1n,
    revision: BigInt(log.length + 1),
    raftTerm: 1n,
  });

  function stateAt(revision: bigint): Map<string, KeyValue> {
    const state = new Map<string, KeyValue>();
    for (const { kv, type } of log.slice(0, Number(revision) - 1).flat()) {
      if (type === 1) state.delete(kv!.key.toString('latin1'));
      else state.set(kv!.key.toString('latin1'), kv!);
    }
    return state;
  }

  function keysIn(state: Map<string, KeyValue>, key: Buffer, end: Buffer): KeyValue[] {
    return [...state.values()]
      .filter((kv) => isIn(kv.key, key, end))
      .sort((a, b) => Buffer.compare(a.key, b.key));
  }

  function range({ key, rangeEnd, revision, limit, keysOnly }: RangeRequest): RangeResponse {
    const { revision: latest } = header();
    if (revision > latest) throw new EtcdError('future-revision', 'model: a future revision');
    if (revision > 0n && revision < compactedTo) throw new EtcdError('compacted', 'model: compacted');
    const found = keysIn(stateAt(revision > 0n ? revision : latest), key, rangeEnd);
    const retained = limit > 0n ? found.slice(0, Number(limit)) : found;
    return {
      header: header(),
      kvs: keysOnly ? retained.map((kv) => ({ ...kv, value: Buffer.alloc(0) })) : retained,
      more: retained.length < found.length,
      count: BigInt(found.length),
    };
  }

  function matches(state: Map<string, KeyValue>, { key, createRevision, value }: Compare): boolean {
    const kv = state.get(key.toString('latin1'));
    if (createRevision !== undefined) return (kv?.createRevision ?? 0n) === createRevision;
    return value !== undefined && kv?.value.equals(value) === true;
  }

  function append(events: Event[]): void {
    if (events.length === 0) return;
    log.push(events);
    for (const listener of [...listeners]) listener();
  }

  function txn({ compare, success, failure }: TxnRequest): TxnResponse {
    const state = stateAt(header().revision);
    const succeeded = compare.every((one) => matches(state, one));
    const operations = succeeded ? success : failure;
    if ([...success, ...failure].some(({ requestPut }) => requestPut !== undefined) && store.isFull)
      throw new EtcdError('no-space', 'model: no space');
    const revision = header().revision + 1n;
    const events: Event[] = [];
    const responses = operations.map((operation) => apply(operation, state, revision, events));
    const puts = events.filter(({ type }) => type === 0).map(({ kv }) => kv!.key.toString('latin1'));
    if (new Set(puts).size !== puts.length) throw new EtcdError('refused', 'model: duplicate key');
    append(events);
    return TxnResponse.fromPartial({ header: header(), succeeded, responses });
  }

  function apply(
    operation: RequestOp,
    state: Map<string, KeyValue>,
    revision: bigint,
    events: Event[],
  ): ResponseOp {
    const { requestPut: put, requestDeleteRange: gone, requestRange } = operation;
    if (put !== undefined) {
      const before = state.get(put.key.toString('latin1'));
      const kv: KeyValue = {
        ...{ key: put.key, value: put.value, lease: put.lease, modRevision: revision },
        createRevision: before?.createRevision ?? revision,
        version: (before?.version ?? 0n) + 1n,
      };
      events.push({ type: 0, kv, prevKv: undefined });
      return { responsePut: { header: undefined, prevKv: undefined } };
    }
    if (gone !== undefined) {
      const found = keysIn(state, gone.key, gone.rangeEnd);
      for (const kv of found) events.push(deletion(kv, revision));
      return { responseDeleteRange: { header: undefined, deleted: BigInt(found.length), prevKvs: [] } };
    }
    return requestRange === undefined ? {} : { responseRange: range(requestRange) };
  }

  const store: ModelStore = {
    header,
    range,
    txn,
    endLease(lease) {
      const pending = [...stateAt(header().revision).values()].filter((kv) => kv.lease === lease);
      append(pending.map((kv) => deletion(kv, header().revision + 1n)));
    },
    compact: (revision) => (compactedTo = revision),
    compacted: () => compactedTo,
    history: (key, end, from) =>
      log
        .slice(Math.max(Number(from) - 2, 0))
        .map((events) => events.filter(({ kv }) => isIn(kv!.key, key, end)))
        .filter((events) => events.length > 0),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    fork: () => createModelStore(log),
    isFull: false,
  };
  return store;
}

function deletion(kv: KeyValue, revision: bigint): Event {
  const gone = {
    ...kv,
    value: Buffer.alloc(0),
    createRevision: 0n,
    version: 0n,
    lease: 0n,
    modRevision: revision,
  };
  return { type: 1, kv: gone, prevKv: undefined };
}

function isIn(key: Buffer, from: Buffer, end: Buffer): boolean {
  return end.length === 0 ? key.equals(from) : Buffer.compare(key, from) >= 0 && Buffer.compare(key, end) < 0;
}
