import { clientDisconnected } from './errors.js';

/**
 * Delays between attempts: doubled after each failure up to the maximum, then shortened by up to half. Prevents clients that lost
 * the same server from reconnecting together. Implemented here because libraries use timers of their own, and tests control the
 * clock.
 */
export type Backoff = ReturnType<typeof createBackoff>;

export interface BackoffOptions {
  /** Minimum delay, in ms. */
  readonly min: number;
  readonly max: number;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
}

export function createBackoff({ min, max, random }: BackoffOptions) {
  let pause = min;
  return {
    /** Returns the delay before the next attempt, in ms. */
    next(): number {
      const current = pause;
      pause = Math.min(pause * 2, max);
      return current * (0.5 + random() / 2);
    },
    /** Resets the delay to the minimum after a successful attempt. */
    reset: (): void => void (pause = min),
  };
}

/** The resolve and reject functions of a pending wait. */
interface Outcome<R> {
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Waits until the callback registered by `begin` is called. The function that `begin` returns unregisters it, whatever the
 * outcome.
 *
 * @throws SchedulerError `client-gone` if the signal is aborted first.
 */
export function untilNotified<R>(
  signal: AbortSignal,
  begin: (outcome: Outcome<R>) => () => void,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const end =
      <V>(notify: (value: V) => void) =>
      (value: V): void => {
        undo();
        signal.removeEventListener('abort', leave);
        notify(value);
      };
    const leave = (): void => end(reject)(clientDisconnected());
    const undo = begin({ resolve: end(resolve), reject: end(reject) });
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });
}
