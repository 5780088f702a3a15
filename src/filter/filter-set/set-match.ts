import type { CompiledFilters, ReadNow } from './compiled-filters.js';
import type { Candidates } from './filter-index.js';
import type { SavedFilter } from './saved-filter.js';
import type { RowView } from './row-view.js';

/** The result of the filters of a set for a row. */
export interface FilterSetMatch {
  /** The matching filters, in no particular order. */
  readonly ids: readonly string[];
  /** The filters that throw for the row: exactly those whose `test` would throw. */
  readonly errors: readonly FilterFailure[];
  /** Number of distinct filters that the row has led to, or that are evaluated for every row. */
  readonly candidates: number;
  /** Number of candidates that had to be evaluated, because the indexed values did not decide. */
  readonly evaluated: number;
}

/** A filter that throws for a row. */
export interface FilterFailure {
  readonly id: string;
  /** The error thrown by `test`: a FilterEvaluationError, a FilterLimitError, or an error of a getter of the row. */
  readonly error: unknown;
}

/** The effect of a row change on the filters of a set. A filter that throws for a row does not match it. */
export interface FilterSetChange {
  /** Ids that match only the row after the change. */
  readonly entered: readonly string[];
  /** Ids that match only the row before the change. */
  readonly left: readonly string[];
  /** Ids that match both rows, so that a row in their result has changed. */
  readonly changed: readonly string[];
  /** Filters that throw for the row before the change, and those that throw for the row after it. */
  readonly errors: { readonly before: readonly FilterFailure[]; readonly after: readonly FilterFailure[] };
}

/** Evaluates the candidates in a half-open range. */
export function matchCandidates(
  { view, filters }: Candidates,
  from: number,
  to: number,
  compiled: CompiledFilters,
  now: ReadNow,
): FilterSetMatch {
  const ids: string[] = [];
  const errors: FilterFailure[] = [];
  let candidates = 0;
  let evaluated = 0;
  for (let at = from; at < to; at += 1) {
    const filter = filters[at];
    // A filter without ids was removed meanwhile.
    if (filter === undefined || filter.ids.size === 0) continue;
    candidates += 1;
    const passes = filter.passes(view);
    if (passes === false) continue;
    try {
      let matches = true;
      if (passes === null || !filter.isIndexed) {
        evaluated += 1;
        matches = evaluate(filter, passes !== null, view, compiled, now);
      }
      if (matches) filter.ids.forEach((id) => ids.push(id));
    } catch (error) {
      filter.ids.forEach((id) => errors.push({ id, error }));
    }
  }
  return { ids, errors, candidates, evaluated };
}

/** Whether a candidate matches the row that led to it. @throws the error of the filter */
export function matchesCandidate(
  filter: SavedFilter,
  view: RowView<SavedFilter>,
  compiled: CompiledFilters,
  now: ReadNow,
): boolean {
  const passes = filter.passes(view);
  if (passes === false || (passes === true && filter.isIndexed)) return passes;
  return evaluate(filter, passes !== null, view, compiled, now);
}

function evaluate(
  filter: SavedFilter,
  isRest: boolean,
  { row }: RowView<SavedFilter>,
  compiled: CompiledFilters,
  now: ReadNow,
): boolean {
  const parts = compiled.of(filter);
  return isRest ? parts.testRest(row, now) : parts.test(row, now);
}

/** Returns the difference of two matches. */
export function changeBetween(before: FilterSetMatch, after: FilterSetMatch): FilterSetChange {
  const was = new Set(before.ids);
  const is = new Set(after.ids);
  return {
    entered: after.ids.filter((id) => !was.has(id)),
    left: before.ids.filter((id) => !is.has(id)),
    changed: after.ids.filter((id) => was.has(id)),
    errors: { before: before.errors, after: after.errors },
  };
}

/** The match of a missing row. */
export const noMatch: FilterSetMatch = Object.freeze({ ids: [], errors: [], candidates: 0, evaluated: 0 });
