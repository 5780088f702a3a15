import type { FilterError } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';

/** One operand of the `and` at the top of a filter, or the whole filter where there is none. */
export interface ClauseCounts {
  readonly text: string;
  readonly span: Span;
  /** How many rows it is true for by itself. */
  readonly alone: number;
  /** How many rows are left behind it and all clauses before it. */
  readonly surviving: number;
  /** How many rows every other clause is true for, but not this one: what would match without it. */
  readonly withoutIt: number;
  /** How many rows it fails for. */
  readonly failed: number;
  /** The first of these failures; null where there was none. */
  readonly error: FilterError | null;
}

/**
 * The clause to blame for an empty answer: one that is true for no row at all; else the one without which most rows would
 * match; else the one behind which no row was left.
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
