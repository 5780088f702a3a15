import { readRange } from '../../filter/compile/scan-range.js';
import { ListQueryError } from './errors.js';
import { compareKeys, describe, keyOf, precedes, tokenOf, type Key, type Order } from './order.js';
import { readPagerQuery, type PageRequest, type PagerQuery, type RowTest } from './query.js';

/** A stretch of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Names the first item of the next page; null when no further item matches. */
  readonly nextToken: string | null;
}

/** The search for one page among rows that come in order, as many at a time as suits their owner. */
export interface Pager<T> {
  /**
   * Where the page begins, for those who can begin to read there; null for the beginning, and for a token that names no
   * place in the order. Rows before it may be handed in too: they are passed over.
   */
  readonly start: Key | null;
  /**
   * Processes the next row. Returns true once the page and its token are decided: then no further row is needed or evaluated.
   *
   * @throws what the filter throws; TypeError for a row without a key.
   */
  add(row: T): boolean;
  /** Looks at the next rows, those of an array from one place to before another, in the loop of the filter. */
  addAll(rows: readonly T[], from?: number, to?: number): boolean;
  /** How many rows have been found so far, the first one of the next page included. */
  readonly found: number;
  /** Number of rows that the filter has evaluated so far. */
  readonly examined: number;
  /**
   * The page, once it is decided or there are no more rows.
   *
   * @throws ListQueryError where it ends between two rows with one key or before a row with an empty one: no token could
   * distinguish them, and paging would never get past them.
   */
  page(): Page<T>;
}

/**
 * Creates a pager for rows that the caller reads: in slices, from an index or as they arrive. Its pages and tokens follow the
 * rules of `list`.
 *
 * ```ts
 * const pager = createPager({ order, filter, perPage: 50, nextToken });
 * for (const chunk of table.chunksFrom(pager.start)) if (pager.takeAll(chunk)) break;
 * const { items, nextToken } = pager.page();
 * ```
 *
 * @throws ListQueryError and TypeError as `list`.
 */
export function createPager<T>(query: PagerQuery<T>): Pager<T> {
  return startPager(readPagerQuery(query));
}

/** As {@link createPager}, for a query that has been read. */
export function startPager<T>(request: PageRequest<T>): Pager<T> {
  const { filter, order, target, reverse, perPage } = request;
  const scan = scanOf(filter);
  const items: T[] = [];
  // One more than the page has places: the row that the next one starts with.
  const limit = perPage + 1;
  let examined = 0;
  let ahead = target;

  /** Whether a row is before the page, so that it need not be evaluated. */
  function isAhead(row: T): boolean {
    if (ahead === null) return false;
    if (precedes(order, keyOf(order, row), ahead, reverse)) return true;
    // What follows in the order follows a key, but the tokens of rows are in no order as texts.
    if (ahead.kind === 'key') ahead = null;
    return false;
  }

  function take(row: T): boolean {
    if (items.length === limit) return true;
    if (isAhead(row)) return false;
    examined += 1;
    if (filter !== null && !filter.test(row)) return false;
    // What follows the first item on the page belongs to it.
    ahead = null;
    items.push(row);
    return items.length === limit;
  }

  /** The place of the first row that does not lie before the page, found by halving. */
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

/** The loop of a filter, or one over its test where it has none. */
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
