import { readRange } from '../../filter/compile/scan-range.js';
import { ListQueryError } from './errors.js';
import { compareKeys, describe, keyOf, precedes, tokenOf, type Key, type Order } from './order.js';
import { readPagerQuery, type PageRequest, type PagerQuery, type RowTest } from './query.js';

/** One page of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Token of the first item of the next page; null on the last page. */
  readonly nextToken: string | null;
}

/** Collects one page from ordered rows, which the caller adds singly or in batches of any size. */
export interface Pager<T> {
  /**
   * The key at which the caller can start reading; null for the start of the list, and for a token without a key. Rows before
   * the key may be added too: they are skipped.
   */
  readonly start: Key | null;
  /**
   * Processes the next row. Returns true once the page and its token are decided: then no further row is needed or evaluated.
   *
   * @throws what the filter throws; TypeError for a row without a key.
   */
  add(row: T): boolean;
  /** Processes `rows[from]` up to but excluding `rows[to]`, in the loop of the compiled filter. Returns as `add` does. */
  addAll(rows: readonly T[], from?: number, to?: number): boolean;
  /** Number of matching rows so far, including the first row of the next page. */
  readonly found: number;
  /** The first row of the next page; null if none has been found. */
  readonly next: T | null;
  /** Number of rows that the filter has evaluated so far. */
  readonly examined: number;
  /**
   * Returns the page. Call it once `add` or `addAll` has returned true, or after the last row.
   *
   * @throws ListQueryError if the page ends between two rows with the same key, or before a row with an empty key: no token could
   * identify that position, and paging would never get past it.
   */
  page(): Page<T>;
}

/**
 * Creates a pager for rows that the caller reads: in slices, from an index or as they arrive. Its pages and tokens follow the
 * rules of `list`.
 *
 * ```ts
 * const pager = createPager({ order, filter, perPage: 50, nextToken });
 * for (const chunk of table.chunksFrom(pager.start)) if (pager.addAll(chunk)) break;
 * const { items, nextToken } = pager.page();
 * ```
 *
 * @throws ListQueryError and TypeError as `list`.
 */
export function createPager<T>(query: PagerQuery<T>): Pager<T> {
  return startPager(readPagerQuery(query));
}

/** As {@link createPager}, for a validated query. */
export function startPager<T>(request: PageRequest<T>): Pager<T> {
  const { filter, order, target, reverse, perPage } = request;
  const scan = scanOf(filter);
  const items: T[] = [];
  // One more than the page size: the additional row is the first one of the next page.
  const limit = perPage + 1;
  let examined = 0;
  let ahead = target;

  /** Whether a row is before the start of the page, so that the filter need not be evaluated. */
  function isAhead(row: T): boolean {
    if (ahead === null) return false;
    if (precedes(order, keyOf(order, row), ahead, reverse)) return true;
    // Once a row is at or after a key target, all later rows are too. For a text target every row must be compared.
    if (ahead.kind === 'key') ahead = null;
    return false;
  }

  function take(row: T): boolean {
    if (items.length === limit) return true;
    if (isAhead(row)) return false;
    examined += 1;
    if (filter !== null && !filter.test(row)) return false;
    // After the first item on the page, no row is before the page.
    ahead = null;
    items.push(row);
    return items.length === limit;
  }

  /** Returns the index of the first row that is not before the page, by binary search. */
  function skip(rows: readonly T[], from: number, to: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const key = keyOf(order, rows[middle] as T); // middle < to <= rows.length
      if (ahead !== null && precedes(order, key, ahead, reverse)) low = middle + 1;
      else high = middle;
    }
    if (low < to) ahead = null;
    return low;
  }

  return {
    start: target?.kind === 'key' ? target.key : null,
    add: take,
    addAll(rows, first, last) {
      const { from, to } = readRange(rows, { from: first, to: last });
      let at = from;
      while (ahead?.kind === 'text' && at < to) {
        if (take(rows[at] as T)) return true; // at < to <= rows.length
        at += 1;
      }
      if (ahead !== null) at = skip(rows, at, to);
      examined += scan(rows, items, { from: at, to, limit }) - at;
      return items.length === limit;
    },
    get found() {
      return items.length;
    },
    get next() {
      return items[perPage] ?? null;
    },
    get examined() {
      return examined;
    },
    page() {
      const next = items[perPage];
      if (items.length < limit) return { items, nextToken: null };
      const page = items.slice(0, perPage);
      return { items: page, nextToken: tokenBetween(order, page, next as T) };
    },
  };
}

/** Returns the `scan` function of a filter; for filters without one, a loop that calls `test`. */
function scanOf<T>(filter: RowTest<T> | null): NonNullable<RowTest<T>['scan']> {
  if (filter?.scan !== undefined) return filter.scan.bind(filter);
  return (rows, into, range = {}) => {
    const { from, to, limit } = readRange(rows, range);
    let at = from;
    for (; at < to && into.length < limit; at += 1) {
      const row = rows[at] as T; // at < to <= rows.length
      if (filter === null || filter.test(row)) into.push(row);
    }
    return at;
  };
}

/** Returns the token of `next`, the row after the full page `items`. */
function tokenBetween<T>(order: Order<T>, items: readonly T[], next: T): string {
  const key = keyOf(order, next);
  const token = tokenOf(order, key);
  if (token === '') {
    const message =
      'a row has an empty key, which a token cannot represent: order.text must return a field that is never empty';
    throw new ListQueryError('empty-key', 'order', message);
  }
  // A full page has at least one item, because perPage is at least 1.
  const last = items[items.length - 1] as T;
  if (compareKeys(keyOf(order, last), key) === 0) {
    const message = `two rows have the key ${describe(token)}, so a token cannot identify the position between them: add a unique field to order.text`;
    throw new ListQueryError('duplicate-key', 'order', message);
  }
  return token;
}
