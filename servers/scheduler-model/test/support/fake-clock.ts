import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/** A clock that is only moved manually. */
export interface FakeClock extends Clock {
  /** Moves the time and calls what became due, in order. */
  advance(milliseconds: number): void;
  /** Calls what was put off with `soon`; returns how many there were. */
  runSoon(): number;
  /** Timers that have not fired. */
  readonly pending: number;
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  const timers = new Set<{ readonly due: number; readonly action: () => void }>();
  let later: (() => void)[] = [];
  return {
    now: () => now,
    after(milliseconds, action) {
      const timer = { due: now + milliseconds, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    defer: (action) => void later.push(action),
    advance(milliseconds) {
      now += milliseconds;
      const due = [...timers].filter((timer) => timer.due <= now).sort((a, b) => a.due - b.due);
      for (const timer of due) if (timers.delete(timer)) timer.action();
    },
    runSoon() {
      const actions = later;
      later = [];
      for (const action of actions) action();
      return actions.length;
    },
    get pending() {
      return timers.size;
    },
  };
}
