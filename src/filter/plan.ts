import { readInstant } from './compile/frame/clock.js';
import { traitsOf, type FieldIndex } from './compile/frame/field-index.js';
import type { KeyRange } from './compile/frame/key-range.js';
import { orderTraitsOf, type OrderedIndex } from './compile/frame/ordered-index.js';
import { mayExceed, mayFail } from './compile/can-fail.js';
import { lazy } from './compile/frame/lazy.js';
import type { CostLimits } from './compile/frame/meter.js';
import {
  clausesOf,
  clausesWithout,
  findLookups,
  findRanges,
  groupByField,
  type IndexesByField,
  type PlannedIndex,
  type PlannedOrder,
} from './compile/plan.js';
import { checkOptions, limitsOf } from '../language/diagnostics/options.js';
import { filterOptionNames, type FilterOptions } from './compile/filter-options.js';
import { createCompile, partsOf, type Filter, type FilterParts, type LazyFilter } from './filter.js';
import type { FilterSource } from '../language/parse.js';
import type { Schema } from '../language/schema/schema.js';
import type { Expression } from '../language/syntax/ast.js';

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
  return createPlanner(options)(filter);
}

/** Returns a function like {@link planFilter} for filters with the same options, which it copies. */
export function createPlanner<T>(options: PlanOptions<T>): (filter: FilterSource) => FilterPlan<T> {
  // Callers that plan and compile with the same options may pass `check`, but a plan is always checked.
  checkOptions<PlanOptions<T> & FilterOptions>('planFilter', options, [...filterOptionNames, 'indexes']);
  const { indexes, ...settings } = options;
  const { schema, unresolved, unknownValue, limits, now = () => new Date() } = settings;
  if ((schema as unknown) === undefined) throw new TypeError('planFilter: schema is missing');
  if (!Array.isArray(indexes)) throw new TypeError('planFilter: indexes must be an array');
  const known = sortIndexes(indexes as PlanOptions['indexes'], schema);
  const compile = createCompile({ ...settings, check: true });
  // With a value for unknown names, the fields read by the filter are not known.
  const isOpen = unknownValue !== undefined;
  const used = isOpen ? sortIndexes([], schema) : known;
  const setting = { denies: unresolved === 'deny', isOpen, limits: limitsOf(limits), now, ...used };
  return (filter) => createPlan(compile(filter), setting) as FilterPlan<T>;
}

/**
 * Returns the plan of a filter that is compiled with `unresolved: 'deny'`. The indexes belong to the schema of the filter, or to
 * one that differs in hidden fields only.
 */
export function planCompiled<T>(filter: Filter<T>, indexes: PlanOptions<T>['indexes']): FilterPlan<T> {
  const { analysis, tree, filter: part } = partsOf(filter as Filter) as FilterParts;
  const whole = { tree: () => tree, analysis: () => analysis, whole: () => ({ tree, part }) };
  const used = sortIndexes(indexes as PlanOptions['indexes'], null);
  const setting = { denies: true, isOpen: false, limits: limitsOf(undefined), now: () => new Date() };
  return createPlan({ filter: filter as Filter, ...whole }, { ...setting, ...used }) as FilterPlan<T>;
}

/** The inputs of a plan that do not depend on its filter. */
interface PlanSetting extends SortedIndexes {
  /** Whether unknown values deny a row. */
  readonly denies: boolean;
  /** Whether unknown names have a value. */
  readonly isOpen: boolean;
  readonly limits: CostLimits;
  readonly now: () => Date;
}

function createPlan({ filter, tree, analysis, whole }: LazyFilter, setting: PlanSetting): FilterPlan {
  const { denies, isOpen, limits, keyed, ordered, now } = setting;
  const nodes = lazy(() => clausesOf(tree()));
  const fails = lazy(() => mayFail(tree(), analysis()) || mayExceed(tree(), analysis(), limits));
  const partOf = (node: Expression): Filter => (node === whole().tree ? filter : whole().part(node));
  // Compiled lazily, because a thousand clauses have a thousand residuals of a thousand clauses each.
  const clauses = lazy(() => clausesOf(whole().tree).map(partOf));
  const found = lazy(() => findLookups(nodes(), analysis(), keyed));
  const rests = new Map<string, Filter>();
  const residualOf = (indexed: readonly number[]): Filter | null => {
    // Indexes store missing values as zero, which denies.
    const restOf = (of: Expression) => (denies ? of : clausesWithout(clausesOf(of), indexed));
    const left = restOf(tree()) === null ? null : restOf(whole().tree);
    const name = indexed.join();
    const rest = rests.get(name) ?? (left === null ? null : partOf(left));
    if (rest !== null) rests.set(name, rest);
    return rest;
  };
  const planAt = (instant: Date | null): FilterPlan => {
    const millis = instant === null ? null : readInstant(instant);
    const bind = (unbound: Filter): Filter => (millis === null ? unbound : unbound.at(new Date(millis)));
    const withResidual = <Found>(
      use: Found,
      indexed: readonly number[],
    ): Found & Pick<IndexLookup, 'residual'> => {
      const residual = lazy(() => {
        const rest = residualOf(indexed);
        return rest === null ? null : bind(rest);
      });
      return Object.freeze({
        ...use,
        get residual() {
          return residual();
        },
      });
    };
    const lookups = (): IndexLookup[] =>
      found().map((each) => withResidual({ ...each, keys: Object.freeze(each.keys) }, [each.clause]));
    const ranges = (): RangeLookup[] =>
      findRanges(nodes(), analysis(), ordered, millis).map(({ clauses: served, index, ranges: all }) => {
        const frozen = Object.freeze(all.map((range) => Object.freeze(range)));
        return withResidual({ clauses: Object.freeze(served), index, ranges: frozen }, served);
      });
    const usesNow = filter.usesNow && instant === null;
    const plan: FilterPlan = new Plan(usesNow, {
      filter: lazy(() => bind(filter)),
      mayFail: () => isOpen || (!denies && fails()),
      clauses: lazy(() => Object.freeze(clauses().map(bind))),
      lookups: lazy(() => Object.freeze(lookups())),
      ranges: lazy(() => Object.freeze(ranges())),
      at: () => (at) => {
        if (usesNow) return planAt(at === undefined ? now() : at);
        if (at !== undefined) readInstant(at);
        return plan;
      },
    });
    return plan;
  };
  return planAt(null);
}

type PlanReaders = { readonly [Name in Exclude<keyof FilterPlan, 'usesNow'>]: () => FilterPlan[Name] };

/** A class, because objects with own accessors are slow to create. */
class Plan implements FilterPlan {
  readonly usesNow: boolean;
  readonly #read: PlanReaders;

  constructor(usesNow: boolean, read: PlanReaders) {
    this.usesNow = usesNow;
    this.#read = read;
    Object.freeze(this);
  }

  get filter(): Filter {
    return this.#read.filter();
  }

  get mayFail(): boolean {
    return this.#read.mayFail();
  }

  get clauses(): FilterPlan['clauses'] {
    return this.#read.clauses();
  }

  get lookups(): FilterPlan['lookups'] {
    return this.#read.lookups();
  }

  get ranges(): FilterPlan['ranges'] {
    return this.#read.ranges();
  }

  get at(): FilterPlan['at'] {
    return this.#read.at();
  }
}

interface SortedIndexes {
  readonly keyed: IndexesByField;
  readonly ordered: readonly PlannedOrder[];
}

/** Returns the indexes by kind, with their traits. Checks their schema unless it is null. */
function sortIndexes(indexes: PlanOptions['indexes'], schema: Schema | null): SortedIndexes {
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
  return { keyed: groupByField(keyed), ordered };
}
