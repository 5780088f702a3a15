import { createListeners, sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { methods } from '../protocol/methods.js';
import { LeaseGrantRequest } from '../protocol/messages.js';

/** Delay before a failed call is retried, in ms. */
const retryDelay = 100;

/** A lease that its holder may still rely on. */
export interface CurrentLease {
  readonly id: bigint;
}

/**
 * A lease that is renewed, and replaced when it is lost. It counts as lost as soon as it may have ended: when its TTL has passed
 * since the last renewal was **sent**, by a monotonic clock. etcd counts from the receipt of that renewal, so it does not end the
 * lease earlier.
 */
export type LeaseRenewer = ReturnType<typeof renewLease>;

export interface LeaseDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  /** TTL in seconds, at least 2: etcd grants no shorter one. */
  readonly ttl: number;
}

interface Tenure {
  readonly id: bigint;
  readonly end: AbortController;
  lapsesAt: number;
}

export function renewLease({ transport, clock, ttl }: LeaseDependencies) {
  if (!Number.isInteger(ttl) || ttl < 2)
    throw new EtcdError('configuration', `etcd lease: ${ttl} seconds: a whole number from 2 on is needed`);
  const closing = new AbortController();
  const { subscribe, notify } = createListeners();
  let tenure: Tenure | undefined;
  const running = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const granted = await grant();
      if (granted === undefined) continue;
      tenure = granted;
      notify();
      await renewUntilLost(granted);
      granted.end.abort();
      tenure = undefined;
      notify();
      await revoke(granted.id);
    }
  }

  async function grant(): Promise<Tenure | undefined> {
    const sentAt = clock.now();
    try {
      const request = LeaseGrantRequest.fromPartial({ TTL: BigInt(ttl) });
      const granted = await transport.call(methods.leaseGrant, request, { timeout: ttl * 1_000 });
      return { id: granted.ID, end: new AbortController(), lapsesAt: sentAt + Number(granted.TTL) * 1_000 };
    } catch {
      // Whatever the error, a server without a lease does not lead, and keeps retrying.
      await sleep(clock, retryDelay, closing.signal);
      return undefined;
    }
  }

  /** Renews every quarter of the time, until the lease has ended, may have ended or is given up. */
  async function renewUntilLost(own: Tenure): Promise<void> {
    const quarter = (ttl * 1_000) / 4;
    let delay = quarter;
    while (!own.end.signal.aborted && clock.now() < own.lapsesAt) {
      await sleep(clock, Math.min(delay, own.lapsesAt - clock.now()), own.end.signal);
      const sentAt = clock.now();
      if (own.end.signal.aborted || sentAt >= own.lapsesAt) return;
      const left = await renew(own, Math.min(quarter, own.lapsesAt - sentAt));
      if (left === 0) return;
      if (left !== undefined && clock.now() < own.lapsesAt) own.lapsesAt = sentAt + left * 1_000;
      delay = left === undefined ? retryDelay : Math.max(quarter - (clock.now() - sentAt), 0);
    }
  }

  /** Returns the remaining seconds of the lease, 0 if it has expired; undefined without a response in time. */
  async function renew({ id, end }: Tenure, timeout: number): Promise<number | undefined> {
    const late = new AbortController();
    const awaitRenewal = async (): Promise<number | undefined> => {
      const responses = transport.stream(methods.leaseKeepAlive, { ID: id }, { signal: late.signal });
      for await (const { TTL } of responses) return Number(TTL);
      return undefined;
    };
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    end.signal.addEventListener('abort', stop);
    try {
      return await Promise.race([
        awaitRenewal().catch(() => undefined),
        sleep(clock, timeout, waiting.signal).then(() => undefined),
      ]);
    } finally {
      end.signal.removeEventListener('abort', stop);
      waiting.abort();
      late.abort();
    }
  }

  /** Until there is a response: keys of an abandoned lease must not remain, and it may still be alive. */
  async function revoke(id: bigint): Promise<void> {
    for (;;) {
      try {
        await transport.call(methods.leaseRevoke, { ID: id }, { timeout: ttl * 1_000 });
        return;
      } catch (error) {
        if (error instanceof EtcdError && (error.code === 'lease-not-found' || error.code === 'closed'))
          return;
        if (closing.signal.aborted) return;
        await sleep(clock, retryDelay, closing.signal);
      }
    }
  }

  return {
    /**
     * Returns the lease; undefined if it may have ended. Each call checks the clock, so that a suspended process notices before it
     * acts.
     */
    current: (): CurrentLease | undefined =>
      tenure !== undefined && !tenure.end.signal.aborted && clock.now() < tenure.lapsesAt
        ? tenure
        : undefined,
    /** Calls `listener` when a lease is held, and when it is lost. */
    subscribe,
    /** Gives up the lease, revokes it and requests a new one. */
    abandon: () => tenure?.end.abort(),
    /** Stops, and resolves when the lease has been revoked or cannot be within `timeoutMs`. */
    async close(timeoutMs: number = 1_000): Promise<void> {
      closing.abort();
      tenure?.end.abort();
      await Promise.race([running, sleep(clock, timeoutMs)]);
    },
  };
}
