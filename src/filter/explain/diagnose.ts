import { explainOptionNames, type ExplainOptions } from '../compile/filter-options.js';
import { guardDepth } from '../compile/guard-depth.js';
import { charge } from '../compile/frame/meter.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import { suggest, type Suggestion } from '../../language/diagnostics/errors.js';
import { checkOptions } from '../../language/diagnostics/options.js';
import { findBlockingClause, type ClauseCounts } from './clause-tally.js';
import { createNameSample } from './name-sample.js';
import { renderDiagnosis, type Diagnosis } from './render-diagnosis.js';
import { print } from '../../language/syntax/print.js';
import { notesOn, readExplainable, type Explainable, type ExplainContext } from './explain-context.js';
import { ClauseStatistics } from './clause-statistics.js';
import { createValueSample, type ValueCount } from './value-sample.js';
import { suggestNames } from '../../language/diagnostics/suggest.js';
import { formOf } from '../../language/operators/operators.js';
import { literalOf, literalsOf, type MatchExpression, type Value } from '../../language/syntax/ast.js';
import { globTest } from '../../language/hints/glob.js';
import type { Level } from '../../language/syntax/dialect.js';

export type { Diagnosis } from './render-diagnosis.js';

export interface DiagnoseOptions extends ExplainOptions {
  /** Maximum number of rows examined. Default: 10,000. A hint must not cost more than the query did. */
  readonly maxRows?: number;
  /** Maximum total number of clause evaluations. Default: 100,000. A filter of a thousand clauses is tried on fewer rows. */
  readonly maxEvaluations?: number;
  /** Maximum number of distinct values counted. Default: 100. A field with a million values has no list worth showing. */
  readonly maxValues?: number;
}

/**
 * Returns why no row satisfies a filter: which clause excluded the rows, and which values the rows have instead.
 *
 * ```ts
 * if (page.items.length === 0) console.error(String(diagnose(text, jobs, { schema })));
 * // No row of 16 has Status == "runing": Status is "running" (12), "pending" (4). Did you mean "running"?
 * ```
 *
 * Do not pass rows that the caller must not see: the result contains their values.
 *
 * @throws FilterSyntaxError and FilterLimitError if a source is not a valid filter; TypeError if an argument is invalid.
 */
export function diagnose(
  filter: Explainable,
  rows: Iterable<unknown>,
  options: DiagnoseOptions = {},
): Diagnosis {
  checkOptions('diagnose', options, [...explainOptionNames, 'maxRows', 'maxEvaluations', 'maxValues']);
  if (typeof (Object(rows) as Iterable<unknown>)[Symbol.iterator] !== 'function')
    throw new TypeError('diagnose: rows must be iterable, such as an array');
  const explained = readExplainable('diagnose', filter, options);
  const clauses = explained.ast.kind === 'and' ? explained.ast.operands : [explained.ast];
  const bounds = readBounds(options, clauses.length);
  const statistics = guardDepth(explained, () => new ClauseStatistics(clauses, explained.compileContext));
  const { taken, isPartial } = firstRows(rows, bounds.maxRows);
  for (const row of taken) statistics.take(row);
  const tallies = statistics.tallies();
  const matched = tallies.at(-1)?.surviving ?? 0;
  const blockingClause = matched > 0 || taken.length === 0 ? null : findBlockingClause(tallies);
  const found =
    blockingClause === null
      ? nothing
      : sampleValues(statistics, blockingClause, taken, explained, bounds.maxValues);
  const blocking = blockingClause === null ? undefined : clauses[blockingClause];
  const notes = blocking === undefined ? [] : notesOn(blocking, explained);
  const suggestions = [
    ...(blockingClause === null
      ? []
      : nameSuggestions(statistics, blockingClause, taken, explained.compileContext)),
    ...errorSuggestions(blockingClause === null ? undefined : tallies[blockingClause], taken.length),
    ...notes.flatMap((note) => note.suggestions),
    ...(found.nearest === null ? [] : [found.nearest]),
  ];
  const { values, hasMoreValues, range, subject } = found;
  const diagnosis = {
    ...{ rows: taken.length, isPartial, matched, clauses: tallies, blockingClause },
    ...{ values, hasMoreValues, range, notes },
    suggestion: suggestions[0] ?? null,
    suggestions: uniqueSuggestions(suggestions),
  };
  return { ...diagnosis, toString: () => renderDiagnosis(diagnosis, subject) };
}

interface Findings extends Pick<Diagnosis, 'values' | 'hasMoreValues' | 'range'> {
  /** The field or path whose values are listed, as written in the clause. */
  readonly subject: string;
  readonly nearest: Suggestion | null;
}
const nothing: Findings = { values: [], hasMoreValues: false, range: null, subject: '', nearest: null };

/** Maximum number of rows whose names are read. */
const maxNamedRows = 1_000;

function nameSuggestions(
  statistics: ClauseStatistics,
  blockingClause: number,
  rows: readonly unknown[],
  context: CompileContext,
): readonly Suggestion[] {
  const clause = statistics.clauses[blockingClause];
  if (clause === undefined) return [];
  const sample = createNameSample(clause, context);
  takeAll(sample, rows.slice(0, maxNamedRows), context);
  return sample.suggestions();
}

/** Returns the suggestions of the error that every row causes. */
function errorSuggestions(clause: ClauseCounts | undefined, rows: number): readonly Suggestion[] {
  return clause !== undefined && clause.failed === rows ? (clause.error?.suggestions ?? []) : [];
}

function uniqueSuggestions(suggestions: readonly Suggestion[]): Suggestion[] {
  const byText = new Map(
    suggestions.map((each) => [`${each.span.start} ${each.span.end} ${each.replacement}`, each]),
  );
  return [...byText.values()];
}

/**
 * Counts the values of rows that only the blocking clause excludes, because they would satisfy the rest. If there are none, uses
 * all rows.
 */
function sampleValues(
  statistics: ClauseStatistics,
  blockingClause: number,
  rows: readonly unknown[],
  { compileContext: context, level }: ExplainContext,
  max: number,
): Findings {
  const clause = statistics.clauses[blockingClause];
  const sample = clause === undefined ? null : createValueSample(clause, context, max);
  if (sample === null) return nothing;
  const close = statistics.excludedOnlyBy(blockingClause);
  takeAll(sample, close.length > 0 ? close : rows, context);
  const values = sample.counts();
  const selector = print(sample.clause.selector);
  return {
    values,
    hasMoreValues: sample.isCut(),
    range: sample.range(),
    subject: sample.clause.aspect === 'length' ? `len(${selector})` : selector,
    nearest: nearestValue(sample.clause, values, level),
  };
}

/** Passes rows to a sample, which is limited per row. */
function takeAll(
  sample: { take(row: unknown): void },
  rows: readonly unknown[],
  { meter }: CompileContext,
): void {
  for (const row of rows) charge(meter, () => sample.take(row));
}

function firstRows(rows: Iterable<unknown>, max: number): { taken: unknown[]; isPartial: boolean } {
  const taken: unknown[] = [];
  for (const row of rows) {
    if (taken.length >= max) return { taken, isPartial: true };
    taken.push(row);
  }
  return { taken, isPartial: false };
}

function readBounds(options: DiagnoseOptions, clauses: number): { maxRows: number; maxValues: number } {
  const maxRows = readCount('maxRows', options.maxRows, 10_000);
  const maxEvaluations = readCount('maxEvaluations', options.maxEvaluations, 100_000);
  const maxValues = readCount('maxValues', options.maxValues, 100);
  return { maxRows: Math.max(1, Math.min(maxRows, Math.floor(maxEvaluations / clauses))), maxValues };
}

function readCount(name: string, count: number | undefined, defaultCount: number): number {
  if (count === undefined) return defaultCount;
  if (typeof count === 'number' && count >= 1) return count;
  throw new TypeError(`diagnose: ${name} must be a number of at least 1`);
}

/** Returns the value of the rows that a literal was probably meant to be; only for clauses that search for it. */
function nearestValue(
  match: MatchExpression,
  values: readonly ValueCount[],
  level: Level,
): Suggestion | null {
  const { operatorSpan } = match;
  const { operator: own, negated } = formOf(match.operator);
  if (negated) return null;
  const plain = values.flatMap((each) => (each.plain === null || each.plain === '' ? [] : [each.plain]));
  const literal = literalOf(match);
  if (own.name === 'starts with' || own.name === 'ends with')
    return literal === null ? null : nearestOf(literal, endsOf(plain, own.name, literal.text.length));
  if (own.equates === null) return null;
  const replacement = own.equates === 'value' && literal !== null ? globTest('whole', literal, level) : null;
  if (replacement !== null && literal !== null) {
    const span = { start: operatorSpan.start, end: literal.span.end };
    return suggest(span, replacement);
  }
  for (const each of literalsOf(match)) {
    const nearest = nearestOf(each, plain);
    if (nearest !== null) return nearest;
  }
  return null;
}

/** Returns the strings cut to the length of the literal, at the end that the operator compares. */
function endsOf(texts: readonly string[], name: 'starts with' | 'ends with', length: number): string[] {
  return texts.map((text) =>
    name === 'starts with' ? text.slice(0, length) : text.slice(-length || text.length),
  );
}

function nearestOf(value: Value, texts: readonly string[]): Suggestion | null {
  const others = texts.filter((text) => text !== value.text);
  const [nearest] = suggestNames(value.text, others, 1);
  if (nearest === undefined) return null;
  const printed = print({ ...value, text: nearest, wellFormed: true });
  // A quoted number is the same value, and a quote may adjoin the next word.
  const replacement = /^["`]/.test(printed) ? printed : `"${printed}"`;
  return suggest(value.span, replacement);
}
