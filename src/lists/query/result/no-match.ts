import { print } from '../../../language/syntax/print.js';
import { walk } from '../../../language/syntax/visit.js';
import type { Expression } from '../../../language/syntax/ast.js';
import type { Filter } from '../../../filter/filter.js';
import { diagnose, type Diagnosis, type DiagnoseOptions } from '../../../filter/explain/diagnose.js';
import { jsonSize } from '../../../runtime/json-size.js';
import { clipText } from '../request/clip-text.js';
import type { Piece } from '../../table/sorted-rows.js';
import type { RowPredicate } from '../request/row-predicate.js';

/** The reason why a filter matches nothing. */
export interface NoMatchExplanation {
  /**
   * The smallest set of clauses without which rows match, preferring the most restrictive ones. Empty if there are no rows at
   * all.
   */
  readonly clauses: readonly BlockingClause[];
  /** Number of sampled rows that match without these clauses. */
  readonly rowsWithout: number;
  /** Number of rows whose values are counted: at most 1,000 rows or 1 MiB. */
  readonly sampled: number;
  readonly examined: number;
  /** Whether there are more rows, which were not read. */
  readonly isPartial: boolean;
}

/** A clause and the values of its field in the sampled rows. */
export interface BlockingClause {
  readonly filter: string;
  /** The most frequent values in filter syntax, or a description of them; empty if the caller may not see them. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
  readonly hasMoreValues: boolean;
  /** Range of the values, as literals, if the clause is an ordering. */
  readonly range: { readonly least: string; readonly greatest: string } | null;
  /** A suggested replacement for the clause, with the nearest existing value. */
  readonly instead: string | null;
}

/** A list, and a filter that matches none of its rows. */
export interface NoMatchRequest<T> {
  readonly clauses: readonly Filter<T>[];
  /** All rows of the list, in any order. */
  readonly pieces: Iterable<Piece<T>>;
  /** Predicate for relevant rows; null for all. */
  readonly where: RowPredicate<T> | null;
  /** The fields whose values may be reported; all if omitted. */
  readonly reportedFields?: ReadonlySet<string> | undefined;
  readonly options: Pick<DiagnoseOptions, 'schema' | 'unresolved' | 'now'>;
}

/** Maximum clause evaluations in total: as many as a scan of a million rows needs. */
const maxEvaluated = 1_000_000;
/** Maximum sampled rows, in total and for each candidate set of clauses. */
const maxSample = 1_000;
const maxSets = 256;
/** Maximum size of the sampled rows as JSON, in bytes. Prevents long pauses on rows with maps of 100,000 keys. */
const maxSampleSize = 1_048_576;
/** Maximum number of clauses whose values are reported; then the maximum number of values per clause. */
const maxReportedClauses = 5;
const maxValues = 20;

/** A set of clauses, and the rows that would match without them. */
interface Blame<T> {
  readonly clauses: readonly number[];
  readonly sample: T[];
  count: number;
}

interface Blamed<T> {
  readonly blame: Blame<T> | null;
  readonly examined: number;
  readonly isPartial: boolean;
}

/** Determines in steps why a filter matches nothing. */
export function* explainEmpty<T>(list: NoMatchRequest<T>): Generator<void, NoMatchExplanation, undefined> {
  const { blame, examined, isPartial } = yield* findBlame(list);
  const sample = startOf(blame?.sample ?? []);
  const clauses: BlockingClause[] = [];
  for (const at of blame?.clauses ?? []) {
    const clause = list.clauses[at];
    if (clause === undefined) continue;
    clauses.push(describe(clause.ast, clauses.length < maxReportedClauses ? sample : [], list));
    yield;
  }
  return { clauses, rowsWithout: blame?.count ?? 0, sampled: sample.length, examined, isPartial };
}

/**
 * Finds, in steps, the clauses that exclude each row. Stops evaluating a row once it fails more clauses than the best set so far
 * has.
 */
function* findBlame<T>({ clauses, pieces, where }: NoMatchRequest<T>): Generator<void, Blamed<T>, undefined> {
  let min = clauses.length;
  let sets = new Map<string, Blame<T>>();
  let examined = 0;
  let evaluated = 0;
  for (const { rows, from, to } of pieces) {
    for (let at = from; at < to; at += 1) {
      const row = rows[at] as T; // at < to <= rows.length
      if (where !== null && !where(row)) continue;
      if (evaluated >= maxEvaluated) return { blame: worst(sets), examined, isPartial: true };
      const failing = failingClauses(clauses, row, min);
      examined += 1;
      evaluated += clauses.length;
      if (failing.length < min) {
        min = failing.length;
        sets = new Map();
      }
      if (failing.length === min) note(sets, failing, row);
      if (examined % 8 === 0) yield;
    }
  }
  return { blame: worst(sets), examined, isPartial: false };
}

/** Returns the clauses that do not match a row, at most `max` + 1. A clause that throws does not match. */
function failingClauses<T>(clauses: readonly Filter<T>[], row: T, max: number): readonly number[] {
  const failing: number[] = [];
  for (const [at, clause] of clauses.entries()) {
    if (!matches(clause, row) && failing.push(at) > max) break;
  }
  return failing;
}

function matches<T>(clause: Filter<T>, row: T): boolean {
  try {
    return clause.test(row);
  } catch {
    return false;
  }
}

function note<T>(sets: Map<string, Blame<T>>, clauses: readonly number[], row: T): void {
  const key = clauses.join();
  const known = sets.get(key);
  if (known === undefined) {
    if (sets.size < maxSets) sets.set(key, { clauses, sample: [row], count: 1 });
    return;
  }
  known.count += 1;
  if (known.sample.length < maxSample) known.sample.push(row);
}

/** Returns the set of clauses that excludes the most rows; the first one if several are equal. */
function worst<T>(sets: ReadonlyMap<string, Blame<T>>): Blame<T> | null {
  let found: Blame<T> | null = null;
  for (const blame of sets.values()) if (found === null || blame.count > found.count) found = blame;
  return found;
}

function describe<T>(
  clause: Expression,
  sample: readonly T[],
  { reportedFields, options }: NoMatchRequest<T>,
): BlockingClause {
  const text = print(clause);
  const silent = { filter: text, values: [], hasMoreValues: false, range: null, instead: null };
  if (sample.length === 0 || !isReportable(clause, reportedFields)) return silent;
  const found = diagnose(text, sample, { ...options, maxRows: maxSample });
  return {
    filter: text,
    values: found.values
      .slice(0, maxValues)
      .map(({ text: value, count }) => ({ text: clipText(value), count })),
    hasMoreValues: found.hasMoreValues || found.values.length > maxValues,
    range: found.range === null ? null : { least: found.range.least, greatest: found.range.greatest },
    instead: corrected(text, found),
  };
}

/** Returns the first rows within the size limit, but at least one. */
function startOf<T>(sample: readonly T[]): readonly T[] {
  let size = 0;
  const end = sample.findIndex((row, at) => (size += jsonSize(row)) > maxSampleSize && at > 0);
  return end === -1 ? sample : sample.slice(0, end);
}

function corrected(text: string, { suggestion }: Diagnosis): string | null {
  if (suggestion === null) return null;
  const { span, replacement } = suggestion;
  return `${text.slice(0, span.start)}${replacement}${text.slice(span.end)}`;
}

/** Whether the values of every field of a clause may be reported. */
function isReportable(clause: Expression, reportedFields: ReadonlySet<string> | undefined): boolean {
  if (reportedFields === undefined) return true;
  let canReport = true;
  const look = ({ selector }: { readonly selector: { readonly path: readonly string[] } }): void => {
    if (!reportedFields.has(selector.path[0] ?? '')) canReport = false;
  };
  walk(clause, { match: look, collection: look });
  return canReport;
}
