import { isArriving } from '../runtime/async-rows.js';
import { compileExpression } from './compile/compile.js';
import type { CompiledExpression } from './compile/quick/compiled-expression.js';
import { createExecution, type Accelerate, type Execution, type FilterPage } from './compile/execution.js';
import {
  explainOptionNames,
  filterOptionNames,
  type ExplainOptions,
  type FilterOptions,
} from './compile/filter-options.js';
import { guardDepth } from './compile/guard-depth.js';
import { lazily } from './compile/frame/lazy.js';
import type { Predicate } from './compile/frame/predicate.js';
import type { ScanRange } from './compile/scan-range.js';
import { readInstant, usesClock } from './compile/frame/clock.js';
import type { RowExplanation } from './explain/explanation.js';
import { FilterCheckError } from '../language/diagnostics/errors.js';
import { checkOptions, limitsOf } from '../language/diagnostics/options.js';
import { analyse, type Analysis } from '../language/schema/analysis.js';
import { checkExpression } from '../language/schema/check.js';
import { knowledgeOf } from '../language/schema/knowledge.js';
import { createPatternTable } from '../language/schema/pattern-table.js';
import type { InputRowOf } from '../language/schema/row.js';
import type { Schema } from '../language/schema/schema.js';
import { anyType } from '../language/schema/type.js';
import type { Expression } from '../language/syntax/ast.js';
import { parseWithFields, sourceOf, type FilterSource, type ParsedFilter } from '../language/parse.js';
import type { Relaxation } from '../language/syntax/dialect.js';

/** The accelerator of this process. Without it, as in a browser, the closures answer everything. */
let accelerator: Accelerate | null = null;

/** Filters that are compiled from now on are accelerated; by nothing where there is null. */
export function setAccelerator(accelerate: Accelerate | null): void {
  accelerator = accelerate;
}

/** Creates a function that explains a filter for each row. */
export type CreateExplainer = (filter: ParsedFilter, options: ExplainOptions) => Filter['explain'];

/** Null until `tamis/explain` is imported: a bundle includes it only if the program uses it. */
let createExplainer: CreateExplainer | null = null;

/** Sets the implementation of `Filter.explain`, for filters that exist too. */
export function explainBy(create: CreateExplainer | null): void {
  createExplainer = create;
}

/**
 * A compiled filter. It holds no state between rows: make it once, use it on as many rows as you like, from several
 * places and from within itself.
 */
export interface Filter<T = unknown> {
  /** The text that was compiled. */
  readonly source: string;
  readonly ast: Expression;
  /** What the text uses that only the standard dialect accepts. */
  readonly relaxations: readonly Relaxation[];
  /**
   * Whether the row satisfies the filter. Needs no `this`: `rows.filter(filter.test)`. Take it anew for each list: it is
   * the fastest predicate that there is at the moment; one that is kept from the beginning costs a call more for each row.
   * @throws FilterEvaluationError where the row does not fit, as `unresolved` says.
   */
  readonly test: (row: T) => boolean;
  /**
   * The rows that satisfy the filter, in their order; promised where they arrive one by one.
   * @throws FilterEvaluationError as `test`.
   */
  readonly select: {
    <Row extends T>(rows: Iterable<Row>): Row[];
    <Row extends T>(rows: AsyncIterable<Row>): Promise<Row[]>;
  };
  /** How many rows satisfy the filter. @throws FilterEvaluationError as `test`. */
  readonly count: (rows: Iterable<T>) => number;
  /**
   * The first `size` rows that satisfy the filter, and the one that the next page starts with, undefined where there is
   * none. Looks no further than that row.
   * @throws FilterEvaluationError as `test`; RangeError for a size that is no count.
   */
  readonly page: <Row extends T>(rows: Iterable<Row>, size: number) => FilterPage<Row>;
  /**
   * Adds the rows of an array that satisfy the filter to `into`, until that holds `most`. Looks at those from the place
   * `from` to before `to`, without a copy: for those who go through a large table piece by piece. Returns the place behind
   * the last row that was needed, which is `to` where `most` was not reached.
   * @throws FilterEvaluationError as `test`; RangeError for a range that is not one of the array.
   */
  readonly scan: <Row extends T>(rows: readonly Row[], into: Row[], range?: ScanRange) => number;
  /**
   * Returns which clause decides about the row, and the value that it finds there. Never throws for a row. The same as `explain`
   * of `tamis/explain`.
   * @throws TypeError if the program does not import `tamis/explain`.
   */
  readonly explain: (row: T) => RowExplanation;
  /** Whether the answers depend on the clock, and so are not to be kept. False for a filter that `at` has returned. */
  readonly usesNow: boolean;
  /**
   * The filter with `now` standing still: at an instant, or at what the clock shows. One query has one instant: each use of
   * `select`, `count`, `page` and `scan`, and each `test` that is taken out of the filter, is at that of its beginning; whoever
   * asks one question in several calls binds the filter first. Costs a few microseconds.
   * @throws TypeError for what is no valid Date.
   */
  readonly at: (instant?: Date) => Filter<T>;
}

/** What `Filter.page` returns, and what `Filter.scan` takes. */
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
 * With a schema that was defined in the program the filter takes rows that fit it ({@link InputRowOf}); name another type
 * of row to say otherwise: `compileFilter<Job>(text, { schema })`. A true `test` proves what the text asks and no more, so
 * it narrows no types: use `isRowOf` for values of unknown origin.
 *
 * A parsed filter counts as its text, read again within these limits; its dialect holds where the options name none. A tree
 * counts as what `print` makes of it: errors point into that text, which is the `source` of the filter.
 *
 * @throws FilterSyntaxError where the text is no expression.
 * @throws FilterLimitError where it exceeds a limit.
 * @throws FilterCheckError where no row could satisfy it as written (unknown field, wrong kind, bad pattern).
 * @throws TypeError for a wrong option, and for a tree that is no filter's.
 */
export function compileFilter<S extends Schema>(
  filter: FilterSource,
  options: FilterOptions & { readonly schema: S },
): Filter<InputRowOf<S>>;
export function compileFilter<T = unknown>(filter: FilterSource, options?: FilterOptions): Filter<T>;
export function compileFilter(filter: FilterSource, options: FilterOptions = {}): Filter {
  checkOptions('compileFilter', options, filterOptionNames);
  return compileWhole(filter, options).filter;
}

/** What a filter was made of, for those who ask its parts by themselves. */
export interface FilterParts {
  readonly analysis: Analysis;
  /** Whatever else decides what a part means: equal texts for equal meanings. */
  readonly meaning: string;
  /** False where unknown names have a value, so that nothing is known of what the filter reads. */
  readonly isClosed: boolean;
  /** What `now` is, in milliseconds since 1970; null for a filter that asks for none, or is bound to none. */
  readonly now: number | null;
  readonly filter: (ast: Expression) => Filter;
  /** The careful closures alone: no code that is made for rows learns of what they are asked. */
  readonly test: (ast: Expression) => Predicate;
}

/** The parts of a filter, those of its instant where it is bound to one; null for what no `compileFilter` has made. */
export function partsOf(filter: Filter): FilterParts | null {
  return CompiledFilter.partsOf(filter);
}

/** A filter, and how to compile a part of it by itself: errors still point into the text of the whole. */
export interface WholeFilter {
  readonly filter: Filter;
  readonly analysis: Analysis;
  readonly part: (ast: Expression) => Filter;
}

/** As {@link compileFilter}, for passes over the whole that give parts of it to others. */
export function compileWhole(
  filter: FilterSource,
  options: FilterOptions,
  accelerate: Accelerate | null = accelerator,
): WholeFilter {
  const { schema, check = true, unresolved = 'error' } = options;
  const limits = limitsOf(options.limits);
  const { source, dialect } = sourceOf('compileFilter', filter, limits);
  const hasUnknownValue = 'unknownValue' in options && options.unknownValue !== undefined;
  const root = schema?.root ?? anyType;
  const { level = 1 } = options;
  const language = { dialect: options.dialect ?? dialect, level };
  const parsed = parseWithFields(knowledgeOf(root), source, language, limits);
  const analysis = analyse(root);
  const patterns = createPatternTable(source, limits);
  const unknown = hasUnknownValue ? ([options.unknownValue] as const) : null;
  const policy = { source, unresolved };
  // What the caller does to the options afterwards changes nothing.
  const settings = { ...options };
  const part = (ast: Expression): Filter => {
    const compile = (now: number | null): CompiledExpression =>
      compileExpression(ast, { analysis, patterns, policy, unknown, allowance: limits, now });
    const plan = { parsed: { ...parsed, ast }, compile, options: settings, accelerate, partsAt };
    return usesClock(ast, analysis) ? createClockFilter(plan) : createFilter(plan, null);
  };
  const partsAt = (now: number | null): FilterParts => ({
    analysis,
    meaning: JSON.stringify([unresolved, language, limits]),
    isClosed: !hasUnknownValue,
    now,
    filter: (ast) => (now === null ? part(ast) : part(ast).at(new Date(now))),
    test: (ast) =>
      compileExpression(ast, { analysis, patterns, policy, unknown, allowance: limits, now }).test,
  });
  const whole = guardDepth(parsed, () => {
    if (check) {
      const [first, ...rest] = checkExpression(parsed.ast, analysis, patterns, hasUnknownValue);
      if (first !== undefined) throw new FilterCheckError(source, [first, ...rest]);
    }
    return part(parsed.ast);
  });
  return { filter: whole, analysis, part };
}

/** What a filter is made of. */
interface FilterPlan {
  readonly parsed: ParsedFilter;
  /** Compiles for an instant, in milliseconds since 1970; null for a filter that asks for none. */
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
    return createExplainer(parsed, { ...explainOptionsOf(options), ...clock });
  });
  return Object.freeze(new CompiledFilter(parsed, execution, explain, null, () => partsAt(now)));
}

/** Those of the options that tell what a filter means. */
function explainOptionsOf(options: FilterOptions): ExplainOptions {
  return Object.fromEntries(explainOptionNames.map((name) => [name, options[name]]));
}

/** A filter that asks for the clock: one for each instant, made of the same parts. The last one is kept. */
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
      plan.parsed,
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

/** A class for the sake of `test`: as an accessor of its own, it would give every filter a shape of its own. */
class CompiledFilter implements Filter {
  readonly source: string;
  readonly ast: Expression;
  readonly relaxations: readonly Relaxation[];
  readonly select: Filter['select'];
  readonly count: Filter['count'];
  readonly page: Filter['page'];
  readonly scan: Filter['scan'];
  readonly explain: Filter['explain'];
  readonly usesNow: boolean;
  readonly at: Filter['at'];
  readonly #test: () => Predicate;
  readonly #parts: () => FilterParts;

  static partsOf(filter: Filter): FilterParts | null {
    return #parts in filter ? filter.#parts() : null;
  }

  constructor(
    { source, ast, relaxations }: ParsedFilter,
    { test, select, count, page, scan }: Execution,
    explain: Filter['explain'],
    /** Null for a filter that asks for no clock: it is bound to any instant. */
    at: Filter['at'] | null,
    parts: () => FilterParts,
  ) {
    this.source = source;
    this.ast = ast;
    this.relaxations = relaxations;
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

  get test(): Predicate {
    return this.#test();
  }
}

/** At one instant, from the first row to the last. */
async function selectArriving<Row>(filter: Filter, rows: AsyncIterable<Row>): Promise<Row[]> {
  const { test } = filter.at();
  const found: Row[] = [];
  for await (const row of rows) if (test(row)) found.push(row);
  return found;
}
