import { textComparison } from '../../language/values/utf8-order.js';
import { compareKeys, keyOf, type Key, type Order } from './order.js';

/** A row with its key, which is read only once, and its position among the rows, which decides between equal keys. */
export interface Keyed<T> extends Key {
  readonly row: T;
  readonly position: number;
}

/** Reads the keys of all rows, leaving out those that `skip` is true for. */
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

/** All rows in ascending order, or in descending order when `reverse` is set. */
export function sortRows<T>(keyed: Keyed<T>[], reverse: boolean): T[] {
  return keyed.sort(comparison(keyed, reverse)).map(({ row }) => row);
}

/** Fewer rows than this are sorted outright. */
const worthAHeap = 64;

/** After this part of the rows, sorting what is left costs less than taking it from the heap one by one. */
const heapShare = 1 / 16;

/**
 * The rows in order, one by one, for a reader that stops early. A page of fifty rows out of a hundred thousand costs
 * one look at each row and a few steps for each row read, not a full sort. Consumes `keyed`.
 */
export function* drainSorted<T>(keyed: Keyed<T>[], reverse: boolean): Generator<T, void, undefined> {
  const compare = comparison(keyed, reverse);
  if (!isSorted(keyed, compare)) {
    if (keyed.length >= worthAHeap) yield* drainHeap(keyed, compare);
    keyed.sort(compare);
  }
  for (const { row } of keyed) yield row;
}

/** The first rows, taken out of `keyed`; what is left there has no order. */
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
  const entry = heap[start] as Keyed<T>; // start < size, as all indexes below
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
