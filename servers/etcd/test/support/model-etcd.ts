import type { Clock } from '../../src/clock.js';
import { defaultTimeout } from '../../src/connection/session.js';
import type { CallOptions, StreamOptions, Transport } from '../../src/connection/transport.js';
import { EtcdError } from '../../src/index.js';
import { methods, type Method } from '../../src/protocol/methods.js';
import {
  LeaseGrantResponse,
  LeaseKeepAliveResponse,
  WatchResponse,
  type RangeRequest,
  type TxnRequest,
  type WatchRequest,
} from '../../src/protocol/messages.js';
import type { ModelStore } from './model-store.js';

/**
 * What becomes of a call:
 *
 * - `lost`: it is not done, and no response comes, which the caller learns at once
 * - `silent`: the same, and the caller hears nothing for as long as it waits
 * - `unanswered`: it is done, and no response comes
 * - `late`: no response comes, and it is done when `deliver` is called
 * - `fills`: it is done, uses up the last of the space, and returns that there is no space
 */
export type Fault = 'none' | 'not-sent' | 'lost' | 'silent' | 'unanswered' | 'late' | 'fills';

/** A model of a cluster, with leases by a clock and faults where a test wants them. */
export interface ModelEtcd extends Transport {
  store: ModelStore;
  /** Called before every call that is not a stream. */
  fault: (method: string, request: unknown) => Fault;
  /** Whether renewals of leases get a response. */
  respondsToRenewals: boolean;
  /** Does the calls that are late, in the order that `order` gives them. */
  deliver(order?: (calls: (() => void)[]) => (() => void)[]): void;
  /** Ends all streams, as a member does that goes away. */
  breakStreams(): void;
}

interface Lease {
  readonly ttl: bigint;
  cancel: () => void;
}

export function createModelEtcd(initial: ModelStore, clock: Clock): ModelEtcd {
  const leases = new Map<bigint, Lease>();
  let lastLease = 100n;
  let late: (() => void)[] = [];
  let breakAll = new AbortController();

  function retain(id: bigint, ttl: bigint): void {
    leases.get(id)?.cancel();
    leases.set(id, { ttl, cancel: clock.after(Number(ttl) * 1_000, () => end(id)) });
  }

  function end(id: bigint): void {
    leases.get(id)?.cancel();
    if (!leases.delete(id)) throw new EtcdError('lease-not-found', 'model: no such lease');
    model.store.endLease(id);
  }

  function txn(request: TxnRequest): unknown {
    const unknown = request.success.find(
      ({ requestPut }) => (requestPut?.lease ?? 0n) !== 0n && !leases.has(requestPut!.lease),
    );
    if (unknown !== undefined) throw new EtcdError('lease-not-found', 'model: no such lease');
    return model.store.txn(request);
  }

  const handlers: Readonly<Record<string, (request: never) => unknown>> = {
    [methods.range.path]: (request: RangeRequest) => model.store.range(request),
    [methods.txn.path]: txn,
    [methods.compact.path]: ({ revision }: { revision: bigint }) => {
      model.store.compact(revision);
      return { header: model.store.header() };
    },
    [methods.leaseGrant.path]: ({ TTL }: { TTL: bigint }) => {
      lastLease += 1n;
      retain(lastLease, TTL);
      return LeaseGrantResponse.fromPartial({ ID: lastLease, TTL, header: model.store.header() });
    },
    [methods.leaseRevoke.path]: ({ ID }: { ID: bigint }) => {
      end(ID);
      return { header: model.store.header() };
    },
  };

  async function* watch({ createRequest }: WatchRequest, signal: AbortSignal): AsyncGenerator<unknown> {
    const { key, rangeEnd, startRevision } = createRequest!;
    const created = { header: model.store.header(), created: true };
    yield WatchResponse.fromPartial(created);
    if (startRevision < model.store.compacted())
      return yield WatchResponse.fromPartial({ canceled: true, compactRevision: model.store.compacted() });
    let next = startRevision;
    while (!signal.aborted) {
      const revisions = model.store.history(key, rangeEnd, next);
      next = next > model.store.header().revision ? next : model.store.header().revision + 1n;
      for (const [n, events] of revisions.entries()) {
        const half = Math.ceil(events.length / 2);
        const header = model.store.header();
        // In fragments, as large responses come.
        yield WatchResponse.fromPartial({ header, events: events.slice(0, half), fragment: true });
        yield WatchResponse.fromPartial({
          header,
          events: events.slice(half),
          fragment: n % 2 === 0 && n + 1 < revisions.length,
        });
      }
      if (revisions.length === 0) await news(signal);
    }
  }

  function news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stop = model.store.subscribe(() => done());
      const done = (): void => {
        stop();
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done);
    });
  }

  function renew(id: bigint): unknown {
    const lease = leases.get(id);
    if (lease !== undefined) retain(id, lease.ttl);
    return LeaseKeepAliveResponse.fromPartial({ ID: id, TTL: lease?.ttl ?? 0n });
  }

  const model: ModelEtcd = {
    store: initial,
    fault: () => 'none',
    respondsToRenewals: true,
    deliver(order = (calls) => calls) {
      const calls = order(late);
      late = [];
      for (const call of calls) call();
    },
    breakStreams() {
      breakAll.abort();
      breakAll = new AbortController();
    },
    async call<Request, Response>(
      method: Method<Request, Response>,
      request: Request,
      { timeout = defaultTimeout }: CallOptions = {},
    ) {
      const handle = handlers[method.path] as (request: Request) => Response;
      const fault = model.fault(method.path, request);
      await Promise.resolve();
      if (fault === 'none') return handle(request);
      if (fault === 'not-sent') throw new EtcdError('not-sent', 'model: not sent');
      if (fault === 'unanswered') attempt(() => handle(request));
      if (fault === 'fills') {
        handle(request);
        model.store.isFull = true;
        throw new EtcdError('no-space', 'model: no space');
      }
      if (fault === 'late') late.push(() => attempt(() => handle(request)));
      if (fault === 'silent') await new Promise<void>((resolve) => void clock.after(timeout, resolve));
      throw new EtcdError('unknown', 'model: no answer');
    },
    async *stream<Request, Response>(
      method: Method<Request, Response>,
      request: Request,
      options: StreamOptions = {},
    ) {
      const broken = breakAll.signal;
      const signal = AbortSignal.any([broken, ...(options.signal === undefined ? [] : [options.signal])]);
      if (method.path === methods.watch.path)
        yield* watch(request as WatchRequest, signal) as AsyncGenerator<Response>;
      else if (model.respondsToRenewals) yield renew((request as { ID: bigint }).ID) as Response;
      if (broken.aborted && options.signal?.aborted !== true)
        throw new EtcdError('unknown', 'model: the stream broke');
    },
  };
  return model;
}

/** A call without other effects, so that it may fail too. */
function attempt(call: () => unknown): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
  }
}
