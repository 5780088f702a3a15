import type { Clock } from './clock.js';

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
  readonly least: number;
  readonly most: number;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
}

export function createBackoff({ least, most, random }: BackoffOptions): Backoff {
  let pause = least;
  return {
    next() {
      const current = pause;
      pause = Math.min(pause * 2, most);
      return current * (0.5 + random() / 2);
    },
    reset: () => void (pause = least),
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
