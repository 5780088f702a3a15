import { systemClock } from '@tamis/http';

/** A clock, which tests replace by a fake one. */
export interface Clock {
  /** Milliseconds of a monotonic clock with an arbitrary origin. */
  readonly now: () => number;
  /** Calls `action` once after `milliseconds`; the function returned cancels it. */
  readonly after: (milliseconds: number, action: () => void) => () => void;
}

/** The monotonic clock of this machine. Like the clock of etcd, it does not advance while the machine sleeps. */
export const monotonicClock: Clock = Object.freeze({ now: systemClock.elapsed, after: systemClock.after });
