import type { FilterError } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';

/** One operand of the top-level `and` of a filter, or the whole filter if there is no such `and`. */
export interface ClauseCounts {
  readonly text: string;
  readonly span: Span;
  /** Number of rows that satisfy the clause. */
  readonly alone: number;
  /** Number of rows that satisfy this clause and all earlier ones. */
  readonly surviving: number;
  /** Number of rows that satisfy every clause except this one. */
  readonly withoutIt: number;
  /** Number of rows on which the clause throws. */
  readonly failed: number;
  /** The first of these failures; null if there was none. */
  readonly error: FilterError | null;
}

/**
 * Returns the index of the clause responsible for an empty result. First choice is a clause that no row satisfies; then the one
 * without which most rows would match; then the one after which no row remained.
 */
export function findBlockingClause(tallies: readonly ClauseCounts[]): number {
  const hopeless = tallies.filter(({ alone }) => alone === 0);
  const candidates = hopeless.length > 0 ? hopeless : tallies;
  const max = Math.max(...candidates.map(({ withoutIt }) => withoutIt));
  const first = candidates.find((each) =>
    max > 0 ? each.withoutIt === max : hopeless.length > 0 || each.surviving === 0,
  );
  return first === undefined ? 0 : tallies.indexOf(first);
}
