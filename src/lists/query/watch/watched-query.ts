import { compareKeys, createPager, keyOf, type Key, type Order } from '../../list/index.js';
import type { FilterPlan } from '../../../filter/plan.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { RowUpdate } from './row-updates.js';

/** A query with the result that its client has, to decide which row changes change the result. */
export interface WatchedQuery<T> {
  /** Key shared by all clients with the same responses. */
  readonly key: string;
  /** The filter string; empty for none. */
  readonly filter: string;
  /** Whether the filter matches. A row for which it throws counts as a match: the result is that error. */
  readonly matches: RowPredicate<T>;
  /** Whether the filter throws for a row; null or absent if it cannot. */
  readonly fails?: RowPredicate<T> | null | undefined;
  /** Whether a row is relevant: it is in the namespace, has the prefix, and is visible to the caller. */
  readonly isSelected: RowPredicate<T>;
  readonly page: PageBounds<T>;
  /**
   * Whether two rows with one key are shown identically, so that replacing one by the other is no change. If absent, rows always
   * differ.
   */
  readonly isSameProjection?: ((before: T, after: T) => boolean) | undefined;
  /** A digest of the current result if it depends on the clock; else null. */
  readonly digest: (() => Promise<string>) | null;
}

/** The position of a row relative to a page: on it, first on the next page, or elsewhere. */
export type PagePosition = 'page' | 'next' | 'elsewhere';

/** The bounds of a page: its start and the start of the next page. */
export interface PageBounds<T> {
  readonly placeOf: (row: T) => PagePosition;
  /** False if the token is not a row's position, so that rows before it count too: clients send such a token only by mistake. */
  readonly isExact: boolean;
  /** Returns a negative number if the first row comes before the second in the list. */
  readonly compare: (a: T, b: T) => number;
}

/** @param next the token of the next page; null if there is none, or if the list has no pages. */
export function pageBounds<T>(
  order: Order<T>,
  { nextToken, reverse }: { readonly nextToken: string; readonly reverse: boolean },
  next: string | null,
): PageBounds<T> {
  const position = (token: string): Key | null => createPager({ order, nextToken: token }).start;
  const start = nextToken === '' ? null : position(nextToken);
  const end = next === null ? null : position(next);
  const compare = (a: Key, b: Key): number => (reverse ? compareKeys(b, a) : compareKeys(a, b));
  return {
    placeOf(row) {
      const key = keyOf(order, row);
      if (start !== null && compare(key, start) < 0) return 'elsewhere';
      if (end === null) return 'page';
      const distance = compare(key, end);
      return distance < 0 ? 'page' : distance === 0 ? 'next' : 'elsewhere';
    },
    isExact: nextToken === '' || start !== null,
    compare: (a, b) => compare(keyOf(order, a), keyOf(order, b)),
  };
}

/** Returns the filter's predicate, which is also true for rows on which the filter throws. */
export function filterTest<T>(plan: FilterPlan<T> | null): RowPredicate<T> {
  if (plan === null) return () => true;
  return (row) => {
    try {
      return plan.filter.test(row);
    } catch {
      return true;
    }
  };
}

/** Returns the predicate whether a filter throws for a row; null if it cannot. */
export function failureTest<T>(plan: FilterPlan<T> | null): RowPredicate<T> | null {
  if (plan?.mayFail !== true) return null;
  return (row) => {
    try {
      plan.filter.test(row);
      return false;
    } catch {
      return true;
    }
  };
}

/**
 * Whether a row update changes the result. `page` may be the page before or after the update: while they are equal, rows change
 * only after the start of the next page.
 *
 * @param matches whether the filter matches a row, if that is known already.
 */
export function isConcerned<T>(
  { page, isSelected, matches: matchesFilter, fails, isSameProjection }: WatchedQuery<T>,
  { before, after }: RowUpdate<T>,
  matches: RowPredicate<T> = matchesFilter,
): boolean {
  const placeOf = (row: T | null): PagePosition => {
    if (row === null || !isSelected(row)) return 'elsewhere';
    const position = page.placeOf(row);
    return position === 'elsewhere' || matches(row) ? position : 'elsewhere';
  };
  const was = placeOf(before);
  const is = before === after ? was : placeOf(after);
  if (was !== is) return true;
  // The first row of the next page is not on this page, but its key is in the page token.
  if (was === 'next') return before !== after && after !== null && fails?.(after) === true;
  if (was !== 'page') return false;
  if (before === null || after === null || before === after) return true;
  return page.compare(before, after) !== 0 || isSameProjection?.(before, after) !== true;
}
