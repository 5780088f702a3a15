import { readInstant } from './compile/frame/clock.js';
import { traitsOf, type FieldIndex } from './compile/frame/field-index.js';
import type { KeyRange } from './compile/frame/key-range.js';
import { orderTraitsOf, type OrderedIndex } from './compile/frame/ordered-index.js';
import { mayExceed, mayFail } from './compile/can-fail.js';
import { lazy } from './compile/frame/lazy.js';
import {
  clausesOf,
  clausesWithout,
  findLookups,
  findRanges,
  type PlannedIndex,
  type PlannedOrder,
} from './compile/plan.js';
import { checkOptions, limitsOf } from '../language/diagnostics/options.js';
import { filterOptionNames, type FilterOptions } from './compile/filter-options.js';
import { compileWhole, type Filter } from './filter.js';
import type { FilterSource } from '../language/parse.js';
import type { Schema } from '../language/schema/schema.js';

/** How a filter is read and which indexes there are. */
export interface PlanOptions<T = unknown> extends Omit<FilterOptions, 'check'> {
  /** The kind of row. All rows must be of it (`isRowOf`), fields that are absent or null aside. */
  readonly schema: Schema;
  readonly indexes: readonly (FieldIndex<T> | OrderedIndex<T>)[];
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
  /** The ways to use an ordered index, in the order of `indexes`: one for each that answers anything. */
  readonly ranges: readonly RangeLookup<T>[];
  /** As `usesNow` of the filter: `at` gives the plan for an instant. What has to be known of the clock is in no `ranges` before. */
  readonly usesNow: boolean;
  /**
   * The plan with `now` standing still, as `Filter.at`: at an instant, or at what the clock shows. Costs a few microseconds
   * beside the ranges. @throws TypeError for what is no valid Date.
   */
  readonly at: (instant?: Date) => FilterPlan<T>;
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

/** One use of an ordered index. */
export interface RangeLookup<T = unknown> {
  /** Which of the clauses it answers, in their order: those of the residual are the others. */
  readonly clauses: readonly number[];
  readonly index: OrderedIndex<T>;
  /** The rows to look at are those with a key in one of these: ascending, not meeting; none where nothing can match. */
  readonly ranges: readonly KeyRange[];
  /** As that of an {@link IndexLookup}. */
  readonly residual: Filter<T> | null;
}

/**
 * Compiles a filter and finds out which of its clauses indexes can answer: `F == v` and `F in [..]` for a field, `v in F` for
 * a list, and an `or` of such tests on one field, as operands of the `and` at the top; with an ordered index the orderings and
 * `starts with` too, all clauses about its field at once. A clause behind one that a row may not fit is left to the scan,
 * because rows that are passed over could have failed there. What those rows would have cost is not asked: where a scan ends
 * at a row that is too large for the limits, an index may pass over it.
 *
 * ```ts
 * const indexes = [fieldIndex(jobs, 'Status'), orderedIndex(jobs, 'Priority')];
 * const { lookups, ranges } = planFilter('Status == "running" and Priority > 50', { schema: jobs, indexes });
 * const [lookup] = lookups; // keys: ['running'], residual: Priority > 50
 * const [range] = ranges; // ranges: from 50 (without it) on, residual: Status == "running"
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
  const known = sortIndexes(indexes as PlanOptions['indexes'], settings.schema);
  const { filter: whole, analysis, part } = compileWhole(filter, { ...settings, check: true });
  const nodes = clausesOf(whole.ast);
  // A value for unknown names stands for anything, so nothing is known of what such a filter reads.
  const isOpen = settings.unknownValue !== undefined;
  const { keyed, ordered } = isOpen ? { keyed: [], ordered: [] } : known;
  // Compiled when asked for: a thousand clauses have a thousand residuals of a thousand clauses each.
  const clauses = lazy(() => Object.freeze(nodes.map((node) => (node === whole.ast ? whole : part(node)))));
  const found = findLookups(nodes, analysis, keyed);
  const rests = new Map<string, Filter | null>();
  const residualOf = (indexed: readonly number[]): Filter | null => {
    const name = indexed.join();
    const cached = rests.get(name);
    if (cached !== undefined) return cached;
    const left = clausesWithout(nodes, indexed);
    const rest = left === null ? null : part(left);
    rests.set(name, rest);
    return rest;
  };
  const fails =
    isOpen || mayFail(whole.ast, analysis) || mayExceed(whole.ast, analysis, limitsOf(settings.limits));
  const { now = () => new Date() } = settings;
  const planAt = (instant: Date | null): FilterPlan => {
    const bind = (unbound: Filter): Filter => (instant === null ? unbound : unbound.at(instant));
    const millis = instant === null ? null : readInstant(instant);
    const bound = lazy(() => bind(whole));
    const boundClauses = lazy(() => Object.freeze(clauses().map(bind)));
    const lookups = lazy(() =>
      Object.freeze(
        found.map(({ clause, index, keys }): IndexLookup => {
          const residual = lazy(() => mapNull(residualOf([clause]), bind));
          return Object.freeze({
            clause,
            index,
            keys: Object.freeze(keys),
            get residual() {
              return residual();
            },
          });
        }),
      ),
    );
    const ranges = lazy(() =>
      Object.freeze(
        findRanges(nodes, analysis, ordered, millis).map((each): RangeLookup => {
          const residual = lazy(() => mapNull(residualOf(each.clauses), bind));
          return Object.freeze({
            clauses: Object.freeze(each.clauses),
            index: each.index,
            ranges: Object.freeze(each.ranges.map((range) => Object.freeze(range))),
            get residual() {
              return residual();
            },
          });
        }),
      ),
    );
    const plan: FilterPlan = Object.freeze({
      get filter() {
        return bound();
      },
      mayFail: fails,
      get clauses() {
        return boundClauses();
      },
      get lookups() {
        return lookups();
      },
      get ranges() {
        return ranges();
      },
      usesNow: whole.usesNow && instant === null,
      at: (at?: Date) => {
        if (whole.usesNow && instant === null) return planAt(at === undefined ? now() : at);
        if (at !== undefined) readInstant(at);
        return plan;
      },
    });
    return plan;
  };
  return planAt(null) as FilterPlan<T>;
}

function mapNull(filter: Filter | null, change: (filter: Filter) => Filter): Filter | null {
  return filter === null ? null : change(filter);
}

/** The indexes by their kind, with what the planner knows of them. */
function sortIndexes(
  indexes: PlanOptions['indexes'],
  schema: Schema,
): { readonly keyed: readonly PlannedIndex[]; readonly ordered: readonly PlannedOrder[] } {
  const keyed: PlannedIndex[] = [];
  const ordered: PlannedOrder[] = [];
  for (const index of indexes) {
    const order = orderTraitsOf(index as OrderedIndex);
    const key = traitsOf(index as FieldIndex);
    const about = order ?? key;
    if (about === null) throw new TypeError('planFilter: indexes must come from fieldIndex or orderedIndex');
    if (about.schema !== schema)
      throw new TypeError(`planFilter: the index on ${index.field} is about another schema`);
    if (order !== null) ordered.push({ ...order, index: index as OrderedIndex });
    if (key !== null) keyed.push({ ...key, index: index as FieldIndex });
  }
  return { keyed, ordered };
}
