import { guardDepth } from '../compile/guard-depth.js';
import { charge } from '../compile/meter.js';
import type { Place } from '../compile/place.js';
import type { Suggestion } from '../diagnostics/errors.js';
import { checkOptions } from '../diagnostics/options.js';
import { findCulprit, type ClauseTally } from './clause-tally.js';
import { createNameSample } from './name-sample.js';
import { nearestValue } from './nearest-value.js';
import { renderDiagnosis } from './render-diagnosis.js';
import { explainOptionNames, readSubject, type Explainable, type ExplainOptions } from './settings.js';
import { Trial } from './trial.js';
import { createValueSample, type ValueCount } from './value-sample.js';

export interface DiagnoseOptions extends ExplainOptions {
  /** Most rows that are looked at, 10,000 unless told otherwise: a hint must not cost more than the answer did. */
  readonly maxRows?: number;
  /** Most evaluations of a clause in all, 100,000: a filter of a thousand clauses is tried on fewer rows. */
  readonly maxEvaluations?: number;
  /** Most different values that are counted, 100: a field with a million values has no list worth showing. */
  readonly maxValues?: number;
}

/** Why a filter selects nothing, or little. */
export interface Diagnosis {
  /** How many rows were looked at, and whether there were more. */
  readonly rows: number;
  readonly isPartial: boolean;
  readonly matched: number;
  readonly clauses: readonly ClauseTally[];
  /** The index of the clause that is to blame for an empty answer; null where rows match, or there are none. */
  readonly culprit: number | null;
  /** What the rows have where the culprit looks, the most frequent first; empty where it looks at no one place. */
  readonly values: readonly ValueCount[];
  /** True where there are more different values than were counted. */
  readonly hasMoreValues: boolean;
  /** The first of the suggestions. */
  readonly suggestion: Suggestion | null;
  /** What was probably meant: names that the rows have instead of one that none of them has, else the nearest value. */
  readonly suggestions: readonly Suggestion[];
  /** One line for people, without a newline. Empty where rows match. */
  toString(): string;
}

/**
 * Finds out why no row satisfies a filter: which clause removed them, and what the rows have there instead.
 *
 * ```ts
 * if (page.items.length === 0) console.error(String(diagnose(text, jobs, { schema })));
 * // No row of 16 has Status == "runing": Status is "running" (12), "pending" (4). Did you mean "running"?
 * ```
 *
 * Rows that the caller may not see must not be passed in: their values are told.
 *
 * @throws FilterSyntaxError and FilterLimitError where a text is no filter; TypeError for a wrong argument.
 */
export function diagnose(
  filter: Explainable,
  rows: Iterable<unknown>,
  options: DiagnoseOptions = {},
): Diagnosis {
  checkOptions('diagnose', options, [...explainOptionNames, 'maxRows', 'maxEvaluations', 'maxValues']);
  if (typeof (Object(rows) as Iterable<unknown>)[Symbol.iterator] !== 'function')
    throw new TypeError('diagnose: rows must be iterable, such as an array');
  const subject = readSubject('diagnose', filter, options);
  const clauses = subject.ast.kind === 'and' ? subject.ast.operands : [subject.ast];
  const bounds = readBounds(options, clauses.length);
  const trial = guardDepth(subject, () => new Trial(clauses, subject.place));
  const { taken, isPartial } = takeRows(rows, bounds.maxRows);
  for (const row of taken) trial.take(row);
  const tallies = trial.tallies(subject.source);
  const matched = tallies.at(-1)?.surviving ?? 0;
  const culprit = matched > 0 || taken.length === 0 ? null : findCulprit(tallies);
  const found =
    culprit === null ? nothing : sampleValues(trial, culprit, taken, subject.place, bounds.maxValues);
  const suggestions = [
    ...(culprit === null ? [] : nameSuggestions(trial, culprit, taken, subject.place)),
    ...errorSuggestions(culprit === null ? undefined : tallies[culprit], taken.length),
    ...(found.nearest === null ? [] : [found.nearest]),
  ];
  const { values, hasMoreValues } = found;
  const diagnosis = {
    rows: taken.length,
    isPartial,
    matched,
    clauses: tallies,
    culprit,
    values,
    hasMoreValues,
    suggestion: suggestions[0] ?? null,
    suggestions: uniqueSuggestions(suggestions),
  };
  return { ...diagnosis, toString: () => renderDiagnosis(diagnosis) };
}

interface Findings extends Pick<Diagnosis, 'values' | 'hasMoreValues'> {
  readonly nearest: Suggestion | null;
}
const nothing: Findings = { values: [], hasMoreValues: false, nearest: null };

/** Most rows whose names are looked at. */
const mostNamedRows = 1_000;

function nameSuggestions(
  trial: Trial,
  culprit: number,
  rows: readonly unknown[],
  place: Place,
): readonly Suggestion[] {
  const clause = trial.clauses[culprit];
  if (clause === undefined) return [];
  const sample = createNameSample(clause, place);
  for (const row of rows.slice(0, mostNamedRows)) {
    charge(place.meter, () => {
      sample.take(row);
    });
  }
  return sample.suggestions();
}

/** What the error says to do that every row fails with. */
function errorSuggestions(clause: ClauseTally | undefined, rows: number): readonly Suggestion[] {
  return clause !== undefined && clause.failed === rows ? (clause.error?.suggestions ?? []) : [];
}

function uniqueSuggestions(suggestions: readonly Suggestion[]): Suggestion[] {
  const byText = new Map(
    suggestions.map((each) => [`${each.span.start} ${each.span.end} ${each.replacement}`, each]),
  );
  return [...byText.values()];
}

/** Looks at the rows that only the culprit keeps out, where there are any: what they have would help. */
function sampleValues(
  trial: Trial,
  culprit: number,
  rows: readonly unknown[],
  place: Place,
  most: number,
): Findings {
  const clause = trial.clauses[culprit];
  const sample = clause === undefined ? null : createValueSample(clause, place, most);
  if (sample === null) return nothing;
  const close = trial.keptOutBy(culprit);
  for (const row of close.length > 0 ? close : rows) {
    charge(place.meter, () => {
      sample.take(row);
    });
  }
  const values = sample.counts();
  return { values, hasMoreValues: sample.isCut(), nearest: nearestValue(sample.clause, values) };
}

function takeRows(rows: Iterable<unknown>, most: number): { taken: unknown[]; isPartial: boolean } {
  const taken: unknown[] = [];
  for (const row of rows) {
    if (taken.length >= most) return { taken, isPartial: true };
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

function readCount(name: string, count: number | undefined, usual: number): number {
  if (count === undefined) return usual;
  if (typeof count === 'number' && count >= 1) return count;
  throw new TypeError(`diagnose: ${name} must be a number of at least 1`);
}
