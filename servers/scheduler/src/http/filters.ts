import { planFilter, type FilterPlan, type PlanOptions } from 'tamis';

/** Filters of one list, compiled and planned, kept while they are in use. */
export interface FilterCache<T> {
  /** @throws FilterError when the text is no filter for the schema. */
  plan(text: string): FilterPlan<T>;
  /** How many are kept. */
  readonly size: number;
}

/** Bounds of a filter cache. They stop clients from filling the memory with filters that are used once. */
export interface FilterCacheLimits {
  readonly maxEntries: number;
  /** Longest text worth keeping, in UTF-16 units. */
  readonly maxTextLength: number;
}

export const defaultFilterCacheLimits: FilterCacheLimits = Object.freeze({
  maxEntries: 256,
  maxTextLength: 2_048,
});

/** A Map keeps its keys in the order of insertion, so the first one is the least recently used. */
export function createFilterCache<T>(options: PlanOptions<T>, limits: FilterCacheLimits): FilterCache<T> {
  const kept = new Map<string, FilterPlan<T>>();
  return {
    plan(text) {
      const known = kept.get(text);
      const plan = known ?? planFilter<T>(text, options);
      if (text.length > limits.maxTextLength || limits.maxEntries === 0) return plan;
      kept.delete(text);
      kept.set(text, plan);
      if (kept.size > limits.maxEntries) {
        const [oldest] = kept.keys();
        if (oldest !== undefined) kept.delete(oldest);
      }
      return plan;
    },
    get size() {
      return kept.size;
    },
  };
}
