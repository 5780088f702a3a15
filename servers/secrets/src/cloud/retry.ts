import { sleep } from '@tamis/http';
import type { Clock } from '../base/clock.js';
import { CloudError } from './cloud-error.js';
import type { CloudResponse } from './cloud-request.js';
import type { Send } from './transport.js';

/** Number and delays of retries of a failed request. Delays are in seconds. */
export interface RetryPolicy {
  /** Maximum number of retries; 0 for none. */
  readonly maxRetries: number;
  /** Base of the delays; no delay if negative. */
  readonly retryDelay: number;
  /** Maximum delay; no limit except the timeout of the request if negative. */
  readonly maxRetryDelay: number;
}

export interface RetryOptions {
  readonly send: Send;
  readonly clock: Clock;
  /** Returns a random number, uniform in [0, 1). */
  readonly random: () => number;
  readonly policy: RetryPolicy;
}

/** Statuses that are retried: timeouts, throttling and errors of the cloud itself. */
const retried: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Returns a function that sends a request until it gets a final response, or the retries are used up. Implemented directly:
 * packages for retries ignore `Retry-After`, and use the system clock.
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
 * Returns the delay before the retry with this number (from 1), in seconds. It is the base times 2^retry − 1, times a random
 * factor of 0.8 to 1.3 so that clients do not retry together, but at most the maximum. `Retry-After` takes precedence; null if it
 * exceeds the maximum.
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

/** Returns `Retry-After` in seconds. The header is a number or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1_000);
}

/** Resolves after the delay; rejects immediately when the signal aborts. */
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(clock, milliseconds, signal);
  if (signal.aborted) throw new CloudError('unreachable', 'the request was given up between two tries');
}
