import { compareKeys, createPager, keyOf, type Key, type Order } from '../../list/index.js';
import type { FilterPlan } from '../../../filter/plan.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { RowTouch } from './row-touches.js';

/** What a client has asked of a list and got, so that it can be told which changes of rows make it another result. */
export interface ResultQuestion<T> {
  /** The same for all who get the same answers. */
  readonly key: string;
  /** The text of the filter; empty for none. */
  readonly filter: string;
  /** Whether the filter holds. A row for which it fails counts: the answer is that failure. */
  readonly holds: RowPredicate<T>;
  /** Whether the filter fails for a row; null or left out where it can for none. */
  readonly fails?: RowPredicate<T> | null | undefined;
  /** Whether a row is asked about at all: it is of the namespace, begins as it must, may be seen by the caller. */
  readonly isSelected: RowPredicate<T>;
  readonly page: PageBounds<T>;
  /** Whether two rows with one key show the same, so that one in the place of the other changes no result; none do where it is left out. */
  readonly isSameShown?: ((before: T, after: T) => boolean) | undefined;
  /** A digest of the answer now, where that depends on the clock; null where it does not. */
  readonly digest: (() => Promise<string>) | null;
}

/** Where a row stands to a page: on it, at the first place of the next one, or elsewhere. */
export type PagePlace = 'page' | 'next' | 'elsewhere';

/** A page of a list, by the place where it begins and the one where the next one does. */
export interface PageBounds<T> {
  readonly placeOf: (row: T) => PagePlace;
  /** False where it begins at no row's place, so that rows before it count too: nobody sends such a token but by mistake. */
  readonly isExact: boolean;
  /** Negative where the first row comes before the second in the list. */
  readonly compare: (a: T, b: T) => number;
}

/** @param next the token of the next page; null where there is none, or where the list has no pages. */
export function pageBounds<T>(
  order: Order<T>,
  { nextToken, reverse }: { readonly nextToken: string; readonly reverse: boolean },
  next: string | null,
): PageBounds<T> {
  const place = (token: string): Key | null => createPager({ order, nextToken: token }).start;
  const start = nextToken === '' ? null : place(nextToken);
  const end = next === null ? null : place(next);
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
 * Whether a touch makes the result another one. The page may be that of before or that of after: as long as they are the
 * same, rows come and go behind the place where the next one begins only.
 *
 * @param holds whether the filter holds for a row, where that is known already.
 */
export function isConcerned<T>(
  { page, isSelected, holds: ask, fails, isSameShown }: ResultQuestion<T>,
  { before, after }: RowTouch<T>,
  holds: RowPredicate<T> = ask,
): boolean {
  const placeOf = (row: T | null): PagePlace => {
    if (row === null || !isSelected(row)) return 'elsewhere';
    const place = page.placeOf(row);
    return place === 'elsewhere' || holds(row) ? place : 'elsewhere';
  };
  const was = placeOf(before);
  const is = before === after ? was : placeOf(after);
  if (was !== is) return true;
  // What the row shows that the next page begins with is not on this one, but it is asked for it.
  if (was === 'next') return before !== after && after !== null && fails?.(after) === true;
  if (was !== 'page') return false;
  return before === null || after === null || before === after || isSameShown?.(before, after) !== true;
}
