import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/**
 * Maximum interval between checks of the wall clock, in ms. Limits how late a timer fires after the clock was set forward or the
 * machine was suspended.
 */
const maxCheckMs = 5_000;

/** Minimum backward step of the wall clock that counts as setting it back, in ms. Gradual corrections are smaller. */
const minStepMs = 1_000;

/**
 * Creates a timer.
 *
 * @param ring called once after each `set`: at that time, or when the clock was set back. It must check the clock and set the
 * timer again.
 */
export function createDeadlineTimer(
  clock: Pick<Clock, 'now' | 'elapsed' | 'after'>,
  ring: (isSetBack: boolean) => void,
) {
  let cancel = (): void => undefined;
  let isSetBack = false;
  let origin = clock.now() - clock.elapsed();

  function check(at: number): void {
    const now = clock.now();
    const before = origin;
    origin = now - clock.elapsed();
    isSetBack ||= origin < before - minStepMs;
    const wait = isSetBack ? 0 : Math.min(Math.max(0, at - now), maxCheckMs);
    cancel = clock.after(wait, () => {
      if (clock.now() < at && !isSetBack) return check(at);
      const noticed = isSetBack;
      isSetBack = false;
      ring(noticed);
    });
  }

  return {
    /** Sets the time in ms since 1970; null for never. */
    set(at: number | null): void {
      cancel();
      if (at !== null) check(at);
    },
    cancel: () => cancel(),
  };
}
