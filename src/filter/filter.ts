import { version } from '../runtime/shared-identity.js';
import { isArriving } from '../runtime/async-rows.js';
import { compileExpression } from './compile/compile.js';
import type { CompiledExpression } from './compile/quick/compiled-expression.js';
import { createExecution, type Accelerate, type Execution, type FilterPage } from './compile/execution.js';
import {
  checkDeny,
  copyOptions,
  explainOptionNames,
  filterOptionNames,
  type ExplainOptions,
  type FilterOptions,
} from './compile/filter-options.js';
import { guardDepth } from './compile/guard-depth.js';
import { normalForm } from './compile/normal-form.js';
import { lazily, lazy } from './compile/frame/lazy.js';
import type { Predicate } from './compile/frame/predicate.js';
import type { ScanRange } from './compile/scan-range.js';
import { readInstant, usesClock } from './compile/frame/clock.js';
import type { RowExplanation } from './explain/explanation.js';
import { FilterCheckError } from '../language/diagnostics/errors.js';
import { checkOptions, limitsOf, readNamed } from '../language/diagnostics/options.js';
import { analyse, type Analysis } from '../language/schema/analysis.js';
import { checkExpression } from '../language/schema/check.js';
import { knowledgeOf } from '../language/schema/knowledge.js';
import { createPatternTable } from '../language/schema/pattern-table.js';
import type { InputRowOf } from '../language/schema/row.js';
import type { Schema } from '../language/schema/schema.js';
import { anyType, type Type } from '../language/schema/type.js';
import type { Expression } from '../language/syntax/ast.js';
import {
  levelOf,
  parseWithFields,
  sourceOf,
  type FilterSource,
  type ParsedFilter,
  type ParseOptions,
} from '../language/parse.js';
import type { Relaxation } from '../language/syntax/dialect.js';

/** The accelerator of this process. Without one, as in browsers, the closures evaluate everything. */
let accelerator: Accelerate | null = null;

/** Sets the accelerator of filters that are compiled from now on; null for none. */
export function setAccelerator(accelerate: Accelerate | null): void {
  accelerator = accelerate;
}

/** Creates a function that explains a filter for each row. */
export type CreateExplainer = (filter: ParsedFilter, options: ExplainOptions) => Filter['explain'];

/** Null until `tamis/explain` is imported, so that a bundle includes it only if the program uses it. */
let createExplainer: CreateExplainer | null = null;

/** Sets the implementation of `Filter.explain`, also for existing filters. */
export function explainBy(create: CreateExplainer | null): void {
  createExplainer = create;
}

/**
 * A compiled filter. It has no state between rows: create it once and use it for any number of rows, also concurrently and
 * recursively.
 */
export interface Filter<T = unknown> {
  /** The source that was compiled. */
  readonly source: string;
  readonly ast: Expression;
  /** The parts of the source that only the standard dialect accepts. */
  readonly relaxations: readonly Relaxation[];
  /**
   * Returns whether a row satisfies the filter. Needs no `this`: `rows.filter(filter.test)`. Read the property again for each
   * list: it returns the currently fastest predicate. A retained one costs an extra call per row.
   * @throws FilterEvaluationError if the row does not fit, depending on `unresolved`.
   */
  readonly test: (row: T) => boolean;
  /**
   * Returns the rows that satisfy the filter, in their order; a promise if the rows arrive asynchronously.
   * @throws FilterEvaluationError as `test`.
   */
  readonly select: {
    <Row extends T>(rows: Iterable<Row>): Row[];
    <Row extends T>(rows: AsyncIterable<Row>): Promise<Row[]>;
  };
  /** Returns the number of rows that satisfy the filter. @throws FilterEvaluationError as `test`. */
  readonly count: (rows: Iterable<T>) => number;
  /**
   * Returns the first `size` rows that satisfy the filter, and the first row of the next page, undefined if none exists. Reads
   * no further than that row.
   * @throws FilterEvaluationError as `test`; RangeError if the size is not a valid count.
   */
  readonly page: <Row extends T>(rows: Iterable<Row>, size: number) => FilterPage<Row>;
  /**
   * Adds the matching rows of an array to `into`, until that has `limit` rows. Reads the half-open range of indexes without
   * copying, for scanning a large table piece by piece. Returns the index after the last row that was needed, which is `to` if
   * the limit was not reached.
   * @throws FilterEvaluationError as `test`; RangeError if the range is not within the array.
   */
  readonly scan: <Row extends T>(rows: readonly Row[], into: Row[], range?: ScanRange) => number;
  /**
   * Returns which clause decides the result for the row, and the value that it reads there. Never throws for a row. The same as
   * `explain` of `tamis/explain`.
   * @throws TypeError if the program does not import `tamis/explain`.
   */
  readonly explain: (row: T) => RowExplanation;
  /** Whether results depend on the clock and must not be cached. False for a filter returned by `at`. */
  readonly usesNow: boolean;
  /**
   * Returns the filter with `now` fixed: at the given instant, or at the clock's current time. One query has one instant: each
   * call of `select`, `count`, `page` and `scan`, and each `test` that is read from the filter, uses the time at which it began.
   * If one query makes several calls, bind the filter first. Costs a few microseconds.
   * @throws TypeError if the argument is not a valid Date.
   */
  readonly at: (instant?: Date) => Filter<T>;
}

/** The result of `Filter.page`, and the range of `Filter.scan`. */
export type { FilterPage } from './compile/execution.js';
export type { ScanRange } from './compile/scan-range.js';

/**
 * Compiles a filter expression.
 *
 * ```ts
 * const filter = compileFilter('Status == "running" and "dc1" in Datacenters', { schema });
 * jobs.filter(filter.test);
 * ```
 *
 * With a schema from `defineSchema` the filter accepts rows that fit it ({@link InputRowOf}); to use another row type, name it:
 * `compileFilter<Job>(text, { schema })`. A true `test` proves only what the filter tests, so it narrows no types: use `isRowOf`
 * for values of unknown origin.
 *
 * A parsed filter is parsed again from its source, within these limits; its dialect applies if the options name none. A tree is
 * printed with `print` first: errors refer to that source, which is the `source` of the filter.
 *
 * @throws FilterSyntaxError if the source is not a valid expression.
 * @throws FilterLimitError if it exceeds a limit.
 * @throws FilterCheckError if no row could satisfy it as written (unknown field, wrong kind, bad pattern).
 * @throws TypeError if an option is invalid, or a tree is not a valid filter.
 */
export function compileFilter<S extends Schema>(
  filter: FilterSource,
  options: FilterOptions & { readonly schema: S },
): Filter<InputRowOf<S>>;
export function compileFilter<T = unknown>(filter: FilterSource, options?: FilterOptions): Filter<T>;
export function compileFilter(filter: FilterSource, options: FilterOptions = {}): Filter {
  checkOptions('compileFilter', options, filterOptionNames);
  return createCompile(options)(filter).filter;
}

/** A filter that is parsed and compiled on demand if an earlier one differs from it only in its literals. */
export interface LazyFilter {
  readonly filter: Filter;
  /** As {@link FilterParts.tree}, possibly with the spans of an earlier filter. */
  readonly tree: () => Expression;
  readonly analysis: () => Analysis;
  readonly whole: () => Pick<WholeFilter, 'tree' | 'part'>;
}

/** Returns a function that compiles filters with the given options, which it copies. */
export function createCompile(given: FilterOptions): (source: FilterSource) => LazyFilter {
  const options = copyOptions(given);
  const recall = createRecall(options);
  return (source) => {
    const recalled = recall(source, accelerator);
    if (recalled !== null) return recalled;
    const whole = compileWhole(source, options);
    const { filter, tree, analysis } = whole;
    return { filter, tree: () => tree, analysis: () => analysis, whole: () => whole };
  };
}

/**
 * Returns a function that returns a filter that differs from an earlier one only in its literals; null if the accelerator knows
 * none. The caller does not change the options later.
 */
export function createRecall(
  options: FilterOptions,
): (source: FilterSource, accelerate: Accelerate | null) => LazyFilter | null {
  const settings = settingsOf(options);
  const [root, limits] = [rootOf(options), limitsOf(options.limits)];
  return (source, accelerate) => {
    if (settings === null || typeof source !== 'string' || accelerate?.recall === undefined) return null;
    const whole = lazy(() => compileWhole(source, options, accelerate));
    const compile = (): CompiledExpression => whole().compile();
    const expression = accelerate.recall({ root, source, settings, limits, compile });
    if (expression === null) return null;
    const execution = createExecution(expression, accelerate);
    const compiled = (): CompiledFilter => whole().filter as CompiledFilter;
    const explain: Filter['explain'] = (row) => compiled().explain(row);
    const parts = (): FilterParts => compiled()[partsKey]();
    const filter = new CompiledFilter(source, compiled, execution, explain, null, parts);
    const analysis = lazy(() => analyse(root, 1, options.unresolved === 'absent'));
    return { filter: Object.freeze(filter), tree: expression.tree, analysis, whole };
  };
}

/** Identifies the options that affect the meaning of a filter; null if its results depend on more than its source and them. */
function settingsOf(options: FilterOptions): string | null {
  const { schema, dialect, level, check, unresolved = 'error', unknownValue, limits, specialise } = options;
  if (schema === undefined || unresolved === 'deny' || unknownValue !== undefined || dialect === 'go-bexpr')
    return null;
  if (level === 0 || check === false || specialise === false) return null;
  return limits === undefined ? unresolved : unresolved + JSON.stringify(limits);
}

/** The components of a filter, for callers that evaluate its parts separately. */
export interface FilterParts {
  readonly analysis: Analysis;
  /** The tree that is evaluated: that of the filter, or with `unresolved: 'deny'` its normal form, which has no `not`. */
  readonly tree: Expression;
  /** Identifies the settings that affect the meaning of a part: equal strings mean equal semantics. */
  readonly meaning: string;
  /** Whether the fields read by the filter are known: false if unknown names have a value. */
  readonly isClosed: boolean;
  /** The instant of `now`, in milliseconds since 1970; null for a filter that does not use it, or is not bound to one. */
  readonly now: number | null;
  readonly filter: (ast: Expression) => Filter;
  /** Compiles a part to the careful closures alone, so that generated code does not count these evaluations. */
  readonly test: (ast: Expression) => Predicate;
}

/** Returns the components of a filter, including its bound instant; null for objects not created by `compileFilter`. */
export function partsOf(filter: Filter): FilterParts | null {
  return partsKey in filter ? (filter as CompiledFilter)[partsKey]() : null;
}

/** A filter with a function that compiles parts of it separately. Errors still refer to the source of the whole. */
export interface WholeFilter {
  readonly filter: Filter;
  /** As {@link FilterParts.tree}. */
  readonly tree: Expression;
  readonly analysis: Analysis;
  readonly part: (ast: Expression) => Filter;
  /** Compiles the filter again, for no instant. */
  readonly compile: () => CompiledExpression;
}

/** Like {@link compileFilter}, for callers that compile parts of the filter. */
export function compileWhole(
  filter: FilterSource,
  given: FilterOptions,
  accelerate: Accelerate | null = accelerator,
): WholeFilter {
  const options = copyOptions(given);
  const limits = limitsOf(options.limits);
  const { source, dialect } = sourceOf('compileFilter', filter, limits);
  const { level = 1 } = options;
  const language = { dialect: options.dialect ?? dialect, level };
  const parsed = parseWithFields(knowledgeOf(rootOf(options)), source, language, limits);
  return compileParsed(parsed, options, language, accelerate, settingsOf(options));
}

/**
 * Like {@link compileWhole}, for a tree that is not printed and parsed again. `source` describes it: the spans of its nodes need
 * not refer to it.
 */
export function compileTree(ast: Expression, source: string, options: FilterOptions): WholeFilter {
  const parsed: ParsedFilter = { source, ast, dialect: 'standard', relaxations: [] };
  return compileParsed(parsed, copyOptions(options), {}, accelerator, null);
}

function rootOf({ schema }: FilterOptions): Type {
  return schema?.root ?? anyType;
}

function compileParsed(
  parsed: ParsedFilter,
  /** A copy, which the caller cannot change later. */
  options: FilterOptions,
  language: Omit<ParseOptions, 'limits'>,
  accelerate: Accelerate | null,
  /** As in `Origin`. */
  settings: string | null,
): WholeFilter {
  const { check = true, unresolved = 'error' } = options;
  const { source } = parsed;
  const limits = limitsOf(options.limits);
  const hasUnknownValue = 'unknownValue' in options && options.unknownValue !== undefined;
  checkDeny('compileFilter', options);
  const analysis = analyse(rootOf(options), levelOf(language), check && unresolved !== 'error');
  const patterns = createPatternTable(source, limits);
  const unknown = hasUnknownValue ? ([options.unknownValue] as const) : null;
  const policy = { source, unresolved };
  const treeOf = (ast: Expression): Expression => (unresolved === 'deny' ? normalForm(ast) : ast);
  const compileAt = (ast: Expression): FilterPlan['compile'] => {
    const evaluated = treeOf(ast);
    const isWhole = ast === parsed.ast && !usesClock(ast, analysis);
    const origin = settings === null || !isWhole ? null : { source, settings, limits };
    return (now) =>
      compileExpression(evaluated, { analysis, patterns, policy, unknown, costLimits: limits, now, origin });
  };
  const part = (ast: Expression): Filter => {
    const compile = compileAt(ast);
    const partsAt = (now: number | null): FilterParts => partsOfTree(treeOf(ast), now);
    const plan = { parsed: { ...parsed, ast }, compile, options, accelerate, partsAt };
    return usesClock(ast, analysis) ? createClockFilter(plan) : createFilter(plan, null);
  };
  const partsOfTree = (evaluated: Expression, now: number | null): FilterParts => ({
    analysis,
    tree: evaluated,
    meaning: JSON.stringify([unresolved, language, limits]),
    isClosed: !hasUnknownValue,
    now,
    filter: (ast) => (now === null ? part(ast) : part(ast).at(new Date(now))),
    test: (ast) => compileAt(ast)(now).test,
  });
  const tree = guardDepth(parsed, () => treeOf(parsed.ast));
  const whole = guardDepth(parsed, () => {
    if (check) {
      const [first, ...rest] = checkExpression(parsed.ast, analysis, patterns, hasUnknownValue);
      if (first !== undefined) throw new FilterCheckError(source, [first, ...rest]);
    }
    return part(parsed.ast);
  });
  return { filter: whole, tree, analysis, part, compile: () => compileAt(parsed.ast)(null) };
}

/** The inputs from which a filter is created. */
interface FilterPlan {
  readonly parsed: ParsedFilter;
  /** Compiles for an instant, in milliseconds since 1970; null for a filter that does not use the clock. */
  readonly compile: (now: number | null) => CompiledExpression;
  readonly options: FilterOptions;
  readonly accelerate: Accelerate | null;
  readonly partsAt: (now: number | null) => FilterParts;
}

function createFilter(plan: FilterPlan, now: number | null): Filter {
  const { parsed, compile, options, accelerate, partsAt } = plan;
  const execution = createExecution(compile(now), options.specialise === false ? null : accelerate);
  const explain = lazily(() => {
    const clock = now === null ? {} : { now: () => new Date(now) };
    if (createExplainer === null)
      throw new TypeError("filter.explain: import 'tamis/explain' to use this method");
    return createExplainer(parsed, { ...readNamed(options, explainOptionNames), ...clock });
  });
  const parts = (): FilterParts => partsAt(now);
  return Object.freeze(new CompiledFilter(parsed.source, () => parsed, execution, explain, null, parts));
}

/** Creates a filter that uses the clock: one compiled filter per instant, from shared parts. The last one is cached. */
function createClockFilter(plan: FilterPlan): Filter {
  const { now = () => new Date() } = plan.options;
  let last: { readonly millis: number; readonly filter: Filter } | null = null;
  const at: Filter['at'] = (instant = now()) => {
    const millis = readInstant(instant);
    if (last?.millis !== millis) last = { millis, filter: createFilter(plan, millis) };
    return last.filter;
  };
  return Object.freeze(
    new CompiledFilter(
      plan.parsed.source,
      () => plan.parsed,
      {
        test: () => at().test,
        select: (rows) => at().select(rows),
        count: (rows) => at().count(rows),
        page: (rows, size) => at().page(rows, size),
        scan: (rows, into, range) => at().scan(rows, into, range),
      },
      (row) => at().explain(row),
      at,
      () => plan.partsAt(null),
    ),
  );
}

const partsKey: unique symbol = Symbol.for(`tamis ${version} filter parts`);

/** A class, because `test` as an own accessor would give every filter a separate hidden class. */
class CompiledFilter implements Filter {
  readonly source: string;
  readonly select: Filter['select'];
  readonly count: Filter['count'];
  readonly page: Filter['page'];
  readonly scan: Filter['scan'];
  readonly explain: Filter['explain'];
  readonly usesNow: boolean;
  readonly at: Filter['at'];
  readonly #parsed: () => Pick<ParsedFilter, 'ast' | 'relaxations'>;
  readonly #test: () => Predicate;
  readonly #parts: () => FilterParts;

  constructor(
    source: string,
    parsed: () => Pick<ParsedFilter, 'ast' | 'relaxations'>,
    { test, select, count, page, scan }: Execution,
    explain: Filter['explain'],
    /** Null for a filter that does not use the clock, which is the same at any instant. */
    at: Filter['at'] | null,
    parts: () => FilterParts,
  ) {
    this.source = source;
    this.#parsed = parsed;
    this.#test = test;
    this.#parts = parts;
    this.select = (<Row>(rows: Iterable<Row> | AsyncIterable<Row>) =>
      isArriving(rows) ? selectArriving(this, rows) : select(rows)) as Filter['select'];
    this.count = count;
    this.page = page;
    this.scan = scan;
    this.explain = explain;
    this.usesNow = at !== null;
    this.at =
      at ??
      ((instant) => {
        if (instant !== undefined) readInstant(instant);
        return this;
      });
  }

  get ast(): Expression {
    return this.#parsed().ast;
  }

  get relaxations(): readonly Relaxation[] {
    return this.#parsed().relaxations;
  }

  get test(): Predicate {
    return this.#test();
  }

  [partsKey](): FilterParts {
    return this.#parts();
  }
}

/** Selects asynchronously arriving rows, all at one instant. */
async function selectArriving<Row>(filter: Filter, rows: AsyncIterable<Row>): Promise<Row[]> {
  const { test } = filter.at();
  const found: Row[] = [];
  for await (const row of rows) if (test(row)) found.push(row);
  return found;
}
