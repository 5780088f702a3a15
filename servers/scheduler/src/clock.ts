/** Time, as a parameter: tests bring one that they move by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `action` once after `milliseconds`; the function returned cancels it. */
  readonly after: (milliseconds: number, action: () => void) => () => void;
  /** Calls `action` after the events that are already waiting: a turn for everybody else. */
  readonly soon: (action: () => void) => void;
}

/** Nanoseconds since 1970, each stamp greater than the one before. */
export interface StampClock {
  readonly next: () => bigint;
  /** The last stamp; 0 before the first. */
  readonly last: () => bigint;
  /** Lets every further stamp be greater than this one, which another server has given. */
  readonly exceed: (stamp: bigint) => void;
}

/** A strictly increasing clock in nanoseconds over one that counts milliseconds and may stand still or go back. */
export function createStampClock(clock: Pick<Clock, 'now'>): StampClock {
  let last = 0n;
  return {
    next() {
      const now = BigInt(Math.trunc(clock.now())) * 1_000_000n;
      last = now > last ? now : last + 1n;
      return last;
    },
    last: () => last,
    exceed(stamp) {
      if (stamp > last) last = stamp;
    },
  };
}
