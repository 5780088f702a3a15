import type { Slices } from '@tamis/http';
import { print, type Filter, type FilterPlan, type Page, type Pager, type Schema } from 'tamis';
import { applySuggestion, lint } from 'tamis/lint';
import type { EmptyExplanation } from './empty-result.js';
import { inSlices } from 'tamis/pace';
import type { ScanRequest } from './list-scan.js';
import { readAccessPath, type AccessPath, type UsedIndex } from './access-path.js';
import type { Sort } from './list-sort.js';

/** How a list found its rows. Times are nanoseconds. */
export interface ScanExplanation {
  readonly Filter: string;
  /** The index that found the rows, null for a scan. */
  readonly Index: IndexExplanation | null;
  /** What the rows were asked; null where the index had the whole answer. */
  readonly Residual: string | null;
  /** The order that was asked for; null for the list's own. */
  readonly Sort: SortExplanation | null;
  /** How many rows were looked at that the caller may see, and how many of them are on the page. */
  readonly RowsExamined: number;
  readonly RowsMatched: number;
  /** The parts of the `and` at the top, in the order in which they were asked. */
  readonly Clauses: readonly ClauseExplanation[];
  readonly Duration: number;
  /** What is wrong with literals that no value of their field's kind equals, the first ten of them. */
  readonly Notes: readonly FilterNote[];
  /** Why nothing matches; null where something does, where there is no filter, and on a page behind the first. */
  readonly Empty: EmptyExplanation | null;
}

export interface IndexExplanation {
  readonly Field: string;
  /** The values that were looked up. */
  readonly Keys: readonly string[];
  /** What the rows in a range of the index satisfy; null where values were looked up. */
  readonly Range: string | null;
}

export interface SortExplanation {
  readonly Field: string;
  readonly Descending: boolean;
  /** `index` where the rows stood in this order, `rows` where those found were put in it. */
  readonly By: 'index' | 'rows';
}

export interface ClauseExplanation {
  readonly Filter: string;
  /** `index` for those that the index answers; the others are asked about each row that is left. */
  readonly By: 'index' | 'scan';
  /** How many rows were asked, and how many of them satisfy it. */
  readonly Rows: number;
  readonly Matched: number;
  readonly Duration: number;
}

/** A literal that no value of its field's kind equals, whatever rows there are. */
export interface FilterNote {
  readonly Text: string;
  /** The filter as it was probably meant; null where that is not known. */
  readonly Instead: string | null;
}

/** A list that has been searched. */
export interface Explainable<T> {
  readonly request: ScanRequest<T>;
  readonly plan: FilterPlan<T> | null;
  readonly sort: Sort | null;
  /** The kind of its rows. */
  readonly schema: Schema;
  readonly pager: Pager<T>;
  readonly page: Page<T>;
  readonly slices: Slices;
  /** Finds out why nothing matches, in steps. */
  readonly explainEmpty: () => Generator<void, EmptyExplanation, undefined>;
}

const nanosecondsPerMillisecond = 1_000_000;

interface Tally<T> {
  readonly clause: Filter<T>;
  readonly isAnswered: boolean;
  rows: number;
  matched: number;
  milliseconds: number;
}

/** Goes over the rows of a search once more, clause by clause, and takes the time. Costs as much as the search did. */
export async function explainScan<T>(subject: Explainable<T>, signal: AbortSignal): Promise<ScanExplanation> {
  const { request, plan, sort, schema, pager, page, slices } = subject;
  const { path, where } = request;
  const { examined } = pager;
  const tallies: Tally<T>[] = (plan?.clauses ?? []).map((clause, at) => {
    return {
      clause,
      isAnswered: path.index?.clauses.includes(at) === true,
      rows: 0,
      matched: 0,
      milliseconds: 0,
    };
  });
  const pieces = readAccessPath(path, pager.start, request.reverse);
  let left = examined;
  await slices.run((isOver) => {
    while (left > 0) {
      if (isOver()) return false;
      const { done, value: piece } = pieces.next();
      if (done === true) return true;
      const rows = piece.rows.slice(piece.from, piece.to);
      const seen = (where === null ? rows : rows.filter(where)).slice(0, left);
      left -= seen.length;
      measure(tallies, seen, slices.now);
    }
    return true;
  }, signal);
  const isEmpty = plan !== null && page.items.length === 0 && request.nextToken === '';
  const Empty = isEmpty ? await inSlices(subject.explainEmpty(), slices, signal) : null;
  const { index, filter } = path;
  const total = tallies.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const source = plan?.filter.source ?? '';
  return {
    Filter: source,
    Index: index === null ? null : describeIndex(index, plan),
    Residual: filter === null ? null : print(filter.ast),
    Sort: sort === null ? null : describeSort(sort, path),
    RowsExamined: examined,
    RowsMatched: page.items.length,
    Clauses: tallies.map((tally) => describe(tally)),
    Duration: toNanoseconds(total),
    Notes: source === '' ? [] : notesOn(source, schema),
    Empty,
  };
}

const mostNotes = 10;

function notesOn(source: string, schema: Schema): readonly FilterNote[] {
  return lint(source, { schema })
    .filter(({ code }) => code === 'never-equal')
    .slice(0, mostNotes)
    .map(({ message, suggestions: [first] }) => ({
      Text: message,
      Instead: first === undefined ? null : applySuggestion(source, first),
    }));
}

function describeIndex<T>(
  { field, keys, isRange, clauses }: UsedIndex,
  plan: FilterPlan<T> | null,
): IndexExplanation {
  const answered = clauses.map((clause) => plan?.clauses[clause]).filter((clause) => clause !== undefined);
  const range = answered.map(({ ast }) => print(ast)).join(' and ');
  return { Field: field, Keys: keys, Range: isRange ? range : null };
}

function describeSort<T>(
  { field, isDescending }: Sort,
  { isPutInOrder = false }: AccessPath<T>,
): SortExplanation {
  return { Field: field, Descending: isDescending, By: isPutInOrder ? 'rows' : 'index' };
}

/** Asks each clause about the rows that those before it have left. */
function measure<T>(tallies: readonly Tally<T>[], batch: readonly T[], now: () => number): void {
  let left = batch;
  for (const tally of tallies) {
    tally.rows += left.length;
    if (!tally.isAnswered) {
      const start = now();
      left = tally.clause.select(left);
      tally.milliseconds += now() - start;
    }
    tally.matched += left.length;
  }
}

function describe<T>({ clause, isAnswered, rows, matched, milliseconds }: Tally<T>): ClauseExplanation {
  return {
    Filter: print(clause.ast),
    By: isAnswered ? 'index' : 'scan',
    Rows: rows,
    Matched: matched,
    Duration: toNanoseconds(milliseconds),
  };
}

function toNanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * nanosecondsPerMillisecond);
}
