import { isArriving } from '../../runtime/async-rows.js';
import { ListQueryError } from './errors.js';
import { describe, precedes, type Key, type Order } from './order.js';
import { startPager, type Page } from './pager.js';
import { readQuery, type ListQuery, type ReadQuery } from './query.js';
import { drainSorted, readKeys, sortRows } from './sort.js';

/**
 * Returns one page of filtered and sorted rows. The token of a page names the FIRST item of the next one, so a page holds
 * the first `perPage` matching rows whose key is at or after the token's. Pages are full under any filter, a token
 * exists only if another row matches, and a token whose row is gone resumes at the next row. Tokens that no page
 * has handed out are compared like any other; past the end they give an empty page.
 *
 * The filter is evaluated, in the order of the list, only until the page and its token are decided: a row further on
 * cannot fail the page. With `sorted: true` the rows are not even read further, and a generator is closed; in a sorted array
 * the token is found by halving.
 *
 * Rows may arrive one by one: then the page is promised. They are put in order up to `maxSorted`, and read no further than the page
 * needs where they come sorted.
 *
 * @throws ListQueryError for an invalid query, and if a page ends between two rows with one key or before a row with an empty
 * one: no token could distinguish them, and paging would never get past them.
 * @throws TypeError for an argument of the wrong type. Errors of the filter and of the order pass through.
 */
export function list<T>(rows: Iterable<T>, query?: ListQuery<NoInfer<T>>): Page<T>;
export function list<T>(rows: AsyncIterable<T>, query?: ListQuery<NoInfer<T>>): Promise<Page<T>>;
export function list<T>(
  rows: Iterable<T> | AsyncIterable<T>,
  query?: ListQuery<NoInfer<T>>,
): Page<T> | Promise<Page<T>> {
  const isAsync = isArriving(rows);
  if (!isAsync && !isIterable(rows)) {
    throw new TypeError(
      `rows must be iterable, such as an array or a generator, got ${describe(rows)}; await a promise first`,
    );
  }
  const request = readQuery(query);
  return isAsync ? pageOfArriving(rows, request) : pageOf(rows, request);
}

function pageOf<T>(rows: Iterable<T>, request: ReadQuery<T>): Page<T> {
  const { order, filter, target, perPage, reverse, sorted } = request;
  if (order === null) return { items: inOwnOrder(rows, request), nextToken: null };
  if (perPage === Infinity && target === null) {
    // Every row is evaluated anyway, so only matching rows are sorted.
    const items = selectRows(rows, filter);
    return { items: sorted ? items : sortRows(readKeys(items, order, null), reverse), nextToken: null };
  }
  const pager = startPager({ ...request, order });
  if (sorted && Array.isArray(rows)) pager.addAll(rows as readonly T[]);
  else {
    for (const row of sorted ? rows : sortedRows(rows, order, request)) if (pager.add(row)) break;
  }
  return pager.page();
}

async function pageOfArriving<T>(rows: AsyncIterable<T>, request: ReadQuery<T>): Promise<Page<T>> {
  const { order, filter, target, perPage, sorted, maxSorted } = request;
  if (order !== null && sorted) {
    const pager = startPager({ ...request, order });
    for await (const row of rows) if (pager.add(row)) break;
    return pager.page();
  }
  // If every row is evaluated anyway, rows that do not match are dropped before sorting.
  const early = order === null || (perPage === Infinity && target === null) ? filter : null;
  const cached: T[] = [];
  for await (const row of rows) {
    if (early?.test(row) === false) continue;
    if (cached.push(row) <= maxSorted || order === null) continue;
    throw new ListQueryError(
      'too-many-rows',
      'maxSorted',
      `more than ${maxSorted} rows would have to be sorted: narrow the filter, provide sorted rows, or raise maxSorted`,
    );
  }
  return pageOf(cached, early === null ? request : { ...request, filter: null });
}

/** Returns the rows in order. Rows before a key are omitted, because they need no sorting. */
function sortedRows<T>(rows: Iterable<T>, order: Order<T>, { target, reverse }: ReadQuery<T>): Iterable<T> {
  // A token that is not a key can be compared only with sorted rows.
  const skip = target?.kind === 'key' ? (key: Key) => precedes(order, key, target, reverse) : null;
  return drainSorted(readKeys(rows, order, skip), reverse);
}

function isIterable(rows: unknown): rows is Iterable<unknown> {
  return rows !== null && rows !== undefined && typeof Object(rows)[Symbol.iterator] === 'function';
}

function inOwnOrder<T>(rows: Iterable<T>, { filter, reverse }: ReadQuery<T>): T[] {
  const items = selectRows(rows, filter);
  return reverse ? items.reverse() : items;
}

function selectRows<T>(rows: Iterable<T>, filter: ReadQuery<T>['filter']): T[] {
  if (filter === null) return [...rows];
  if (filter.select !== undefined) return filter.select(rows);
  const items: T[] = [];
  for (const row of rows) if (filter.test(row)) items.push(row);
  return items;
}
