import type { Predicate } from './predicate.js';

/** Evaluates a filter for rows. All runners return the same results and throw the same errors. Holes of arrays are skipped. */
export interface Runner {
  readonly test: Predicate;
  /** Returns the matching rows. */
  readonly select: (rows: readonly unknown[]) => unknown[];
  /** Returns the number of matching rows. */
  readonly count: (rows: readonly unknown[]) => number;
  /**
   * Adds the matching rows of a range to `out`, until it has `limit` rows. Returns the index after the last row that was read.
   */
  readonly scan: (
    rows: readonly unknown[],
    from: number,
    to: number,
    out: unknown[],
    limit: number,
  ) => number;
}
