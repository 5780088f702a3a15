import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/** A clock that is only moved manually. */
export interface FakeClock extends Clock {
  /** Moves the time and calls what became due, in order. */
  advance(milliseconds: number): void;
  /** Sets the wall clock forward or back, as an operator or a suspended machine does; timers do not notice. */
  step(milliseconds: number): void;
  /** Calls what was put off with `soon`; returns how many there were. */
  runSoon(): number;
  /** Timers that have not fired. */
  readonly pending: number;
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let elapsed = 0;
  let origin = start;
  const timers = new Set<{ readonly due: number; readonly action: () => void }>();
  let later: (() => void)[] = [];
  return {
    now: () => origin + elapsed,
    elapsed: () => elapsed,
    after(milliseconds, action) {
      const timer = { due: elapsed + milliseconds, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    defer: (action) => void later.push(action),
    advance(milliseconds) {
      elapsed += milliseconds;
      const due = [...timers].filter((timer) => timer.due <= elapsed).sort((a, b) => a.due - b.due);
      for (const timer of due) if (timers.delete(timer)) timer.action();
    },
    step: (milliseconds) => void (origin += milliseconds),
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
