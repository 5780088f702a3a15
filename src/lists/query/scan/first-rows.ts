import { compareKeys, keyOf, precedes, type Key, type Order, type PageStart } from '../../list/order.js';

/** Keeps the rows that a page can need, from rows in any order. */
export interface FirstRows<T> {
  /** @throws TypeError for a row without a position in the order. */
  add(row: T): void;
  /** Returns the rows in ascending order; equal rows keep their order of arrival. */
  inOrder(): readonly T[];
}

interface Placed<T> {
  readonly row: T;
  readonly key: Key;
  /** Number of rows added before this one. */
  readonly at: number;
}

export interface FirstRowsRequest<T> {
  readonly order: Order<T>;
  readonly reverse: boolean;
  /** Start of the page; null for the first page. */
  readonly start: PageStart | null;
  /** Maximum rows to keep; at least 1. */
  readonly maxRows: number;
}

/** Keeps the first rows of a page in a heap, so that each row is read once and nothing is fully sorted. */
export function createFirstRows<T>({
  order,
  reverse,
  start,
  maxRows: limit,
}: FirstRowsRequest<T>): FirstRows<T> {
  // The last row of the page is at the top of the heap.
  const heap: Placed<T>[] = [];
  let count = 0;

  function compare(a: Placed<T>, b: Placed<T>): number {
    return compareKeys(a.key, b.key) || a.at - b.at;
  }

  function comesAfter(a: Placed<T>, b: Placed<T>): boolean {
    return reverse ? compare(a, b) < 0 : compare(a, b) > 0;
  }

  function at(position: number): Placed<T> {
    return heap[position] as Placed<T>; // All accessed positions are within the heap
  }

  /** Whether the numeric key alone proves that a row sorts after all rows in the heap. */
  function isAfter(row: T): boolean {
    if (order.index === undefined || heap.length < limit) return false;
    const index = order.index(row);
    const last = at(0).key.index;
    return reverse ? index < last : index > last;
  }

  function rise(placed: Placed<T>): void {
    let position = heap.push(placed) - 1;
    while (position > 0) {
      const above = (position - 1) >> 1;
      if (!comesAfter(placed, at(above))) break;
      heap[position] = at(above);
      position = above;
    }
    heap[position] = placed;
  }

  function sink(placed: Placed<T>): void {
    let position = 0;
    for (;;) {
      let below = 2 * position + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && comesAfter(at(below + 1), at(below))) below += 1;
      if (!comesAfter(at(below), placed)) break;
      heap[position] = at(below);
      position = below;
    }
    heap[position] = placed;
  }

  return {
    add(row) {
      count += 1;
      if (isAfter(row)) return;
      const placed = { row, key: keyOf(order, row), at: count };
      if (heap.length === limit && !comesAfter(at(0), placed)) return;
      if (start !== null && precedes(order, placed.key, start, reverse)) return;
      if (heap.length < limit) rise(placed);
      else sink(placed);
    },
    inOrder: () => heap.sort(compare).map(({ row }) => row),
  };
}
