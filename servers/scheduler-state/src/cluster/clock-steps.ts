import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/** Interval between checks, in ms. A gradual adjustment of the clock changes it by only a few ms in this time. */
const interval = 10_000;
/** Minimum difference from the monotonic clock that counts as a step, in ms. */
const minStepMs = 1_000;
/** Duration for which a step is reported, in ms. */
const reportMs = 3_600_000;

/**
 * Watches the clock.
 *
 * @param noted called with the size of each step in ms; negative if the clock was set back
 */
export function watchClockSteps(
  clock: Pick<Clock, 'now' | 'elapsed' | 'after'>,
  noted: (milliseconds: number) => void,
) {
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
    /** Describes the last step within an hour; empty if there was none. */
    describe(): string {
      check();
      if (clock.elapsed() - last.at > reportMs) return '';
      const seconds = (Math.abs(last.step) / 1_000).toFixed(1);
      return `the clock of this server was set ${last.step > 0 ? 'forward' : 'back'} by ${seconds} s`;
    },
    close: () => cancel(),
  };
}
