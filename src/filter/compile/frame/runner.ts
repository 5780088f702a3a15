import type { Predicate } from './predicate.js';

/** Evaluates a filter for rows. All runners give the same results and the same errors. Holes of an array are skipped. */
export interface Runner {
  readonly test: Predicate;
  /** Returns the matching rows. */
  readonly select: (rows: readonly unknown[]) => unknown[];
  /** Returns the number of matching rows. */
  readonly count: (rows: readonly unknown[]) => number;
  /**
   * Adds the matching rows of a range to `out`, up to `limit` rows in total. Returns the index after the last needed row.
   */
  readonly scan: (
    rows: readonly unknown[],
    from: number,
    to: number,
    out: unknown[],
    limit: number,
  ) => number;
}
