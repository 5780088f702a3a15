import { compileFilter, type Filter, type FilterOptions } from 'tamis';

/** Compiled filters of one list, kept while they are in use. */
export interface FilterCache<T> {
  /** @throws FilterError when the text is no filter for the schema. */
  compile(text: string): Filter<T>;
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
export function createFilterCache<T>(options: FilterOptions, limits: FilterCacheLimits): FilterCache<T> {
  const kept = new Map<string, Filter<T>>();
  return {
    compile(text) {
      const known = kept.get(text);
      const filter = known ?? compileFilter<T>(text, options);
      if (text.length > limits.maxTextLength || limits.maxEntries === 0) return filter;
      kept.delete(text);
      kept.set(text, filter);
      if (kept.size > limits.maxEntries) {
        const [oldest] = kept.keys();
        if (oldest !== undefined) kept.delete(oldest);
      }
      return filter;
    },
    get size() {
      return kept.size;
    },
  };
}
