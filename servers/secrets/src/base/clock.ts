/** Time, as a parameter: tests bring one that they move by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `action` once after `milliseconds`; the function returned cancels it. */
  readonly after: (milliseconds: number, action: () => void) => () => void;
}
