import type { Clock } from '../base/clock.js';
import { CloudError } from './cloud-error.js';
import type { CloudResponse } from './cloud-request.js';
import type { Send } from './transport.js';

/** How often, and how long apart, a failed operation is tried again. Delays are in seconds. */
export interface RetryPolicy {
  /** Tries after the first one; 0 for none. */
  readonly maxRetries: number;
  /** The base of the delays; below 0 there is no delay. */
  readonly retryDelay: number;
  /** No delay is longer; below 0 there is no such bound, and the deadline of the request is the only one. */
  readonly maxRetryDelay: number;
}

export interface RetryOptions {
  readonly send: Send;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly policy: RetryPolicy;
}

/** Responses that mean "later": timeouts, throttling and faults of the cloud itself. */
const retried: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Sends a request until it gets a final response, or the tries are used up. Implemented directly: packages for retries ignore
 * `Retry-After`, and use the system clock.
 */
export function createRetrySend({ send, clock, random, policy }: RetryOptions): Send {
  return async (request, signal) => {
    for (let retry = 1; ; retry += 1) {
      const outcome = await send(request, signal).catch(onlyUnreachable);
      const final = outcome instanceof CloudError ? outcome.status !== 0 : !retried.has(outcome.status);
      const delay =
        final || retry > policy.maxRetries ? null : retryDelay(policy, retry, outcome, clock, random);
      if (delay === null || signal.aborted) {
        if (outcome instanceof CloudError) throw outcome;
        return outcome;
      }
      await pause(clock, delay * 1_000, signal);
    }
  };
}

function onlyUnreachable(error: unknown): CloudError {
  if (error instanceof CloudError && error.code === 'unreachable') return error;
  throw error;
}

/**
 * Seconds before retry `retry` (from 1): the base times 2^retry − 1, times 0.8 to 1.3 so that many clients do not come back
 * together, at most the maximum. The cloud's Retry-After takes precedence; null if that is more than the maximum.
 */
export function retryDelay(
  policy: RetryPolicy,
  retry: number,
  outcome: CloudResponse | CloudError,
  clock: Clock,
  random: () => number,
): number | null {
  const max = policy.maxRetryDelay < 0 ? Number.POSITIVE_INFINITY : policy.maxRetryDelay;
  const requestedDelay =
    outcome instanceof CloudError ? null : readRetryAfter(outcome.retryAfter, clock.now());
  if (requestedDelay !== null) return requestedDelay <= max ? requestedDelay : null;
  const spread = 0.8 + random() * 0.5;
  return Math.min(Math.max(policy.retryDelay, 0) * (2 ** Math.min(retry, 30) - 1) * spread, max);
}

/** `Retry-After` as seconds: a number of them, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1_000);
}

/** Longest time that a timer of Node can be set to; a longer one would fire at once. */
const maxTimerMs = 2_147_483_647;

/** Resolves after the time has passed; rejects at once when the caller has left. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      cancel();
      reject(new CloudError('unreachable', 'the request was given up between two tries'));
    };
    const cancel = clock.after(Math.min(milliseconds, maxTimerMs), () => {
      signal.removeEventListener('abort', leave);
      resolve();
    });
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
}
