import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/** The longest that a timer is set for: longer ones would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** A timer that is rescheduled whenever an earlier deadline becomes known. */
export interface DeadlineTimer {
  /** Milliseconds since 1970; null for never. */
  set(at: number | null): void;
  cancel(): void;
}

export function createDeadlineTimer(clock: Pick<Clock, 'now' | 'after'>, ring: () => void): DeadlineTimer {
  let cancel: (() => void) | null = null;
  return {
    set(at) {
      cancel?.();
      const wait = at === null ? null : Math.min(Math.max(0, at - clock.now()), maxTimerMs);
      cancel = wait === null ? null : clock.after(wait, ring);
    },
    cancel() {
      cancel?.();
      cancel = null;
    },
  };
}
