import { describe, precedes, type Key, type Order } from './order.js';
import { startPager, type Page } from './pager.js';
import { readQuery, type ListQuery, type ReadQuery } from './query.js';
import { drainSorted, readKeys, sortRows } from './sort.js';

/**
 * Filters, sorts and cuts rows into pages. The token of a page names the FIRST item of the next one, so a page holds
 * the first `perPage` matching rows whose key is at or behind the token's. Pages are full under any filter, a token
 * exists only if another row matches, and a token whose row is gone resumes at the row behind it. Tokens that no page
 * has handed out are compared like any other; past the end they give an empty page.
 *
 * The filter is asked, in the order of the list, only until the page and its token are decided: a row further on
 * cannot fail the page. With `sorted: true` the rows are not even read further, and a generator is closed; in a sorted array
 * the token is found by halving.
 *
 * @throws ListQueryError for a query without an answer, and where a page ends between two rows with one key or before a
 * row with an empty one: no token could tell them apart, and paging would never get past them.
 * @throws TypeError for an argument of the wrong type. Errors of the filter and of the order pass through.
 */
export function list<T>(rows: Iterable<T>, query: ListQuery<NoInfer<T>> = {}): Page<T> {
  const request = readQuery(query);
  if (!isIterable(rows)) {
    throw new TypeError(
      `rows must be iterable, such as an array or a generator, not ${describe(rows)}: collect asynchronous rows first`,
    );
  }
  const { order, filter, target, perPage, reverse, sorted } = request;
  if (order === null) return { items: inOwnOrder(rows, request), nextToken: null };
  if (perPage === Infinity && target === null) {
    // Every row is asked about anyway: sort only those that match.
    const items = selectRows(rows, filter);
    return { items: sorted ? items : sortRows(readKeys(items, order, null), reverse), nextToken: null };
  }
  const pager = startPager({ ...request, order });
  if (sorted && Array.isArray(rows)) pager.takeAll(rows as readonly T[]);
  else {
    for (const row of sorted ? rows : sortedRows(rows, order, request)) if (pager.take(row)) break;
  }
  return pager.page();
}

/** The rows in order, those before a key left out: they need no sorting. */
function sortedRows<T>(rows: Iterable<T>, order: Order<T>, { target, reverse }: ReadQuery<T>): Iterable<T> {
  // A text target says nothing yet: only in the sorted list does it have a place.
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
