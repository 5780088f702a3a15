import type { Clock } from '../base/clock.js';
import { CloudError } from './cloud-error.js';

export interface BreakerOptions {
  readonly clock: Clock;
  /**
   * Number of consecutive failures after which no request is sent for a while. Prevents logins from flooding an issuer that is
   * down.
   */
  readonly threshold?: number;
  /** First pause, in ms; each further failure doubles it. */
  readonly firstRest?: number;
  /** Maximum pause, in ms. */
  readonly maxRestMs?: number;
}

/**
 * Runs operations on one service. After repeated failures it refuses immediately for a while. Implemented directly, because
 * packages use the system clock, which tests cannot replace.
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
    // The absolute value prevents a clock that was set back from prolonging the pause.
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
