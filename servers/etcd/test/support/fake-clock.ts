import type { Clock } from '../../src/clock.js';

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** A clock that a test moves by hand. */
export interface FakeClock extends Clock {
  /** Goes on by `milliseconds`, timer by timer, and lets what each one starts run as far as it comes. */
  advance(milliseconds: number): Promise<void>;
  /** Goes on without a timer, as for a process that was stopped. */
  jump(milliseconds: number): void;
}

export function createFakeClock(): FakeClock {
  let now = 1_000;
  const timers = new Set<Timer>();

  function nextUntil(end: number): Timer | undefined {
    const due = [...timers].filter(({ at }) => at <= end);
    return due.reduce<Timer | undefined>(
      (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
      undefined,
    );
  }

  return {
    now: () => now,
    after(milliseconds, action) {
      const timer = { at: now + Math.max(milliseconds, 0), action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      await settled();
      for (let next = nextUntil(end); next !== undefined; next = nextUntil(end)) {
        timers.delete(next);
        now = next.at;
        next.action();
        await settled();
      }
      now = end;
    },
    jump: (milliseconds) => void (now += milliseconds),
  };
}

/** Lets everything run that needs no more than turns of the event loop. */
export async function settled(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
}
