import type { FilterError } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';

/** One operand of the top-level `and` of a filter, or the whole filter if there is no such `and`. */
export interface ClauseCounts {
  readonly text: string;
  readonly span: Span;
  /** Number of rows for which it holds by itself. */
  readonly alone: number;
  /** Number of rows left after it and all clauses before it. */
  readonly surviving: number;
  /** Number of rows for which every other clause holds, but not this one: what would match without it. */
  readonly withoutIt: number;
  /** Number of rows for which it fails. */
  readonly failed: number;
  /** The first of these failures; null if there was none. */
  readonly error: FilterError | null;
}

/**
 * Returns the index of the clause to blame for an empty result: one that holds for no row at all; else the one without which most
 * rows would match; else the one after which no row was left.
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
