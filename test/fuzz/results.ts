import '../../src/entries/explain.js';
import { inspect, isDeepStrictEqual } from 'node:util';
import {
  FilterCheckError,
  FilterError,
  FilterEvaluationError,
  FilterLimitError,
  FilterSyntaxError,
  parse,
  parseSchema,
  planFilter,
  type Expression,
  type Filter,
  type FilterOptions,
} from '../../src/index.js';
import { compileWhole } from '../../src/filter/filter.js';
import { eager } from '../specialise/eager.js';
import { allIndexes, rowsInRanges, rowsWithKeys } from '../support/all-indexes.js';
import type { Draw } from '../support/draw.js';
import { drawFilter } from '../support/drawn-filter.js';
import { drawShape } from '../support/drawn-shape.js';
import { Values } from '../support/drawn-values.js';
import { essence } from '../support/filter-tree.js';
import { interpret, type InterpreterOptions } from '../support/interpreter.js';
import { checkForms, type Verdict } from '../support/oracle-check.js';
import type { OracleSchema } from '../support/oracle-value.js';
import { writeFilter, type WrittenFilter } from '../support/written-filter.js';

/** One filter and a few rows, and the entry point. */
export interface Case {
  readonly shape: OracleSchema;
  /** Whether the engine gets the shape. */
  readonly isTyped: boolean;
  readonly expression: Expression;
  readonly written: WrittenFilter;
  readonly rows: readonly unknown[];
  /** Whether the rows are what the shape says, fields that are absent or null aside. */
  readonly fits: boolean;
  readonly unresolved: 'error' | 'absent';
  readonly now: Date;
}

/** How far a case got. */
export type Reached = 'refused' | 'failed' | 'evaluated';

/** What became of a case: how far it got, or in which way engine and interpreter differ. */
export interface Judgement {
  readonly reached: Reached;
  readonly difference: string | null;
}

export function drawCase(draw: Draw): Case {
  const shape = drawShape(draw);
  const values = new Values(draw);
  const isTyped = !draw.oneIn(3);
  const expression = drawFilter(draw, values, shape, isTyped);
  const isOdd = draw.oneIn(3);
  return {
    shape,
    isTyped,
    expression,
    written: writeFilter(draw, expression),
    rows: draw.list(1, 4, () => values.row(shape, isOdd)),
    fits: !isOdd,
    unresolved: draw.oneIn(3) ? 'absent' : 'error',
    now: new Date(Number(values.instant / 1_000_000n)),
  };
}

/** All of a case, for people. */
export function render({ written, rows, shape, isTyped, unresolved, now }: Case): string {
  const rendered = { filter: written.text, rows, unresolved, now, schema: isTyped ? shape.structs : null };
  return inspect(rendered, { depth: 12, breakLength: 140 });
}

type Result = boolean | string;

/** Evaluates with engine and interpreter, in every entry point. */
export function judge(one: Case): Judgement {
  const { expression, written, shape, isTyped } = one;
  const schema = isTyped ? shape : undefined;
  try {
    const { ast } = parse(written.text);
    if (!isDeepStrictEqual(essence(ast), essence(expression))) {
      return differs(`read as another tree: ${inspect(essence(ast), { depth: 12 })}`);
    }
  } catch (error) {
    if (error instanceof FilterSyntaxError) return differs(`not read: ${error.message}`);
    throw error;
  }
  const verdicts = checkForms(expression, schema);
  const isRefused = [...verdicts.values()].includes('refused');
  const refusal = refusalOf(one, verdicts);
  if (refusal === 'limit') return { reached: 'refused', difference: null };
  if (typeof refusal === 'string') return differs(refusal);
  if (isRefused)
    return refusal ? { reached: 'refused', difference: null } : differs('the check lets it pass');
  // Whether the page leaves it open or go-bexpr's rules refuse it: rows decide.
  if (refusal && [...verdicts.values()].includes('open')) return { reached: 'refused', difference: null };
  return compare(one, { check: !refusal });
}

function differs(difference: string): Judgement {
  return { reached: 'evaluated', difference };
}

function settingsOf({ shape, isTyped, unresolved, now, written }: Case): FilterOptions {
  const clock = written.text.includes('now') ? { now: () => now } : {};
  return { unresolved, ...clock, ...(isTyped ? { schema: parseSchema(shape) } : {}) };
}

/** Whether the check refuses a filter; in words, where it should not. */
function refusalOf(one: Case, verdicts: ReadonlyMap<unknown, Verdict>): boolean | string {
  const { written } = one;
  try {
    compileWhole(written.text, settingsOf(one), null);
    return false;
  } catch (error) {
    if (error instanceof FilterLimitError) return 'limit';
    if (!(error instanceof FilterCheckError)) throw error;
    for (const { span, message } of error.diagnostics) {
      const position = [...written.places].find(
        ([, { start, end }]) => start <= span.start && span.end <= end,
      );
      if (position !== undefined && verdicts.get(position[0]) === 'sound')
        return `the check refuses it: ${message}`;
    }
    return true;
  }
}

const ways = [
  ['closures', { specialise: false }],
  ['code', {}],
] as const;

function compare(one: Case, settings: FilterOptions): Judgement {
  const { expression, written, rows, shape, isTyped, unresolved, now } = one;
  const options: InterpreterOptions = {
    unresolved,
    now: BigInt(now.getTime()) * 1_000_000n,
    ...(isTyped ? { schema: shape } : {}),
  };
  const expected = rows.map((row) => interpret(expression, row, options));
  const reached = expected.some((result) => typeof result === 'string') ? 'failed' : 'evaluated';
  for (const [way, more] of ways) {
    const { filter } = compileWhole(written.text, { ...settingsOf(one), ...settings, ...more }, eager);
    const difference = compareWay(filter, rows, expected);
    if (difference !== null) return { reached, difference: `${way}: ${difference}` };
  }
  return { reached, difference: settings.check === true ? comparePlan(one, expected) : null };
}

/** Each way to use an index selects what a scan selects, and fails where that fails. */
function comparePlan(one: Case, expected: readonly Result[]): string | null {
  const { written, rows } = one;
  const settings = settingsOf(one);
  const { schema } = settings;
  if (schema === undefined || !one.fits) return null;
  const unbound = planFilter(written.text, { ...settings, schema, indexes: allIndexes(schema) });
  const plan = unbound.at();
  const isFailing = expected.some((result) => typeof result === 'string');
  if (isFailing && !plan.mayFail) return 'plan: it cannot fail, they say';
  const selected = rows.filter((_, index) => expected[index] === true);
  const uses = [
    ...plan.lookups.map(({ index, keys, residual }) => ({
      index,
      residual,
      requests: keys,
      found: () => rowsWithKeys(rows, index, keys),
    })),
    ...plan.ranges.map(({ index, ranges, residual }) => ({
      index,
      residual,
      requests: ranges,
      found: () => rowsInRanges(rows, index, ranges),
    })),
  ];
  for (const { index, residual, requests, found: find } of uses) {
    // While a row has no key, an index is of no use.
    if (rows.some((row) => index.keysOf(row) === null)) continue;
    const found = find();
    const got = resultOf(() => residual?.select(found) ?? found);
    const isRight = isFailing ? typeof got === 'string' : isSameRows(got, selected);
    if (!isRight) {
      const expected = isFailing ? 'an error' : inspect(selected);
      return `plan by ${index.field} with ${inspect(requests)}: expected ${expected}, got ${inspect(got)}`;
    }
  }
  return null;
}

function compareWay(filter: Filter, rows: readonly unknown[], expected: readonly Result[]): string | null {
  for (const [index, row] of rows.entries()) {
    const result = expected[index] ?? 'none';
    const got = resultOf(() => filter.test(row));
    if (!isSame(got, result)) return `test of row ${index}: expected ${result}, got ${String(got)}`;
    const { matches } = filter.explain(row);
    if (matches !== (typeof result === 'string' ? null : result)) {
      return `explain of row ${index}: expected ${result}, got ${String(matches)}`;
    }
  }
  const isFailing = expected.some((result) => typeof result === 'string');
  const selected = rows.filter((_, index) => expected[index] === true);
  const page = { items: selected.slice(0, 1), nextItem: selected[1] };
  // A page ends before a row that would fail.
  const isPaged = expected.findIndex((result) => typeof result === 'string') > secondOf(expected);
  const into: unknown[] = [];
  const requests: readonly (readonly [
    name: string,
    evaluate: () => unknown,
    expected: unknown,
    fails: boolean,
  ])[] = [
    ['select', () => filter.select(rows), selected, isFailing],
    ['select of an iterable', () => filter.select(new Set(rows)), selected, isFailing],
    ['count', () => filter.count(rows), selected.length, isFailing],
    ['count of an iterable', () => filter.count(rows[Symbol.iterator]()), selected.length, isFailing],
    ['page', () => filter.page(rows, 1), page, isFailing && !isPaged],
    ['page of an iterable', () => filter.page(rows[Symbol.iterator](), 1), page, isFailing && !isPaged],
    ['scan', () => (filter.scan(rows, into), into), selected, isFailing],
  ];
  for (const [name, evaluate, result, fails] of requests) {
    const got = resultOf(evaluate);
    const isRight = fails ? typeof got === 'string' : isSameRows(got, result);
    if (!isRight) return `${name}: expected ${fails ? 'an error' : inspect(result)}, got ${inspect(got)}`;
  }
  return null;
}

/** The place of the second row that is selected; Infinity for none. */
function secondOf(expected: readonly Result[]): number {
  const positions = [...expected.entries()].filter(([, result]) => result === true).map(([index]) => index);
  return positions[1] ?? Infinity;
}

function isSameRows(got: unknown, expected: unknown): boolean {
  if (Array.isArray(got) && Array.isArray(expected)) {
    return got.length === expected.length && got.every((row, index) => Object.is(row, expected[index]));
  }
  if (typeof got !== 'object' || got === null || !('items' in got) || !('nextItem' in got))
    return got === expected;
  const page = expected as { readonly items: readonly unknown[]; readonly nextItem: unknown };
  return isSameRows(got.items, page.items) && Object.is(got.nextItem, page.nextItem);
}

/** A result, or the class of an error. */
function resultOf(evaluate: () => unknown): unknown {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof FilterEvaluationError) return error.code;
    if (error instanceof FilterError) return `${error.name}: ${error.code}`;
    throw error;
  }
}

/** The classes of errors are go-bexpr's if it has the form; for other forms the page only says that they fail. */
const ownClasses = [
  'panic',
  'literal',
  'misfit',
  'kind-mismatch',
  'no-pair',
  'no-folding',
  'no-ordering',
  'no-membership',
  'no-affix',
  'no-length',
];

function isSame(got: unknown, expected: Result): boolean {
  return typeof expected === 'string' && ownClasses.includes(expected)
    ? typeof got === 'string'
    : got === expected;
}
