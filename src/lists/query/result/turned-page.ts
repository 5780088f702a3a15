import { keyOf, tokenOf, type Order } from '../../list/order.js';
import type { Page } from '../../list/index.js';
import type { ParsedQuery } from '../request/query.js';

/** A page with the tokens of the next and of the previous page; null if there is no such page. */
export interface TurnedPage<T> {
  readonly items: readonly T[];
  readonly nextToken: string | null;
  readonly prevToken: string | null;
}

/**
 * Returns the page of a completed scan. A previous page was read backwards, whose first row is an additional one: the row at its
 * token, unless that was removed.
 */
export function turnPage<T>(
  { isBackward, nextToken: position, perPage }: Pick<ParsedQuery<T>, 'isBackward' | 'nextToken' | 'perPage'>,
  { items, nextToken }: Page<T>,
  order: Order<T>,
): TurnedPage<T> {
  if (!isBackward) return { items, nextToken, prevToken: position === '' ? null : position };
  const tokenAt = (row: T): string => tokenOf(order, keyOf(order, row));
  const [first] = items;
  const hasPosition = first !== undefined && tokenAt(first) === position;
  const page = (hasPosition ? items.slice(1) : items.slice(0, perPage - 1)).reverse();
  const hasMore = hasPosition ? nextToken !== null : items.length === perPage;
  const [start] = page;
  return {
    items: page,
    nextToken: position,
    prevToken: hasMore && start !== undefined ? tokenAt(start) : null,
  };
}
