import type { CompiledFilters, ReadNow } from './compiled-filters.js';
import type { Candidates } from './filter-index.js';
import type { SavedFilter } from './saved-filter.js';
import type { RowView } from './row-view.js';

/** What the filters of a set say about a row. */
export interface FilterSetMatch {
  /** The filters that hold, in no particular order. */
  readonly ids: readonly string[];
  /** The filters that fail for the row, exactly those whose `test` would throw. */
  readonly errors: readonly FilterFailure[];
  /** How many different filters the values of the row have led to, or are looked at for every row. */
  readonly candidates: number;
  /** How many of these were asked, because the values of the row alone do not tell. */
  readonly evaluated: number;
}

/** A filter that fails for a row. */
export interface FilterFailure {
  readonly id: string;
  /** What its `test` throws: a FilterEvaluationError, a FilterLimitError, or what a getter of the row throws. */
  readonly error: unknown;
}

/** What a change of a row means for the filters of a set. One that fails for a row does not hold for it. */
export interface FilterSetChange {
  /** Those that hold for the row after the change only. */
  readonly entered: readonly string[];
  /** Those that held for the row before it only. */
  readonly left: readonly string[];
  /** Those that hold for both: what they show has changed. */
  readonly changed: readonly string[];
  /** Those that fail for the row before, and for the one after. */
  readonly errors: { readonly before: readonly FilterFailure[]; readonly after: readonly FilterFailure[] };
}

/** Looks at the candidates from one place to before another. */
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
    // One without ids was removed meanwhile.
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

/** The difference of two matches. */
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

/** What is matched where there is no row. */
export const noMatch: FilterSetMatch = Object.freeze({ ids: [], errors: [], candidates: 0, evaluated: 0 });
