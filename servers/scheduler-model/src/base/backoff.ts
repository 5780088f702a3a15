import type { Clock } from './clock.js';
import { clientDisconnected } from './errors.js';

/**
 * Pauses between attempts: twice as long after each failure, up to the most, and each shortened by up to half, so that
 * those who lost the same server do not come back together. By hand: the libraries for it wait by timers of their own,
 * and tests move a clock.
 */
export interface Backoff {
  /** Milliseconds before the next attempt. */
  next(): number;
  /** Begins with the least again: an attempt has worked. */
  reset(): void;
}

export interface BackoffOptions {
  /** Milliseconds. */
  readonly min: number;
  readonly max: number;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
}

export function createBackoff({ min, max, random }: BackoffOptions): Backoff {
  let pause = min;
  return {
    next() {
      const current = pause;
      pause = Math.min(pause * 2, max);
      return current * (0.5 + random() / 2);
    },
    reset: () => void (pause = min),
  };
}

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export function sleep(clock: Pick<Clock, 'after'>, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
}

/** The two ends of what is waited for. */
interface Outcome<R> {
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Waits until the callback that `begin` registers is called; the function that `begin` returns unregisters it, however the wait
 * ends.
 *
 * @throws SchedulerError `client-gone` when the signal is aborted before.
 */
export function untilNotified<R>(signal: AbortSignal, begin: (outcome: Outcome<R>) => () => void): Promise<R> {
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
