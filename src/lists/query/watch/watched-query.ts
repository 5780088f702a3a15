import { compareKeys, createPager, keyOf, type Key, type Order } from '../../list/index.js';
import type { FilterPlan } from '../../../filter/plan.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { RowUpdate } from './row-updates.js';

/** A watched query with the page that its client has, to decide which row changes affect the result. */
export interface WatchedQuery<T> {
  /** Key shared by all clients that get the same responses. */
  readonly key: string;
  /** The filter string; empty for none. */
  readonly filter: string;
  /** Whether the filter matches. True if it throws, because that error is the result. */
  readonly matches: RowPredicate<T>;
  /** Whether the filter throws for a row; null or absent if it cannot. */
  readonly fails?: RowPredicate<T> | null | undefined;
  /** Whether a row is relevant: it has the requested prefix and is visible to the caller. */
  readonly isSelected: RowPredicate<T>;
  readonly page: PageBounds<T>;
  /**
   * Whether two versions of a row look identical to the client, so that the row has not changed. If absent, versions always
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
  /** Whether the token is the position of a row. If not, rows before it count too; clients send such a token only by mistake. */
  readonly isExact: boolean;
  /** Returns a negative number if the first row comes before the second in the list. */
  readonly compare: (a: T, b: T) => number;
}

/** @param next the token of the next page; null if none exists, or if the list has no pages. */
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

/** Returns a function that evaluates a filter on a row: null if the filter throws. */
export function filterResult<T>(plan: FilterPlan<T> | null): (row: T) => boolean | null {
  if (plan === null) return () => true;
  return (row) => {
    try {
      return plan.filter.test(row);
    } catch {
      return null;
    }
  };
}

/** Returns the filter's predicate, which is also true for rows on which the filter throws. */
export function filterTest<T>(plan: FilterPlan<T> | null): RowPredicate<T> {
  const result = filterResult(plan);
  return (row) => result(row) !== false;
}

/** Returns a predicate that is true if the filter throws for a row; null if it never throws. */
export function failureTest<T>(plan: FilterPlan<T> | null): RowPredicate<T> | null {
  const result = filterResult(plan);
  return plan?.mayFail === true ? (row) => result(row) === null : null;
}

/**
 * Whether a row update can change the result. `page` may be the page before or after the update. As long as both are equal, only
 * rows after the start of the next page have changed.
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
  // The first row of the next page is not shown, but its key is in the page token.
  if (was === 'next') return before !== after && after !== null && fails?.(after) === true;
  if (was !== 'page') return false;
  if (before === null || after === null || before === after) return true;
  return page.compare(before, after) !== 0 || isSameProjection?.(before, after) !== true;
}
