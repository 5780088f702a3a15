/** A clock, which tests replace by a fake one. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since a fixed moment. Setting the clock does not change it. */
  readonly elapsed: () => number;
  /** Calls `action` once after `milliseconds`; the function returned cancels it. */
  readonly after: (milliseconds: number, action: () => void) => () => void;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
