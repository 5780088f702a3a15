import type { Log } from '@tamis/etcd';
import { sleep, untilNotified } from '@tamis/scheduler-model/base/backoff.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { electionTimeoutMs, noLeader, type Leadership } from './leadership.js';

/**
 * Resolves when this server holds everything that was acknowledged anywhere before the call, and there is a leader. A read that
 * comes after it misses nothing, on whichever server.
 *
 * @throws SchedulerError `no-leader` when that takes longer than an election may, `client-gone`
 */
export type ReadBarrier = (signal: AbortSignal) => Promise<void>;

export interface ReadBarrierOptions {
  readonly leadership: Pick<Leadership, 'require'>;
  /** The log that this server shares with others; null for a single server, which always has everything. */
  readonly log: Pick<Log, 'refresh'> | null;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
}

/** Milliseconds before a look at the log that failed is repeated. */
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

/** Whether a refresh that others wait for too is done in time. @throws SchedulerError `client-gone` */
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
