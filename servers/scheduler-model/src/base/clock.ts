/** Time, as a parameter: tests bring one that they move by hand. */
export interface Clock {
  /** Milliseconds since 1970. It may be set forward or back at any moment: for times that people read or that are stored. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock with an arbitrary origin: for waits and for deadlines of requests. */
  readonly elapsed: () => number;
  /** Calls `action` once after `milliseconds` of the monotonic clock; the function returned cancels it. */
  readonly after: (milliseconds: number, action: () => void) => () => void;
  /** Calls `action` after the events that are already waiting: a turn for everybody else. */
  readonly defer: (action: () => void) => void;
}

/**
 * Nanoseconds since 1970: what the clock of this server says, for people and for ages. Stamps of one server differ; those
 * of several come from several clocks, so no order comes from them.
 */
export interface StampClock {
  readonly next: () => bigint;
  /** The last stamp; 0 before the first. */
  readonly last: () => bigint;
}

/** Maximum nanoseconds by which a stamp may be ahead of a stopped or reset clock; beyond that it is reset too. */
const maxAheadNs = 1_000_000_000n;

/** A clock in nanoseconds over one that counts milliseconds: it increases as long as that stays within a second. */
export function createStampClock(clock: Pick<Clock, 'now'>): StampClock {
  let last = 0n;
  return {
    next() {
      const now = BigInt(Math.trunc(clock.now())) * 1_000_000n;
      last = now > last || last - now >= maxAheadNs ? now : last + 1n;
      return last;
    },
    last: () => last,
  };
}
