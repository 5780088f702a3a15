import { sharedWeakMap } from '../../runtime/shared-identity.js';
import type { Filter } from '../../filter/filter.js';
import type { Order } from '../list/order.js';
import type { PageBits } from './page-bits.js';
import type { RowPage, SortedRows } from './sorted-rows.js';

/** The known results of a filter for the rows of a page. */
export interface PageResult {
  /** The rows that satisfy the filter or may satisfy it. Empty if no row does. */
  readonly bits: PageBits;
  /** The rows in `bits` whose result is unknown; null if none exist. */
  readonly uncertain: PageBits | null;
  /** Number of rows on the page. */
  readonly size: number;
}

/** Counts the values of a field in selected rows. */
export interface FieldCounts<T> {
  /** Counts the values of the rows whose bits are set. Returns the rows that it cannot count; null for none, false for all. */
  count(page: RowPage<T>, bits: PageBits, from: number, to: number): PageBits | null | false;
  /** Returns one row and the count for each counted value. */
  readonly found: () => Iterable<{ readonly row: T; readonly count: number }>;
}

/** Describes how a clause was evaluated, for explanations. */
export interface ClauseAccess {
  /** The source of the clause. */
  readonly filter: string;
  /** `columns`: by dictionary codes; `kept`: by a cached bitmap; `rows`: row by row. */
  readonly by: 'columns' | 'kept' | 'rows';
  /** A short reason. */
  readonly why: string;
}

/** The columns of a table, as one query uses them on one version. */
export interface RowMatcher<T> {
  /**
   * Returns the results of a page if they are cached. Null if rows must be evaluated; undefined if columns can be built first.
   */
  readonly known: (page: RowPage<T>) => PageResult | null | undefined;
  /** Returns the number of matching rows of a page if it is known without bitmaps; otherwise null. */
  readonly count: (page: RowPage<T>) => number | null;
  /** Builds worthwhile columns in steps, then returns the same as `known`. */
  readonly make: (page: RowPage<T>) => Generator<void, PageResult | null, undefined>;
  /** Records the number of evaluated rows. This decides which columns are worth building. */
  readonly note: (rows: number) => void;
  /** Returns a counter for a field; null if the field has no codes. */
  readonly counts: (field: string) => FieldCounts<T> | null;
  readonly explain: () => readonly ClauseAccess[];
}

/** A caller that may not see all rows of a table. */
export interface Viewer<T> {
  /** Identifies the visible rows: callers with equal keys see the same rows. */
  readonly key: string;
  /** Whether the viewer sees a row. Must always return the same result for the same row. */
  readonly canSee: (row: T) => boolean;
}

/** A part of a table's rows, with its own columns. */
export interface RowsPart<T> {
  /** The viewer; null for callers that see all rows. */
  readonly viewer: Viewer<T> | null;
  /** The name of a group of an index; empty for the whole table. */
  readonly group: string;
}

/** Rows with their columns. */
export interface MatchedRows<T> {
  readonly rows: SortedRows<T>;
  readonly matcher: RowMatcher<T>;
}

/** Provides columns for queries. */
export interface MatchCache<T> {
  /** Returns the columns for a filter (null for all rows); null if the rows must be evaluated without columns. */
  open(rows: SortedRows<T>, filter: Filter<T> | null): RowMatcher<T> | null;
  /** Returns the columns for the visible rows of a table or group; absent if parts never have columns. */
  openPart?(part: RowsPart<T>, rows: SortedRows<T>, filter: Filter<T> | null): MatchedRows<T> | null;
}

/** The providers of columns, by the order of the rows, which all versions of a table share. */
const matchCaches = sharedWeakMap<Order<never>, MatchCache<never>>('match caches');

/** Registers the provider of columns for all rows in this order. */
export function setMatchCache<T>(order: Order<T>, matchCache: MatchCache<T>): void {
  matchCaches.set(order as object as Order<never>, matchCache as object as MatchCache<never>);
}

/** Returns the columns of a table or part of it; null without columns. */
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
