import { traitsOf, type FieldIndex } from './compile/field-index.js';
import { mayExceed, mayFail } from './compile/may-fail.js';
import { lazy } from './compile/lazy.js';
import { clausesOf, clausesWithout, findLookups } from './compile/plan.js';
import { checkOptions, limitsOf } from './diagnostics/options.js';
import { compileWhole, filterOptionNames, type Filter, type FilterOptions } from './filter.js';
import type { FilterSource } from './parse.js';
import type { Schema } from './schema/schema.js';

/** How a filter is read and which indexes there are. */
export interface PlanOptions<T = unknown> extends Omit<FilterOptions, 'check'> {
  /** The kind of row. All rows must be of it (`isRowOf`), fields that are absent or null aside. */
  readonly schema: Schema;
  readonly indexes: readonly FieldIndex<T>[];
}

/** How the rows of a filter can be found without a look at all of them. */
export interface FilterPlan<T = unknown> {
  /** The filter itself, which answers a scan. */
  readonly filter: Filter<T>;
  /**
   * False where no row of the schema can make the filter fail, so that `test` never throws. A row of any size counts: where
   * one may be too large for the limits, the filter may fail.
   */
  readonly mayFail: boolean;
  /**
   * The operands of the `and` at the top, in the order in which they are asked, or the whole filter. Like those of
   * `residual`, their errors and their `source` are those of the whole; `print(clause.ast)` is their own text.
   */
  readonly clauses: readonly Filter<T>[];
  /** The ways to use an index, in source order; none where only a scan answers. Take the one with the fewest rows. */
  readonly lookups: readonly IndexLookup<T>[];
}

/** One use of an index. */
export interface IndexLookup<T = unknown> {
  /** Which of the clauses it answers. */
  readonly clause: number;
  readonly index: FieldIndex<T>;
  /** The rows to look at are those with one of these keys; none where nothing can match. */
  readonly keys: readonly string[];
  /**
   * What is left to ask about them; null when nothing is. Of those rows, in the order of the scan, it selects what the
   * whole filter selects of all rows, and it fails where the whole would, limits aside: it pays for what it asks, not for the
   * clause that the index has answered.
   */
  readonly residual: Filter<T> | null;
}

/**
 * Compiles a filter and finds out which of its clauses indexes can answer: `F == v` for a field, `v in F` for a list,
 * and an `or` of such tests on one field, as operands of the `and` at the top. A clause behind one that a row may not fit is
 * left to the scan, because rows that are passed over could have failed there. What those rows would have cost is not asked:
 * where a scan ends at a row that is too large for the limits, an index may pass over it.
 *
 * ```ts
 * const indexes = [fieldIndex(jobs, 'Status')];
 * const { filter, lookups } = planFilter('Status == "running" and Priority == 50', { schema: jobs, indexes });
 * const [lookup] = lookups; // keys: ['running'], residual: Priority == 50
 * ```
 *
 * The filter is always checked first. @throws what `compileFilter` throws.
 */
export function planFilter<T = unknown>(filter: FilterSource, options: PlanOptions<T>): FilterPlan<T> {
  // Whoever plans and compiles with the same options may have `check` among them; a plan is always checked.
  checkOptions<PlanOptions<T> & FilterOptions>('planFilter', options, [...filterOptionNames, 'indexes']);
  const { indexes, ...settings } = options;
  if ((settings.schema as unknown) === undefined) throw new TypeError('planFilter: schema is missing');
  if (!Array.isArray(indexes)) throw new TypeError('planFilter: indexes must be an array');
  const planned = (indexes as readonly FieldIndex[]).map((index) => ({
    index,
    keyOfLiteral: traitsOf(index, settings.schema).keyOfLiteral,
  }));
  const { filter: whole, analysis, part } = compileWhole(filter, { ...settings, check: true });
  const nodes = clausesOf(whole.ast);
  // A value for unknown names stands for anything, so nothing is known of what such a filter reads.
  const isOpen = settings.unknownValue !== undefined;
  // Compiled when asked for: a thousand clauses have a thousand residuals of a thousand clauses each.
  const clauses = lazy(() => Object.freeze(nodes.map((node) => (node === whole.ast ? whole : part(node)))));
  const lookups = (isOpen ? [] : findLookups(nodes, analysis, planned)).map(
    ({ clause, index, keys }): IndexLookup => {
      const residual = lazy(() => {
        const rest = clausesWithout(nodes, clause);
        return rest === null ? null : part(rest);
      });
      return Object.freeze({
        clause,
        index,
        keys: Object.freeze(keys),
        get residual() {
          return residual();
        },
      });
    },
  );
  const plan: FilterPlan = Object.freeze({
    filter: whole,
    mayFail:
      isOpen || mayFail(whole.ast, analysis) || mayExceed(whole.ast, analysis, limitsOf(settings.limits)),
    get clauses() {
      return clauses();
    },
    lookups: Object.freeze(lookups),
  });
  return plan as FilterPlan<T>;
}
