import { copyText } from '../../../runtime/shared-identity.js';
import { RecentMap } from '../../../runtime/recent-map.js';
import { compiledAccess, type CompiledAccess } from '../../../filter/access-filter.js';
import type { Filter } from '../../../filter/filter.js';
import { createPlanner, planCompiled, type FilterPlan, type PlanOptions } from '../../../filter/plan.js';

/** Cache of the compiled and planned filters of one list. */
export interface FilterCache<T> {
  /** @throws FilterError if the string is not a valid filter for the schema. */
  plan(text: string): FilterPlan<T>;
  /** Returns the plan of an access filter; null if its kind is not `some`. */
  planAccess(access: CompiledAccess<T>): FilterPlan<T> | null;
  /** Whether a filter is cached, so that planning it costs nothing. */
  has(text: string): boolean;
  /** Number of cached filters. */
  readonly size: number;
}

/** Limits of a filter cache. They prevent clients from filling the memory with filters that are used once. */
export interface FilterCacheLimits {
  readonly maxEntries: number;
  /** Maximum length of a cached filter, in UTF-16 units. */
  readonly maxTextLength: number;
  /** Maximum total length of all cached filters, in UTF-16 units. */
  readonly maxTotalLength: number;
}

export const defaultFilterCacheLimits: FilterCacheLimits = Object.freeze({
  maxEntries: 256,
  maxTextLength: 65_536,
  maxTotalLength: 524_288,
});

export function createFilterCache<T>(
  options: PlanOptions<T>,
  limits: FilterCacheLimits,
  accessIndexes: PlanOptions<T>['indexes'] = options.indexes,
): FilterCache<T> {
  const plan = createPlanner(options);
  const cached = new RecentMap<string, FilterPlan<T>>({
    maxEntries: limits.maxEntries,
    maxWeight: limits.maxTotalLength,
    weigh: (_, { length }) => length,
  });

  const accessPlans = new WeakMap<Filter<T>, FilterPlan<T>>();

  return {
    plan(text) {
      const known = cached.get(text);
      if (known !== undefined) return known;
      if (text.length > limits.maxTextLength) return plan(text);
      const source = copyText(text);
      const made = plan(source);
      cached.set(source, made);
      return made;
    },
    planAccess({ [compiledAccess]: filter }) {
      if (filter === null) return null;
      const known = accessPlans.get(filter);
      const plan = known ?? planCompiled(filter, accessIndexes);
      accessPlans.set(filter, plan);
      return plan;
    },
    has: (text) => cached.has(text),
    get size() {
      return cached.size;
    },
  };
}
