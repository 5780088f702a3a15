import type { Predicate } from './predicate.js';

/** A way to ask a filter about rows. All ways give the same answers and the same errors. Holes of an array are no rows. */
export interface Runner {
  readonly test: Predicate;
  /** The rows that hold. */
  readonly select: (rows: readonly unknown[]) => unknown[];
  /** How many rows hold. */
  readonly count: (rows: readonly unknown[]) => number;
  /**
   * Adds the rows that hold, of those from one place to before another, to `out`, until it has `most`. Returns the place
   * behind the last row that was needed.
   */
  readonly scan: (rows: readonly unknown[], from: number, to: number, out: unknown[], limit: number) => number;
}
