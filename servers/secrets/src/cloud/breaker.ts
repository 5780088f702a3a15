import type { Clock } from '../base/clock.js';
import { CloudError } from './cloud-error.js';

export interface BreakerOptions {
  readonly clock: Clock;
  /** Consecutive failures after which no request is sent for a while. Prevents logins from hammering an issuer that is down. */
  readonly threshold?: number;
  /** Milliseconds of the first rest; each further failure doubles it. */
  readonly firstRest?: number;
  /** Longest rest in milliseconds. */
  readonly maxRestMs?: number;
}

/**
 * Runs operations on one service, and refuses at once while the service is known to be down. By hand: packages for this
 * go by the clock of the system, which tests could not move.
 */
export type Breaker = <Value>(run: () => Promise<Value>) => Promise<Value>;

export function createBreaker({
  clock,
  threshold = 5,
  firstRest = 1_000,
  maxRestMs = 30_000,
}: BreakerOptions): Breaker {
  let failures = 0;
  let rest = 0;
  let restsSince = 0;
  return async (run) => {
    // A clock that was set back must not make the rest longer than it is.
    if (Math.abs(clock.now() - restsSince) < rest)
      throw new CloudError('unreachable', 'the issuer is not queried for a while after failures');
    try {
      const value = await run();
      failures = 0;
      rest = 0;
      return value;
    } catch (error) {
      failures += 1;
      const beyond = failures - threshold;
      if (beyond >= 0) rest = Math.min(firstRest * 2 ** Math.min(beyond, 20), maxRestMs);
      restsSince = clock.now();
      throw error;
    }
  };
}
