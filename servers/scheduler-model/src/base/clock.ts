/** Source of time. Tests pass a clock that they control. */
export interface Clock {
  /** Returns wall-clock time in ms since 1970, for display and storage. It may jump forward or back at any moment. */
  readonly now: () => number;
  /** Returns ms of a monotonic clock with an arbitrary origin, for waits and request deadlines. */
  readonly elapsed: () => number;
  /** Calls `action` once after `milliseconds` of the monotonic clock. The returned function cancels it. */
  readonly after: (milliseconds: number, action: () => void) => () => void;
  /** Calls `action` after all pending events, so that other work can run first. */
  readonly defer: (action: () => void) => void;
}

/**
 * Timestamps in ns since 1970 from this server's clock, for display and ages. Stamps of one server are unique; stamps of
 * different servers must not be used for ordering.
 */
export type StampClock = ReturnType<typeof createStampClock>;

/** Maximum lead of a stamp over a stopped or reset clock, in ns. Beyond it, the stamps are reset too. */
const maxAheadNs = 1_000_000_000n;

/** Creates a nanosecond clock from one in ms. Stamps increase while they are at most a second ahead of that clock. */
export function createStampClock(clock: Pick<Clock, 'now'>) {
  let last = 0n;
  return {
    next: (): bigint => {
      const now = BigInt(Math.trunc(clock.now())) * 1_000_000n;
      last = now > last || last - now >= maxAheadNs ? now : last + 1n;
      return last;
    },
    /** Returns the last stamp; 0 before the first. */
    last: (): bigint => last,
  };
}
