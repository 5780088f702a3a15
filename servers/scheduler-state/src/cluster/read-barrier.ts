import { sleep } from '@tamis/http';
import type { Log } from '@tamis/etcd';
import { untilNotified } from '@tamis/scheduler-model/base/backoff.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { electionTimeoutMs, noLeader, type Leadership } from './leadership.js';

/**
 * Resolves when there is a leader and this server has everything that any server acknowledged before the call. Later reads on
 * this server then miss nothing.
 *
 * @throws SchedulerError `no-leader` if this takes longer than an election may, `client-gone`
 */
export type ReadBarrier = (signal: AbortSignal) => Promise<void>;

export interface ReadBarrierOptions {
  readonly leadership: Pick<Leadership, 'require'>;
  /** The log that servers share; null for a single server, which always has everything. */
  readonly log: Pick<Log, 'refresh'> | null;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
}

/** Delay before a failed refresh of the log is retried, in ms. */
const retryDelay = 50;

export function createReadBarrier({ leadership, log, clock }: ReadBarrierOptions): ReadBarrier {
  if (log === null) return async (signal) => void (await leadership.require(signal));
  return async (signal) => {
    const end = clock.elapsed() + electionTimeoutMs;
    for (let left = electionTimeoutMs; left > 0; left = end - clock.elapsed()) {
      await leadership.require(signal, left);
      if (await inTime(log.refresh(), end - clock.elapsed(), signal, clock)) return;
      await sleep(clock, Math.max(0, Math.min(retryDelay, end - clock.elapsed())), signal);
    }
    throw noLeader();
  };
}

/** Resolves to whether a shared refresh completes in time. @throws SchedulerError `client-gone` */
function inTime(
  refresh: Promise<void>,
  milliseconds: number,
  signal: AbortSignal,
  clock: Pick<Clock, 'after'>,
): Promise<boolean> {
  return untilNotified(signal, ({ resolve }) => {
    refresh.then(
      () => resolve(true),
      () => resolve(false),
    );
    return clock.after(milliseconds, () => resolve(false));
  });
}
