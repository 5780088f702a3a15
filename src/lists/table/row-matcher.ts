import { sharedWeakMap } from '../../runtime/shared-identity.js';
import type { Filter } from '../../filter/filter.js';
import type { Order } from '../list/order.js';
import type { PageBits } from './page-bits.js';
import type { RowPage, SortedRows } from './sorted-rows.js';

/** What is known of the rows of a page without a look at them. */
export interface PageResult {
  /** The rows that satisfy the filter, or may. Of no length where none does. */
  readonly bits: PageBits;
  /** Returns the rows that have to be evaluated, in their order and as far as needed; null if there are none. */
  readonly uncertain: PageBits | null;
  /** How many rows the page has. */
  readonly size: number;
}

/** Counts the values of a field in rows that are given by their bits. */
export interface FieldCounts<T> {
  /** Counts what it can, and gives the rows that are left to look at, null for none; false where all are. */
  count(page: RowPage<T>, bits: PageBits, from: number, to: number): PageBits | null | false;
  /** The values that were counted: of each a row that has it there. */
  readonly found: () => Iterable<{ readonly row: T; readonly count: number }>;
}

/** How a clause is evaluated, for explanations. */
export interface ClauseAccess {
  /** The clause, as text. */
  readonly filter: string;
  /** `columns`: by dictionary codes; `kept`: by a cached bitmap; `rows`: row by row. */
  readonly by: 'columns' | 'kept' | 'rows';
  /** In a few words. */
  readonly why: string;
}

/** The columns of a table, as one query to one of its versions uses them. */
export interface RowMatcher<T> {
  /** Returns the bitmap of a page if it is cached; null if rows have to be evaluated; undefined if columns can be built first. */
  readonly known: (page: RowPage<T>) => PageResult | null | undefined;
  /** Returns how many rows of a page satisfy the filter, if that is cached without their bits; else null. */
  readonly count: (page: RowPage<T>) => number | null;
  /** Makes what is worth making, in steps; then as `known`. */
  readonly make: (page: RowPage<T>) => Generator<void, PageResult | null, undefined>;
  /** Records how many rows were evaluated, by whatever means: that decides which columns are worth building. */
  readonly note: (rows: number) => void;
  /** Null where the values of the field have no codes. */
  readonly counts: (field: string) => FieldCounts<T> | null;
  readonly explain: () => readonly ClauseAccess[];
}

/** A caller that may not see all rows of a table. */
export interface Viewer<T> {
  /** The same for all callers that see the same rows, and for no others. */
  readonly key: string;
  /** Whether they see a row: always the same for the same row. */
  readonly canSee: (row: T) => boolean;
}

/** A part of the rows of a table, with columns of its own. */
export interface RowsPart<T> {
  /** Returns whether the viewer sees a row; null for all rows. */
  readonly viewer: Viewer<T> | null;
  /** Those of a group of an index, by its name; empty for all. */
  readonly group: string;
}

/** Rows, with what is known of them. */
export interface MatchedRows<T> {
  readonly rows: SortedRows<T>;
  readonly matcher: RowMatcher<T>;
}

/** The owner of columns. */
export interface MatchCache<T> {
  /** Returns the columns for a filter (null for all rows); null if rows are to be evaluated without columns. */
  open(rows: SortedRows<T>, filter: Filter<T> | null): RowMatcher<T> | null;
  /**
   * The same for a part of the rows of a table: of all of them, or of those of a group, the rows that the viewer sees. Left out
   * where nothing is kept of parts.
   */
  openPart?(part: RowsPart<T>, rows: SortedRows<T>, filter: Filter<T> | null): MatchedRows<T> | null;
}

/** By the order of the rows, which all versions of a table share. */
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
