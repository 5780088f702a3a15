import type { Clock } from '../../src/base/clock.js';

/** A clock that is only moved manually. */
export interface FakeClock extends Clock {
  /** Moves the time and calls what became due, in order. */
  advance(milliseconds: number): void;
  /** Sets the clock on or back, as an operator does: what waits for a while waits as long as before. */
  jump(milliseconds: number): void;
  /** Resolves when a caller waits for exactly this long: then the time can be moved. */
  awaited(milliseconds: number): Promise<void>;
  /** Timers that have not fired. */
  readonly pending: number;
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  let elapsed = 0;
  const timers = new Set<{ readonly due: number; readonly length: number; readonly action: () => void }>();
  const watchers = new Set<{ readonly length: number; readonly found: () => void }>();
  return {
    now: () => now,
    elapsed: () => elapsed,
    after(length, action) {
      const timer = { due: elapsed + length, length, action };
      timers.add(timer);
      for (const watcher of watchers) {
        if (watcher.length === length && watchers.delete(watcher)) watcher.found();
      }
      return () => void timers.delete(timer);
    },
    advance(milliseconds) {
      now += milliseconds;
      elapsed += milliseconds;
      const due = [...timers].filter((timer) => timer.due <= elapsed).sort((a, b) => a.due - b.due);
      for (const timer of due) if (timers.delete(timer)) timer.action();
    },
    jump: (milliseconds) => void (now += milliseconds),
    awaited(length) {
      if ([...timers].some((timer) => timer.length === length)) return Promise.resolve();
      return new Promise((found) => watchers.add({ length, found }));
    },
    get pending() {
      return timers.size;
    },
  };
}
