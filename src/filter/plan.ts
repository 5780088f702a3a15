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
import { compileWhole, partsOf, type Filter, type FilterParts, type WholeFilter } from './filter.js';
import type { FilterSource } from '../language/parse.js';
import type { Schema } from '../language/schema/schema.js';

/** Options for parsing a filter, and the existing indexes. */
export interface PlanOptions<T = unknown> extends Omit<FilterOptions, 'check'> {
  /** The schema of rows. All rows must match it (`isRowOf`), except for absent or null fields. */
  readonly schema: Schema;
  readonly indexes: readonly (FieldIndex<T> | OrderedIndex<T>)[];
}

/** The ways to find the rows of a filter without a full scan. */
export interface FilterPlan<T = unknown> {
  /** The filter itself, for a scan. */
  readonly filter: Filter<T>;
  /**
   * Whether a row of the schema can make the filter fail. If false, `test` never throws. Rows of any size count: if one may be
   * too large for the limits, the filter may fail.
   */
  readonly mayFail: boolean;
  /**
   * The operands of the top-level `and` in evaluation order, or the whole filter. Their errors and `source` refer to the whole
   * filter; `print(clause.ast)` returns their own source.
   */
  readonly clauses: readonly Filter<T>[];
  /** The ways to use an index, in source order; empty if only a scan is possible. Choose the one with the fewest rows. */
  readonly lookups: readonly IndexLookup<T>[];
  /** The ways to use an ordered index, in the order of `indexes`: one for each index that serves any clause. */
  readonly ranges: readonly RangeLookup<T>[];
  /**
   * Like `usesNow` of the filter: `at` returns the plan for an instant. Before, `ranges` contains no bounds that depend on the
   * clock.
   */
  readonly usesNow: boolean;
  /**
   * Returns the plan with `now` fixed, as `Filter.at`: at the given instant, or at the clock's current time. Costs a few
   * microseconds in addition to computing the ranges. @throws TypeError if the argument is not a valid Date.
   */
  readonly at: (instant?: Date) => FilterPlan<T>;
}

/** One use of an index. */
export interface IndexLookup<T = unknown> {
  /** Index of the clause that it serves. */
  readonly clause: number;
  readonly index: FieldIndex<T>;
  /** The keys whose rows need to be read; empty if nothing can match. */
  readonly keys: readonly string[];
  /**
   * The filter to apply to these rows; null if they all match. Applied in scan order, it selects the same rows as the whole
   * filter, and fails if the whole filter would. Limits are an exception: only its own clauses are charged, not the one that the
   * index serves.
   */
  readonly residual: Filter<T> | null;
}

/** One use of an ordered index. */
export interface RangeLookup<T = unknown> {
  /** Indexes of the clauses that it serves, ascending. The others are in the residual. */
  readonly clauses: readonly number[];
  readonly index: OrderedIndex<T>;
  /** The ranges of keys whose rows need to be read: ascending and disjoint; empty if nothing can match. */
  readonly ranges: readonly KeyRange[];
  /** Like `residual` of {@link IndexLookup}. */
  readonly residual: Filter<T> | null;
}

/**
 * Returns a plan of which clauses of a filter indexes can serve, and the compiled rest: `F == v` and `F in [..]` for a field, `v in F` for a
 * list, and an `or` of such tests on one field, as operands of the top-level `and`; with an ordered index also the orderings and
 * `starts with`, all clauses about its field at once. A clause after one that a row may not fit is left to the scan, because
 * skipped rows could have failed there. Limits are not considered: if a scan fails at a row that is too large for the limits, an
 * index may skip that row.
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
  // Callers that plan and compile with the same options may pass `check`, but a plan is always checked.
  checkOptions<PlanOptions<T> & FilterOptions>('planFilter', options, [...filterOptionNames, 'indexes']);
  const { indexes, ...settings } = options;
  if ((settings.schema as unknown) === undefined) throw new TypeError('planFilter: schema is missing');
  if (!Array.isArray(indexes)) throw new TypeError('planFilter: indexes must be an array');
  const known = sortIndexes(indexes as PlanOptions['indexes'], settings.schema);
  const { filter: whole, tree, analysis, part } = compileWhole(filter, { ...settings, check: true });
  // With a value for unknown names, the fields read by the filter are not known.
  const isOpen = settings.unknownValue !== undefined;
  const denies = settings.unresolved === 'deny';
  const fails =
    isOpen || (!denies && (mayFail(tree, analysis) || mayExceed(tree, analysis, limitsOf(settings.limits))));
  const { now = () => new Date() } = settings;
  const used = isOpen ? { keyed: [], ordered: [] } : known;
  return createPlan({ whole, tree, analysis, part, denies, fails, now, ...used }) as FilterPlan<T>;
}

/**
 * Returns the plan of a filter that is compiled with `unresolved: 'deny'`. The indexes belong to the schema of the filter, or to
 * one that differs in hidden fields only.
 */
export function planCompiled<T>(filter: Filter<T>, indexes: PlanOptions<T>['indexes']): FilterPlan<T> {
  const { analysis, tree, filter: part } = partsOf(filter as Filter) as FilterParts;
  const now = (): Date => new Date();
  const whole = filter as Filter;
  const used = sortIndexes(indexes as PlanOptions['indexes'], null);
  return createPlan({
    whole,
    tree,
    analysis,
    part,
    denies: true,
    fails: false,
    now,
    ...used,
  }) as FilterPlan<T>;
}

/** The inputs of a plan. */
interface PlanParts extends Pick<WholeFilter, 'tree' | 'analysis' | 'part'> {
  readonly whole: Filter;
  /** Whether unknown values deny a row. */
  readonly denies: boolean;
  readonly fails: boolean;
  readonly now: () => Date;
  readonly keyed: readonly PlannedIndex[];
  readonly ordered: readonly PlannedOrder[];
}

function createPlan({
  whole,
  tree,
  analysis,
  part,
  denies,
  fails,
  now,
  keyed,
  ordered,
}: PlanParts): FilterPlan {
  const nodes = clausesOf(tree);
  // Compiled lazily, because a thousand clauses have a thousand residuals of a thousand clauses each.
  const clauses = lazy(() => Object.freeze(nodes.map((node) => (node === tree ? whole : part(node)))));
  const found = findLookups(nodes, analysis, keyed);
  const rests = new Map<string, Filter | null>();
  const residualOf = (indexed: readonly number[]): Filter | null => {
    const name = indexed.join();
    const cached = rests.get(name);
    if (cached !== undefined) return cached;
    // Indexes store missing values as zero, which denies.
    const left = denies ? tree : clausesWithout(nodes, indexed);
    const rest = left === null ? null : left === tree ? whole : part(left);
    rests.set(name, rest);
    return rest;
  };
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
  return planAt(null);
}

function mapNull(filter: Filter | null, change: (filter: Filter) => Filter): Filter | null {
  return filter === null ? null : change(filter);
}

/** Returns the indexes by kind, with their traits. Checks their schema unless it is null. */
function sortIndexes(
  indexes: PlanOptions['indexes'],
  schema: Schema | null,
): { readonly keyed: readonly PlannedIndex[]; readonly ordered: readonly PlannedOrder[] } {
  const keyed: PlannedIndex[] = [];
  const ordered: PlannedOrder[] = [];
  for (const index of indexes) {
    const order = orderTraitsOf(index as OrderedIndex);
    const key = traitsOf(index as FieldIndex);
    const about = order ?? key;
    if (about === null) throw new TypeError('planFilter: indexes must come from fieldIndex or orderedIndex');
    if (schema !== null && about.schema !== schema)
      throw new TypeError(`planFilter: the index on ${index.field} belongs to another schema`);
    if (order !== null) ordered.push({ ...order, index: index as OrderedIndex });
    if (key !== null) keyed.push({ ...key, index: index as FieldIndex });
  }
  return { keyed, ordered };
}
