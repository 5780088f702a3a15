import type { ExplainOptions } from './compile/filter-options.js';
import type { Explainable } from './explain/explain-context.js';
import type { RowExplanation } from './explain/explanation.js';
import { createExplainer as explainerUnder } from './explain/explain.js';
import { explainBy, partsOf, type Filter } from './filter.js';

/** Adds the method `explain` to all filters. Importing `tamis/explain` calls this. */
export function installExplain(): void {
  explainBy(explainerUnder);
}

/**
 * Returns which clause of a filter decides the result for a row, and the value that it reads there. Costs a few evaluations of
 * the filter.
 *
 * ```ts
 * String(explain('Status == "running" and Stop == false', job, { schema }));
 * // Status == "running" is false: Status is "pending"
 * // ...
 * ```
 *
 * A compiled filter that is passed without options is explained under those that it was compiled with, as by its method `explain`.
 *
 * @throws FilterSyntaxError and FilterLimitError if a string is not a valid filter; TypeError for a wrong argument. An evaluation
 *   error of the row is part of the result.
 */
export function explain(filter: Explainable, row: unknown, options?: ExplainOptions): RowExplanation {
  return createExplainer(filter, options)(row);
}

/** Returns a function that explains rows as {@link explain} does; faster for many rows. */
export function createExplainer(
  filter: Explainable,
  options?: ExplainOptions,
): (row: unknown) => RowExplanation {
  if (options !== undefined) return explainerUnder(filter, options);
  if (!isCompiled(filter)) return explainerUnder(filter, {});
  installExplain();
  return filter.explain;
}

function isCompiled(filter: unknown): filter is Filter {
  return typeof filter === 'object' && filter !== null && partsOf(filter as Filter) !== null;
}
