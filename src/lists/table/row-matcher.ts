import { sharedWeakMap } from '../../runtime/shared-identity.js';
import type { Filter } from '../../filter/filter.js';
import type { Order } from '../list/order.js';
import type { PageBits } from './page-bits.js';
import type { RowPage, SortedRows } from './sorted-rows.js';

/** The known results for the rows of a page. */
export interface PageResult {
  /** The rows that satisfy or may satisfy the filter. Length 0 if there are none. */
  readonly bits: PageBits;
  /** Returns the rows that have to be evaluated, in their order and as far as needed; null if there are none. */
  readonly uncertain: PageBits | null;
  /** Number of rows on the page. */
  readonly size: number;
}

/** Counts the values of a field in rows that are given by their bits. */
export interface FieldCounts<T> {
  /** Counts values, and returns the rows that remain to be evaluated; null for none, false for all. */
  count(page: RowPage<T>, bits: PageBits, from: number, to: number): PageBits | null | false;
  /** Returns the counted values: for each a row that has it. */
  readonly found: () => Iterable<{ readonly row: T; readonly count: number }>;
}

/** The evaluation method of a clause, for explanations. */
export interface ClauseAccess {
  /** The source of the clause. */
  readonly filter: string;
  /** `columns`: by dictionary codes; `kept`: by a cached bitmap; `rows`: row by row. */
  readonly by: 'columns' | 'kept' | 'rows';
  /** A short reason. */
  readonly why: string;
}

/** The columns of a table, as used by one query on one version. */
export interface RowMatcher<T> {
  /** Returns the bitmap of a page if it is cached; null if rows have to be evaluated; undefined if columns can be built first. */
  readonly known: (page: RowPage<T>) => PageResult | null | undefined;
  /** Returns how many rows of a page satisfy the filter, if that is cached without their bits; else null. */
  readonly count: (page: RowPage<T>) => number | null;
  /** Builds worthwhile columns in steps, then returns the same as `known`. */
  readonly make: (page: RowPage<T>) => Generator<void, PageResult | null, undefined>;
  /** Records the number of evaluated rows. This decides which columns are worth building. */
  readonly note: (rows: number) => void;
  /** Returns a counter for a field; null if its values have no codes. */
  readonly counts: (field: string) => FieldCounts<T> | null;
  readonly explain: () => readonly ClauseAccess[];
}

/** A caller that may not see all rows of a table. */
export interface Viewer<T> {
  /** Key shared by exactly the callers that see the same rows. */
  readonly key: string;
  /** Whether the viewer sees a row. The result for a row must never change. */
  readonly canSee: (row: T) => boolean;
}

/** A part of the rows of a table, with columns of its own. */
export interface RowsPart<T> {
  /** Returns whether the viewer sees a row; null for all rows. */
  readonly viewer: Viewer<T> | null;
  /** Name of a group of an index; empty for all rows. */
  readonly group: string;
}

/** Rows with their columns. */
export interface MatchedRows<T> {
  readonly rows: SortedRows<T>;
  readonly matcher: RowMatcher<T>;
}

/** The owner of columns. */
export interface MatchCache<T> {
  /** Returns the columns for a filter (null for all rows); null if rows are to be evaluated without columns. */
  open(rows: SortedRows<T>, filter: Filter<T> | null): RowMatcher<T> | null;
  /** Returns the columns for a part: the visible rows of a table or of a group. Absent if parts have no columns. */
  openPart?(part: RowsPart<T>, rows: SortedRows<T>, filter: Filter<T> | null): MatchedRows<T> | null;
}

/** Keyed by the order of the rows, which all versions of a table share. */
const matchCaches = sharedWeakMap<Order<never>, MatchCache<never>>('match caches');

/** Registers the owner of the columns of all rows in this order. */
export function setMatchCache<T>(order: Order<T>, matchCache: MatchCache<T>): void {
  matchCaches.set(order as object as Order<never>, matchCache as object as MatchCache<never>);
}

/** Returns the columns of rows: all of a table, or a part; null without columns. */
export function matcherOf<T>(
  rows: SortedRows<T>,
  filter: Filter<T> | null,
  part: RowsPart<T> | null = null,
): MatchedRows<T> | null {
  const matchCache = matchCaches.get(rows.order as object as Order<never>) as object as
    MatchCache<T> | undefined;
  if (part !== null) return matchCache?.openPart?.(part, rows, filter) ?? null;
  const matcher = matchCache?.open(rows, filter) ?? null;
  return matcher === null ? null : { rows, matcher };
}
