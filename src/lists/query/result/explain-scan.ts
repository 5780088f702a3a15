import type { TimeSlicer } from '../../../runtime/time-slicer.js';
import { print } from '../../../language/syntax/print.js';
import type { Filter } from '../../../filter/filter.js';
import type { FilterPlan } from '../../../filter/plan.js';
import type { Page, Pager } from '../../list/index.js';
import type { NoMatchExplanation } from './no-match.js';
import { runInSlices } from '../../../runtime/run-in-slices.js';
import type { ClauseAccess } from '../../table/row-matcher.js';
import { wholeRows } from '../scan/table-scan.js';
import { readRows, type ScanRequest } from '../scan/list-scan.js';
import type { AccessPath, UsedIndex } from '../scan/access-path.js';
import type { SqlExplanation } from '../source/row-source.js';
import type { Sort } from '../request/sort-query.js';

/** Describes how a list found its rows. Times are in nanoseconds. */
export interface ListExplanation {
  readonly filter: string;
  /** The index that found the rows; null for a scan or a database query. */
  readonly index: IndexExplanation | null;
  /** The SQL statement that found the rows in a database; absent for rows in memory. */
  readonly statement?: string;
  /** The filter evaluated on the rows; null if the index alone gave the result. */
  readonly residual: string | null;
  /** The requested order; null for the list's own. */
  readonly sort: SortExplanation | null;
  /** Number of examined rows that the caller may see; then the number of them on the page. */
  readonly examined: number;
  readonly matched: number;
  /** The clauses of the top-level `and`, in the order in which they were evaluated. */
  readonly clauses: readonly ClauseReport[];
  readonly duration: number;
  /** How columns evaluate each clause, with the reason; null without columns, or if an index finds the rows. */
  readonly columns: readonly ClauseAccess[] | null;
  /** Reason why nothing matches; null if something matches, without a filter, and on pages after the first. */
  readonly empty: NoMatchExplanation | null;
}

export interface IndexExplanation {
  /** Null if rows are hidden from the caller: which index was chosen depends on the number of hidden rows. */
  readonly field: string | null;
  /** The values that were looked up. */
  readonly keys: readonly string[];
  /** The condition of the index range; null if values were looked up. */
  readonly range: string | null;
}

export interface SortExplanation {
  readonly field: string;
  readonly descending: boolean;
  /** `index` if the rows were already in this order, `rows` if the matches were sorted. */
  readonly by: 'index' | 'rows';
}

export interface ClauseReport {
  readonly filter: string;
  /** `index` if the index evaluates it, `database` if the SQL statement does, `scan` if it is evaluated on each remaining row. */
  readonly by: 'index' | 'database' | 'scan';
  /** Number of rows on which the clause was evaluated; then the number of rows that satisfy it. */
  readonly rows: number;
  readonly matched: number;
  readonly duration: number;
}

/** A completed search of a list. */
export interface ExplainableScan<T> {
  readonly request: ScanRequest<T>;
  readonly plan: FilterPlan<T> | null;
  readonly sort: Sort | null;
  readonly pager: Pager<T>;
  readonly page: Page<T>;
  readonly slices: TimeSlicer;
  /** The SQL statement that found the rows; absent for rows in memory. */
  readonly statement?: SqlExplanation | null;
  /** Determines, in steps, why nothing matches; null if that cannot be determined. */
  readonly explainEmpty: (() => Generator<void, NoMatchExplanation, undefined>) | null;
}

const nanosecondsPerMillisecond = 1_000_000;

interface Tally<T> {
  readonly clause: Filter<T>;
  readonly resolvedBy: 'index' | 'database' | null;
  rows: number;
  matched: number;
  milliseconds: number;
}

/** Repeats a search clause by clause and measures the time. Costs as much as the search did. */
export async function explainScan<T>(
  subject: ExplainableScan<T>,
  signal: AbortSignal | null,
): Promise<ListExplanation> {
  const { request, plan, sort, pager, page, slices, statement = null } = subject;
  const { path, where } = request;
  const { examined } = pager;
  const tallies: Tally<T>[] = (plan?.clauses ?? []).map((clause, at) => {
    return {
      clause,
      resolvedBy:
        path.index?.clauses.includes(at) === true
          ? 'index'
          : statement?.clauses.includes(at) === true
            ? 'database'
            : null,
      rows: 0,
      matched: 0,
      milliseconds: 0,
    };
  });
  const pieces = readRows(request, pager.start);
  let left = examined;
  await slices.run((shouldYield) => {
    while (left > 0) {
      if (shouldYield()) return false;
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
  const why = isEmpty ? subject.explainEmpty?.() : undefined;
  const empty = why === undefined ? null : await runInSlices(why, slices, signal);
  const { index, filter } = path;
  const total = tallies.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return {
    filter: plan?.filter.source ?? '',
    index: index === null ? null : describeIndex(index, plan),
    ...(statement === null ? {} : { statement: statement.text }),
    residual: filter === null ? null : print(filter.ast),
    sort: sort === null ? null : describeSort(sort, path),
    examined,
    matched: page.items.length,
    clauses: tallies.map((tally) => describe(tally)),
    duration: toNanoseconds(total),
    columns: path.filter === null ? null : (wholeRows(request)?.matcher?.explain() ?? null),
    empty,
  };
}

function describeIndex<T>(
  { field, keys, isRange, clauses }: UsedIndex,
  plan: FilterPlan<T> | null,
): IndexExplanation {
  const indexed = clauses.map((clause) => plan?.clauses[clause]).filter((clause) => clause !== undefined);
  const range = indexed.map(({ ast }) => print(ast)).join(' and ');
  return { field, keys, range: isRange ? range : null };
}

function describeSort<T>(
  { field, isDescending }: Sort,
  { isPutInOrder = false }: AccessPath<T>,
): SortExplanation {
  return { field, descending: isDescending, by: isPutInOrder ? 'rows' : 'index' };
}

/** Evaluates each clause on the rows that pass the clauses before it. */
function measure<T>(tallies: readonly Tally<T>[], batch: readonly T[], now: () => number): void {
  let left = batch;
  for (const tally of tallies) {
    tally.rows += left.length;
    if (tally.resolvedBy === null) {
      const start = now();
      left = tally.clause.select(left);
      tally.milliseconds += now() - start;
    }
    tally.matched += left.length;
  }
}

function describe<T>({ clause, resolvedBy, rows, matched, milliseconds }: Tally<T>): ClauseReport {
  return {
    filter: print(clause.ast),
    by: resolvedBy ?? 'scan',
    rows,
    matched,
    duration: toNanoseconds(milliseconds),
  };
}

function toNanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * nanosecondsPerMillisecond);
}
