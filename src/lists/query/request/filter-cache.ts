import { RecentMap } from '../../../runtime/recent-map.js';
import { planFilter, type FilterPlan, type PlanOptions } from '../../../filter/plan.js';

/** Filters of one list, compiled and planned, kept while they are in use. */
export interface FilterCache<T> {
  /** @throws FilterError when the text is no filter for the schema. */
  plan(text: string): FilterPlan<T>;
  /** Whether it is kept, so that its plan costs nothing. */
  has(text: string): boolean;
  /** How many are kept. */
  readonly size: number;
}

/** Bounds of a filter cache. They stop clients from filling the memory with filters that are used once. */
export interface FilterCacheLimits {
  readonly maxEntries: number;
  /** Longest text worth keeping, in UTF-16 units. */
  readonly maxTextLength: number;
  /** The same for all texts together. */
  readonly maxTotalLength: number;
}

export const defaultFilterCacheLimits: FilterCacheLimits = Object.freeze({
  maxEntries: 256,
  maxTextLength: 65_536,
  maxTotalLength: 524_288,
});

export function createFilterCache<T>(options: PlanOptions<T>, limits: FilterCacheLimits): FilterCache<T> {
  const cached = new RecentMap<string, FilterPlan<T>>({
    maxEntries: limits.maxEntries,
    maxWeight: limits.maxTotalLength,
    weigh: (_, { length }) => length,
  });

  return {
    plan(text) {
      const known = cached.get(text);
      if (known !== undefined) return known;
      const plan = planFilter<T>(text, options);
      if (text.length <= limits.maxTextLength) cached.set(text, plan);
      return plan;
    },
    has: (text) => cached.has(text),
    get size() {
      return cached.size;
    },
  };
}
