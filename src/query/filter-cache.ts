import { planFilter, type FilterPlan, type PlanOptions } from '../plan.js';

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

/** A Map keeps its keys in the order of insertion, so the first one is the least recently used. */
export function createFilterCache<T>(options: PlanOptions<T>, limits: FilterCacheLimits): FilterCache<T> {
  const kept = new Map<string, FilterPlan<T>>();
  let total = 0;

  function forget(text: string): void {
    if (kept.delete(text)) total -= text.length;
  }

  return {
    plan(text) {
      const known = kept.get(text);
      const plan = known ?? planFilter<T>(text, options);
      if (text.length > limits.maxTextLength || limits.maxEntries === 0) return plan;
      forget(text);
      kept.set(text, plan);
      total += text.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.maxEntries && !(total > limits.maxTotalLength)) break;
        forget(oldest);
      }
      return plan;
    },
    has: (text) => kept.has(text),
    get size() {
      return kept.size;
    },
  };
}
