import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/** Watches the wall clock of this machine for steps: an operator sets it, or the machine was suspended. */
export interface ClockSteps {
  /** Describes the last step of the last hour; empty if there was none. */
  describe(): string;
  close(): void;
}

/** Milliseconds between two looks. Between them, a clock that is adjusted gradually moves by a few milliseconds. */
const interval = 10_000;
/** Smallest difference from the monotonic clock that is a step, in ms. */
const minStepMs = 1_000;
/** Milliseconds for which a step is reported. */
const reportMs = 3_600_000;

/** @param noted called with the milliseconds of each step; negative if the clock was set back */
export function watchClockSteps(
  clock: Pick<Clock, 'now' | 'elapsed' | 'after'>,
  noted: (milliseconds: number) => void,
): ClockSteps {
  let offset = clock.now() - clock.elapsed();
  let last = { step: 0, at: -Infinity };
  let cancel = clock.after(interval, look);

  function check(): void {
    const current = clock.now() - clock.elapsed();
    const step = current - offset;
    offset = current;
    if (Math.abs(step) < minStepMs) return;
    last = { step, at: clock.elapsed() };
    noted(step);
  }

  function look(): void {
    check();
    cancel = clock.after(interval, look);
  }

  return {
    describe() {
      check();
      if (clock.elapsed() - last.at > reportMs) return '';
      const seconds = (Math.abs(last.step) / 1_000).toFixed(1);
      return `the clock of this server was set ${last.step > 0 ? 'forward' : 'back'} by ${seconds} s`;
    },
    close: () => cancel(),
  };
}
