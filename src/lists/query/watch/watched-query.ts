import { compareKeys, createPager, keyOf, type Key, type Order } from '../../list/index.js';
import type { FilterPlan } from '../../../filter/plan.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { RowUpdate } from './row-updates.js';

/** A query with the result that its client has, to decide which row changes change the result. */
export interface WatchedQuery<T> {
  /** The same for all clients with the same responses. */
  readonly key: string;
  /** The text of the filter; empty for none. */
  readonly filter: string;
  /** Whether the filter matches. A row for which it fails counts: the result is that error. */
  readonly matches: RowPredicate<T>;
  /** Whether the filter fails for a row; null or left out where it can for none. */
  readonly fails?: RowPredicate<T> | null | undefined;
  /** Whether a row is relevant: it is in the namespace, has the prefix, and is visible to the caller. */
  readonly isSelected: RowPredicate<T>;
  readonly page: PageBounds<T>;
  /** Whether two rows with one key show the same, so that one in the place of the other changes no result; none do where it is left out. */
  readonly isSameProjection?: ((before: T, after: T) => boolean) | undefined;
  /** A digest of the current result if it depends on the clock; else null. */
  readonly digest: (() => Promise<string>) | null;
}

/** The position of a row relative to a page: on it, first on the next page, or elsewhere. */
export type PagePosition = 'page' | 'next' | 'elsewhere';

/** A page of a list, by the place where it begins and the one where the next one does. */
export interface PageBounds<T> {
  readonly placeOf: (row: T) => PagePosition;
  /** False if the token is not a row's position, so that rows before it count too: clients send such a token only by mistake. */
  readonly isExact: boolean;
  /** Negative where the first row comes before the second in the list. */
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

/** The test of a filter for which a row that makes it fail counts. */
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

/** The test whether a filter fails for a row; null where it can for none. */
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
 * Whether a row update changes the result. The page may be the one before or after it: as long as they are equal, rows come and
 * go only after the position where the next page begins.
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
  return before === null || after === null || before === after || isSameProjection?.(before, after) !== true;
}
