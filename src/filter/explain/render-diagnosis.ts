import type { Suggestion } from '../../language/diagnostics/errors.js';
import type { UnequalLiteral } from '../../language/schema/unequal-literal.js';
import { firstWords } from '../../language/syntax/operator-words.js';
import type { ClauseCounts } from './clause-tally.js';
import { clip } from './clip.js';
import { absentValue } from './observed-value.js';
import type { ValueRange } from './range-sample.js';
import type { ValueCount } from './value-sample.js';

/** The reasons why a filter selects no or few rows. */
export interface Diagnosis {
  /** Number of examined rows, and whether there were more. */
  readonly rows: number;
  readonly isPartial: boolean;
  readonly matched: number;
  readonly clauses: readonly ClauseCounts[];
  /** Index of the clause responsible for an empty result; null if rows match, or if there are no rows. */
  readonly blockingClause: number | null;
  /** The values of rows for the blocking clause, most frequent first; empty if the clause does not read a single path. */
  readonly values: readonly ValueCount[];
  /** True if there are more distinct values than were counted. */
  readonly hasMoreValues: boolean;
  /** The range of all values, if the blocking clause is an ordering; null for other clauses. */
  readonly range: ValueRange | null;
  /** Literals of the blocking clause that can never equal a value of their field, because they are of another kind. */
  readonly notes: readonly UnequalLiteral[];
  /** The first suggestion; null if none exists. */
  readonly suggestion: Suggestion | null;
  /** Probable corrections: similar existing names for an unknown name, otherwise the nearest value. */
  readonly suggestions: readonly Suggestion[];
  /** Returns a one-line summary without a newline. Empty if rows match. */
  toString(): string;
}

type Facts = Omit<Diagnosis, 'toString'>;

/** Maximum number of values named in a line. */
const maxValues = 5;

/** Renders a diagnosis in one line; empty if no clause is responsible. `subject` is the field or path with the values. */
export function renderDiagnosis(facts: Facts, subject: string): string {
  const { blockingClause, clauses, notes, suggestion } = facts;
  const clause = blockingClause === null ? undefined : clauses[blockingClause];
  if (clause === undefined) return '';
  const note = clip(notes[0]?.message ?? '');
  const parts = [blame(facts, clause), note, rangeText(facts, subject) ?? valuesText(facts)].filter(
    (part) => part !== '',
  );
  const query = suggestion === null ? '' : ` Did you mean ${clip(meant(clause, suggestion))}?`;
  return `${parts.join('; ')}.${query}`;
}

/**
 * Returns the source that a suggestion replaces. Returns the whole clause if that source alone would be unclear, such as an
 * operator.
 */
function meant({ text, span }: ClauseCounts, { span: position, replacement }: Suggestion): string {
  const isOperand = /^(?:["`][\s\S]*["`]|[a-zA-Z0-9][\w/.]*(?:\[[^\]]*\])*|-?[0-9.]+)$/.test(replacement);
  if (isOperand && !firstWords.includes(replacement)) return replacement;
  return text.slice(0, position.start - span.start) + replacement + text.slice(position.end - span.start);
}

function blame({ rows, isPartial, clauses }: Facts, clause: ClauseCounts): string {
  const text = clip(clause.text);
  const all = `${isPartial ? 'the first ' : ''}${rows} row${rows === 1 ? '' : 's'}`;
  if (clause.failed === rows) return `${text} fails for each of ${all} (${clause.error?.label ?? ''})`;
  if (clause.alone === 0) {
    const close =
      clauses.length > 1 && clause.withoutIt > 0 ? `, though ${clause.withoutIt} would match without it` : '';
    return `${text} matches none of ${all}${close}`;
  }
  if (clause.withoutIt > 0) {
    return `the rest matches ${clause.withoutIt} of ${all}, but ${text} does not`;
  }
  const before = clauses[clauses.indexOf(clause) - 1];
  return before === undefined
    ? `${text} matches ${clause.alone} of ${all}, but the rest matches none of them`
    : `${before.surviving} of ${all} ${before.surviving === 1 ? 'is' : 'are'} left in front of ${text}, none after it`;
}

/** Returns the range of the values for an ordering; null if the list of values shows it already. */
function rangeText({ range, values }: Facts, subject: string): string | null {
  if (range === null || values.length < 2) return null;
  const { least, greatest } = range;
  if (least === greatest) return null;
  return `${clip(subject)} ranges from ${least} to ${greatest} in these rows`;
}

function valuesText({ values, hasMoreValues }: Facts): string {
  if (values.length === 0) return '';
  if (values.length === 1 && values[0]?.text === absentValue.text) return 'it is absent in all of them';
  const rendered = values.slice(0, maxValues).map(({ text, count }) => `${text} (${count})`);
  if (hasMoreValues || values.length > maxValues) rendered.push('…');
  return `there are ${rendered.join(', ')}`;
}
