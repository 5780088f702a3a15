import type { Predicate } from './predicate.js';

/** Evaluates a filter for rows. All runners give the same results and the same errors. Holes of an array are skipped. */
export interface Runner {
  readonly test: Predicate;
  /** The rows that hold. */
  readonly select: (rows: readonly unknown[]) => unknown[];
  /** Number of matching rows. */
  readonly count: (rows: readonly unknown[]) => number;
  /**
   * Adds the matching rows of a range to `out`, until it has `most`. Returns the index after the last row that was needed.
   */
  readonly scan: (
    rows: readonly unknown[],
    from: number,
    to: number,
    out: unknown[],
    limit: number,
  ) => number;
}
