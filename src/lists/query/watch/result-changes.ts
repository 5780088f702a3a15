import { createPager, type Order } from '../../list/index.js';
import type { RowPredicate } from '../request/row-predicate.js';
import { pageBounds } from './watched-query.js';
import type { JoinedRows, RowUpdate } from './row-updates.js';

/** The difference between two results of one query. All rows are in list order. */
export interface ResultChanges<T> {
  readonly entered: readonly T[];
  readonly left: readonly T[];
  /** Rows in both results whose contents changed. */
  readonly changed: readonly T[];
  /** Token of the next page; null if none exists. */
  readonly nextToken: string | null;
  readonly positions?: ChangePositions;
}

/** The positions of entered, left and changed rows within a page, from 0, in the order of the rows. */
export interface ChangePositions {
  /** The positions on the old page of the rows in `left`, followed by those in `changed`. */
  readonly removed: readonly number[];
  /** The positions on the new page of the rows in `entered`. */
  readonly entered: readonly number[];
  /** The positions on the new page of the rows in `changed`. */
  readonly changed: readonly number[];
}

/** The input of `findChanges`: a query and the row updates since its previous result. */
export interface ChangedResult<T> {
  readonly list: Pick<JoinedRows<T>, 'key'>;
  readonly order: Order<T>;
  readonly query: { readonly nextToken: string; readonly perPage: number; readonly reverse: boolean };
  /** Whether a row belongs to the result, on any page. */
  readonly matches: RowPredicate<T>;
  readonly updates: ReadonlyMap<string, RowUpdate<T>>;
  /** Whether two versions of a row look identical to the client, so that the row has not changed. */
  readonly isSameProjection?: ((before: T, after: T) => boolean) | undefined;
  /** Whether to return positions. For a result without pages, this reads all rows. */
  readonly hasPositions?: boolean | undefined;
  /** Returns the first `count` current rows of the page; all rows if `count` is 0. */
  readonly find: (count: number) => Promise<readonly T[]>;
}

/**
 * Computes the difference of two results from the row changes between them. Untouched rows are the same in both results, so only
 * touched rows are compared in their old and new state.
 */
export async function findChanges<T>(result: ChangedResult<T>): Promise<ResultChanges<T>> {
  const { list, order, query, matches, updates, find, isSameProjection, hasPositions } = result;
  const { perPage, reverse } = query;
  const bounds = pageBounds(order, query, null);
  const isInResult = (row: T | null): row is T =>
    row !== null && matches(row) && bounds.placeOf(row) === 'page';
  const befores = [...updates.values()].map(({ before }) => before).filter(isInResult);
  const afters = [...updates.values()].map(({ after }) => after).filter(isInResult);
  // The positions and the next token depend on untouched rows too. The token needs one row after the page.
  const near =
    perPage > 0 ? await find(perPage + 1 + afters.length) : hasPositions === true ? await find(0) : [];
  const unchanged = near.filter((row) => !updates.has(list.key(row)));
  const pageOf = (
    updated: readonly T[],
  ): { readonly items: readonly T[]; readonly nextToken: string | null } => {
    const pager = createPager({ order, reverse, perPage });
    pager.addAll([...unchanged, ...updated].sort(bounds.compare));
    return pager.page();
  };
  const [old, now] = [pageOf(befores), pageOf(afters)];
  const placesOf = (items: readonly T[]): ReadonlyMap<string, number> =>
    new Map(items.map((row, at) => [list.key(row), at]));
  const [oldPlaces, nowPlaces] = [placesOf(old.items), placesOf(now.items)];
  const entered = now.items.filter((row) => !oldPlaces.has(list.key(row)));
  const left = old.items.filter((row) => !nowPlaces.has(list.key(row)));
  const changed = now.items.filter((row) => {
    const update = updates.get(list.key(row));
    if (update === undefined || !oldPlaces.has(list.key(row))) return false;
    const { before, after } = update;
    if (before === null || after === null || before === after) return true;
    return bounds.compare(before, after) !== 0 || isSameProjection?.(before, after) !== true;
  });
  const changes = { entered, left, changed, nextToken: now.nextToken };
  if (hasPositions !== true) return changes;
  const placesIn = (places: ReadonlyMap<string, number>, rows: readonly T[]): number[] =>
    rows.map((row) => places.get(list.key(row)) ?? 0);
  const removed = placesIn(oldPlaces, [...left, ...changed]);
  return {
    ...changes,
    positions: { removed, entered: placesIn(nowPlaces, entered), changed: placesIn(nowPlaces, changed) },
  };
}
