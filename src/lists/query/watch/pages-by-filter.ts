import type { Filter } from '../../../filter/filter.js';
import { FilterStore } from '../../../filter/filter-set/filter-store.js';
import type { SavedFilter } from '../../../filter/filter-set/saved-filter.js';
import { matchesCandidate } from '../../../filter/filter-set/set-match.js';
import { readSetOptions } from '../../../filter/filter-set/set-options.js';
import type { FilterPlan } from '../../../filter/plan.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { LivePage } from './live-page.js';
import { maxIndexedFilterLength } from './result-watches.js';
import { filterResult } from './watched-query.js';

/** Number of rows between two reconsiderations of how a filter is found. */
const rowsBetweenChanges = 8;
/** Number of filters evaluated on a row before other work gets a turn. */
const batchSize = 256;

/** The pages that a row can affect: a filter set finds those whose filter may match it. */
export class PagesByFilter<T extends object> {
  readonly #filters: FilterStore;
  /** Pages by their filter in the filter set, whose id is its string. */
  readonly #byFilter = new Map<SavedFilter, LivePage<T>[]>();
  /** Pages whose filter is not in the filter set, with its result for a row; null if the result is unknown. */
  readonly #others = new Map<LivePage<T>, (row: T) => boolean | null>();
  #visited = 0;

  constructor(schema: Schema, unresolved: 'error' | 'absent') {
    const { filterOptions, bounds } = readSetOptions(schema, { unresolved });
    this.#filters = new FilterStore(filterOptions, bounds);
  }

  /** Adds a page. @param plan the plan of its filter; null if it has none */
  add(page: LivePage<T>, plan: FilterPlan<T> | null): void {
    if (page.live.isOpaque || plan === null || !this.#index(page, plan))
      this.#others.set(page, resultFor(page, plan));
  }

  /** Removes a page that has been added. */
  remove(page: LivePage<T>): void {
    if (this.#others.delete(page)) return;
    const { filter } = page.live.query;
    const saved = this.#filters.get(filter) as SavedFilter; // The page has been added with its filter
    const others = (this.#byFilter.get(saved) ?? []).filter((each) => each !== page);
    if (others.length > 0) this.#byFilter.set(saved, others);
    else {
      this.#byFilter.delete(saved);
      this.#filters.remove(filter);
    }
  }

  /**
   * Calls `apply` for pages that a row may affect, with whether their filter matches it: null if that is unknown or the filter
   * throws. Other work may run whenever it yields.
   *
   * @param isNear whether the position of a row can affect a page
   */
  *visit(
    row: T,
    isNear: (page: LivePage<T>) => boolean,
    apply: (page: LivePage<T>, isMatch: boolean | null) => void,
  ): Generator<void, void, undefined> {
    if (this.#byFilter.size > 0) {
      const { index: filters, compiled } = this.#filters;
      if ((this.#visited += 1) % rowsBetweenChanges === 0) filters.reconsider();
      const found = filters.find(row);
      for (const [at, filter] of found.filters.entries()) {
        const pages = this.#byFilter.get(filter);
        // Most rows are elsewhere in the list than a page, which is faster to find out than whether its filter matches.
        if (pages?.some(isNear) === true) {
          let isMatch: boolean | null = null;
          try {
            isMatch = matchesCandidate(filter, found.view, compiled, readClock);
          } catch {
            // The readers open the page again, and so get the error.
          }
          for (const page of pages) if (isNear(page)) apply(page, isMatch);
        }
        if ((at + 1) % batchSize === 0) yield;
      }
    }
    let evaluated = 0;
    for (const [page, result] of this.#others) {
      if (isNear(page)) apply(page, result(row));
      if ((evaluated += 1) % batchSize === 0) yield;
    }
  }

  /** Adds a page to the filter set. Returns false if its filter is too long, or the set is full. */
  #index(page: LivePage<T>, { filter: compiled }: FilterPlan<T>): boolean {
    const { filter } = page.live.query;
    if (filter.length > maxIndexedFilterLength) return false;
    try {
      this.#filters.add(filter, filter, compiled as Filter<never> as Filter);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    const saved = this.#filters.get(filter) as SavedFilter; // It has just been added
    const pages = this.#byFilter.get(saved);
    if (pages === undefined) this.#byFilter.set(saved, [page]);
    else pages.push(page);
    return true;
  }
}

/** Returns a function that returns whether the filter of a page matches a row; null if that cannot be known. */
export function resultFor<T>({ live }: LivePage<T>, plan: FilterPlan<T> | null): (row: T) => boolean | null {
  return live.isOpaque ? (): null => null : filterResult(plan);
}

/** Filters that depend on the clock are not in the filter set. */
const readClock = (): Date => new Date();
