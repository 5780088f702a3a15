import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/**
 * Maximum ms between two looks at the wall clock. Bounds how late a deadline is noticed after the clock was set forward or the
 * machine was suspended.
 */
const maxCheckMs = 5_000;

/** A timer for a time of the wall clock. It is rescheduled whenever an earlier deadline becomes known. */
export interface DeadlineTimer {
  /** Milliseconds since 1970; null for never. */
  set(at: number | null): void;
  cancel(): void;
}

/** Minimum ms by which the wall clock must go back to count as set back: corrections of a running clock are smaller. */
const minStepMs = 1_000;

/**
 * @param ring called once after each `set`: when that time has come, or when the wall clock was set back. It must look at the
 *   clock itself, and set the timer again.
 */
export function createDeadlineTimer(
  clock: Pick<Clock, 'now' | 'elapsed' | 'after'>,
  ring: (isSetBack: boolean) => void,
): DeadlineTimer {
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
    set(at) {
      cancel();
      if (at !== null) check(at);
    },
    cancel: () => cancel(),
  };
}
