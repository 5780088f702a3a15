import { sleep } from '@tamis/http';
import type { Logger } from 'pino';
import { createBackoff } from '@tamis/scheduler-model/base/backoff.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { reasonOf, SchedulerError } from '@tamis/scheduler-model/base/errors.js';

/**
 * Repeats calls to servers, with increasing delays, until one succeeds. Null if the client closes first.
 *
 * @param what name of the call in the log.
 * @param failed called for each failure.
 * @throws SchedulerError `permission-denied`: the servers rejected the call, so retrying would not help.
 */
export type Retry = <R>(what: string, action: () => Promise<R>, failed?: () => void) => Promise<R | null>;

export interface RetryDependencies {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Aborted when the client closes. */
  readonly signal: AbortSignal;
}

/**
 * Delays before a failed attempt is retried, in ms. After an outage of the servers, a node must respond well within its heartbeat
 * TTL.
 */
const pauses = { min: 250, max: 4_000 } as const;

/** Interval for logging a persistent failure again, in ms. */
const reminderPause = 600_000;

/** Delay before a rejected call is tried differently, in ms. */
export const refusalPause = pauses.min;

export function createRetry({ clock, logger, random, signal }: RetryDependencies): Retry {
  return async (what, action, failed = () => undefined) => {
    const backoff = createBackoff({ ...pauses, random });
    let failedAt = 0;
    let lastReport = { reason: '', at: 0 };
    for (let failures = 0; !signal.aborted; failures += 1) {
      // The response may arrive long after the call has reached a server.
      const began = clock.elapsed();
      try {
        const result = await action();
        if (failures > 0) logger.info({ seconds: (began - failedAt) / 1_000 }, `${what} works again`);
        return result;
      } catch (error) {
        if (signal.aborted) return null;
        if (error instanceof SchedulerError && error.code === 'permission-denied') throw error;
        failed();
        if (failures === 0) failedAt = clock.elapsed();
        // Logs the first failure and each new reason only; servers may be away for hours.
        const reason = withCause(error);
        const isNews = reason !== lastReport.reason || clock.elapsed() - lastReport.at >= reminderPause;
        if (isNews) lastReport = { reason, at: clock.elapsed() };
        logger[isNews ? 'warn' : 'debug']({ reason }, `${what} failed, trying again`);
        await sleep(clock, backoff.next(), signal);
      }
    }
    return null;
  };
}

/** Timeout for responses that a server can send at once, in ms. */
const responseTimeoutMs = 10_000;

/** Rejects if there is no response in time: a server that lost power does not close its connections. */
export function inTime<R>(clock: Pick<Clock, 'after'>, response: Promise<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(responseTimeoutMs, () => reject(new Error('timed out')));
    response.then(resolve, reject).finally(cancel);
  });
}

/** Returns the message of an error and its cause. */
function withCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${reasonOf(error)}: ${cause.message}` : reasonOf(error);
}
