import { ListQueryError } from './errors.js';
import {
  compareKeys,
  compareToTarget,
  describe,
  keyOf,
  tokenOf,
  type Key,
  type Order,
  type Target,
} from './order.js';
import { drainSorted, readKeys, sortRows } from './sort.js';
import { readQuery, type ListQuery, type ReadQuery } from './query.js';

/** A stretch of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Names the first item of the next page; null when no further item matches. */
  readonly nextToken: string | null;
}

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
  if (sorted) return takePage(skipToTarget(rows, order, request), order, request);
  // Rows before a key need no sorting. A text target says nothing yet: only in the sorted list does it have a place.
  const skip = target?.kind === 'key' ? (key: Key) => precedes(order, key, target, reverse) : null;
  return takePage(drainSorted(readKeys(rows, order, skip), reverse), order, request);
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

/** Sorted rows that can be reached by their place, from the target on, found by halving; other rows as they are. */
function skipToTarget<T>(rows: Iterable<T>, order: Order<T>, { target, reverse }: ReadQuery<T>): Iterable<T> {
  if (!Array.isArray(rows) || target?.kind !== 'key') return rows;
  const array: readonly T[] = rows;
  let low = 0;
  let high = array.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (precedes(order, keyOf(order, array[middle] as T), target, reverse)) low = middle + 1;
    else high = middle;
  }
  return rowsFrom(array, low);
}

function* rowsFrom<T>(rows: readonly T[], start: number): Generator<T, void, undefined> {
  // The length is read each time, as the array's own iterator does.
  for (let at = start; at < rows.length; at += 1) yield rows[at] as T;
}

/** The rows in order from the target on, the matching ones of them, until the page is full and its successor known. */
function takePage<T>(rows: Iterable<T>, order: Order<T>, request: ReadQuery<T>): Page<T> {
  const { filter, target, reverse, perPage } = request;
  const items: T[] = [];
  let reached = target === null;
  for (const row of rows) {
    if (!reached && target !== null && precedes(order, keyOf(order, row), target, reverse)) continue;
    if (filter !== null && !filter.test(row)) continue;
    // From the first item on there is nothing to compare: what follows in the list follows the target.
    reached = true;
    if (items.length === perPage) return { items, nextToken: tokenBetween(order, items, row) };
    items.push(row);
  }
  return { items, nextToken: null };
}

function precedes<T>(order: Order<T>, key: Key, target: Target, reverse: boolean): boolean {
  const distance = compareToTarget(order, key, target);
  return reverse ? distance > 0 : distance < 0;
}

/** The token of `next`, the row behind the full page `items`. */
function tokenBetween<T>(order: Order<T>, items: readonly T[], next: T): string {
  const key = keyOf(order, next);
  const token = tokenOf(order, key);
  if (token === '') {
    const message =
      'a row has an empty key, which no token can name: let order.text return a field that is never empty';
    throw new ListQueryError('empty-key', 'order', message);
  }
  // A full page has at least one item, because perPage is at least 1.
  const last = items[items.length - 1] as T;
  if (compareKeys(keyOf(order, last), key) === 0) {
    const message = `two rows have the key ${describe(token)}, so no token can name the page between them: add a unique field to order.text`;
    throw new ListQueryError('duplicate-key', 'order', message);
  }
  return token;
}
