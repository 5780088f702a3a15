import { textComparison } from '../../language/values/utf8-order.js';
import { compareKeys, keyOf, type Key, type Order } from './order.js';

/** A row with its key, which is read only once. `at` is its original position, which decides between equal keys. */
export interface Keyed<T> extends Key {
  readonly row: T;
  readonly position: number;
}

/** Reads the keys of all rows except those for which `skip` is true. */
export function readKeys<T>(
  rows: Iterable<T>,
  order: Order<T>,
  skip: ((key: Key) => boolean) | null,
): Keyed<T>[] {
  const keyed: Keyed<T>[] = [];
  let position = 0;
  for (const row of rows) {
    const { index, text } = keyOf(order, row);
    const entry = { index, text, row, position };
    position += 1;
    if (skip === null || !skip(entry)) keyed.push(entry);
  }
  return keyed;
}

/** Returns all rows in ascending order; descending if `reverse` is set. */
export function sortRows<T>(keyed: Keyed<T>[], reverse: boolean): T[] {
  return keyed.sort(comparison(keyed, reverse)).map(({ row }) => row);
}

/** Minimum number of rows for a heap. Fewer are sorted completely. */
const worthAHeap = 64;

/** Share of the rows that is taken from the heap. After that, sorting the rest is cheaper. */
const heapShare = 1 / 16;

/** Yields the rows in order for a consumer that stops early. The first page of many rows needs no full sort. Consumes `keyed`. */
export function* drainSorted<T>(keyed: Keyed<T>[], reverse: boolean): Generator<T, void, undefined> {
  const compare = comparison(keyed, reverse);
  if (!isSorted(keyed, compare)) {
    if (keyed.length >= worthAHeap) yield* drainHeap(keyed, compare);
    keyed.sort(compare);
  }
  for (const { row } of keyed) yield row;
}

/** Yields the first rows and removes them from `keyed`. The remaining rows have no order. */
function* drainHeap<T>(keyed: Keyed<T>[], compare: Comparison): Generator<T, void, undefined> {
  let size = keyed.length;
  const min = size * (1 - heapShare);
  for (let at = (size >> 1) - 1; at >= 0; at -= 1) siftDown(keyed, at, size, compare);
  while (size > min) {
    const first = keyed[0] as Keyed<T>; // the heap holds `size` > 0 entries
    size -= 1;
    keyed[0] = keyed[size] as Keyed<T>;
    siftDown(keyed, 0, size, compare);
    yield first.row;
  }
  keyed.length = size;
}

type Comparison = (a: Keyed<unknown>, b: Keyed<unknown>) => number;

function comparison(keyed: readonly Keyed<unknown>[], reverse: boolean): Comparison {
  const compareText = textComparison(keyed.map(({ text }) => text));
  if (reverse) return (a, b) => compareKeys(b, a, compareText) || a.position - b.position;
  return (a, b) => compareKeys(a, b, compareText) || a.position - b.position;
}

function isSorted(keyed: readonly Keyed<unknown>[], compare: Comparison): boolean {
  let previous: Keyed<unknown> | null = null;
  for (const entry of keyed) {
    if (previous !== null && compare(previous, entry) > 0) return false;
    previous = entry;
  }
  return true;
}

/** Restores the heap (each entry before its children at 2n+1 and 2n+2) below an entry that may be too high. */
function siftDown<T>(heap: Keyed<T>[], start: number, size: number, compare: Comparison): void {
  const entry = heap[start] as Keyed<T>; // Like all indexes below, `start` is below `size`
  let at = start;
  for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && compare(heap[child + 1] as Keyed<T>, heap[child] as Keyed<T>) < 0) child += 1;
    const below = heap[child] as Keyed<T>;
    if (compare(entry, below) <= 0) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = entry;
}
