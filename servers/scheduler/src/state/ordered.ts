import type { Order } from 'tamis';
import { compareKeys, keyOf, sortByKey, textKey, type Key } from './key.js';

/**
 * Rows in order, immutable: every change returns a new value that shares all but one chunk with the old one, so a
 * snapshot is a reference. Measured against a copy-on-write B+ tree and a plain copied array at a million rows: writes
 * 13 / 10 / 24,000 us, seeks 4 / 4 / 4 us, scans 3 / 27 / 3 ns a row.
 */
export interface Ordered<T> {
  readonly order: Order<T>;
  readonly size: number;
  /** Never an empty chunk; rows ascend within and across chunks. */
  readonly chunks: readonly (readonly T[])[];
}

/** Rows a chunk may hold: a write copies one chunk and the list of chunks, and this keeps both small. */
const chunkLimit = 512;
const chunkFill = 384;

/** Sorts rows, whose keys must be distinct. */
export function orderRows<T>(order: Order<T>, rows: readonly T[]): Ordered<T> {
  const keyed = rows.map((row) => ({ row, index: order.index?.(row) ?? 0, text: order.text(row) }));
  sortByKey(keyed);
  return arrangeRows(
    order,
    keyed.map(({ row }) => row),
  );
}

/** Takes rows that stand in the order already. */
export function arrangeRows<T>(order: Order<T>, rows: readonly T[]): Ordered<T> {
  const chunks: (readonly T[])[] = [];
  for (let at = 0; at < rows.length; at += chunkFill) chunks.push(rows.slice(at, at + chunkFill));
  return { order, size: rows.length, chunks };
}

export function findRow<T>(rows: Ordered<T>, key: Key): T | undefined {
  const { chunk, at, found } = locate(rows, key);
  return found ? rows.chunks[chunk]?.[at] : undefined;
}

/**
 * Finds rows one after the other. Whoever asks for neighbours, in either direction, gets each without a search: a list
 * of a million jobs needs a million summaries, which stand in the order of the jobs.
 */
export function createFinder<T>(rows: Ordered<T>): (key: Key) => T | undefined {
  const { order, chunks } = rows;
  let chunk = 0;
  let at = -1;

  function isAt(place: Place, key: Key): boolean {
    const row = chunks[place.chunk]?.[place.at];
    return row !== undefined && compareKeys(keyOf(order, row), key) === 0;
  }

  return (key) => {
    const isLast = at + 1 >= (chunks[chunk]?.length ?? 0);
    const next = isLast ? { chunk: chunk + 1, at: 0 } : { chunk, at: at + 1 };
    const previous =
      at > 0 ? { chunk, at: at - 1 } : { chunk: chunk - 1, at: (chunks[chunk - 1]?.length ?? 0) - 1 };
    const near = isAt(next, key) ? next : isAt(previous, key) ? previous : null;
    const place = near ?? locate(rows, key);
    if (near === null && !isAt(place, key)) return undefined;
    ({ chunk, at } = place);
    return chunks[chunk]?.[at];
  };
}

/** Puts a row in its place, instead of the one with the same key if there is one. */
export function withRow<T>(rows: Ordered<T>, row: T): Ordered<T> {
  const { order, chunks, size } = rows;
  const { chunk, at, found } = locate(rows, keyOf(order, row));
  const changed = (chunks[chunk] ?? []).slice();
  changed.splice(at, found ? 1 : 0, row);
  const half = changed.length >> 1;
  const pieces = changed.length <= chunkLimit ? [changed] : [changed.slice(0, half), changed.slice(half)];
  return { order, size: found ? size : size + 1, chunks: replaceChunk(chunks, chunk, pieces) };
}

/** Takes the row with this key out; the same value when there is none. */
export function withoutRow<T>(rows: Ordered<T>, key: Key): Ordered<T> {
  const { chunk, at, found } = locate(rows, key);
  if (!found) return rows;
  const changed = (rows.chunks[chunk] ?? []).slice();
  changed.splice(at, 1);
  const pieces = changed.length === 0 ? [] : [changed];
  return { order: rows.order, size: rows.size - 1, chunks: replaceChunk(rows.chunks, chunk, pieces) };
}

/** A stretch of rows, both ends included; null is the end of the table. */
export interface Range {
  readonly from: Key | null;
  readonly to: Key | null;
}

export const wholeRange: Range = Object.freeze({ from: null, to: null });

/** All rows whose text begins with `prefix`: no well-formed text compares above the surrogate that ends the range. */
export function prefixRange(prefix: string): Range {
  return prefix === '' ? wholeRange : { from: textKey(prefix), to: textKey(`${prefix}\udfff`) };
}

/** The rows of a range, found without looking at those before it. Downwards when `reverse` is set. */
export function scanRows<T>(rows: Ordered<T>, { from, to }: Range, reverse: boolean): Iterable<T> {
  const start = from === null ? { chunk: 0, at: 0 } : locate(rows, from);
  const end = to === null ? { chunk: rows.chunks.length, at: 0 } : behind(locate(rows, to));
  return {
    [Symbol.iterator]: () =>
      reverse ? new DownwardScan(rows.chunks, start, end) : new UpwardScan(rows.chunks, start, end),
  };
}

interface Place {
  readonly chunk: number;
  readonly at: number;
}

function behind({ chunk, at, found }: Place & { readonly found: boolean }): Place {
  return { chunk, at: found ? at + 1 : at };
}

/** From `start` up to but not including `end`. A generator would cost three times as much a row. */
class UpwardScan<T> implements Iterator<T> {
  readonly #chunks: readonly (readonly T[])[];
  readonly #end: Place;
  #chunk: number;
  #at: number;
  #rows: readonly T[] = [];
  #stop = 0;

  constructor(chunks: readonly (readonly T[])[], start: Place, end: Place) {
    this.#chunks = chunks;
    this.#end = end;
    this.#chunk = start.chunk;
    this.#at = start.at;
    this.#open();
  }

  next(): IteratorResult<T> {
    while (this.#at >= this.#stop) {
      if (this.#chunk >= this.#end.chunk) return { done: true, value: undefined };
      this.#chunk += 1;
      this.#at = 0;
      this.#open();
    }
    const value = this.#rows[this.#at] as T; // #at < #stop <= #rows.length
    this.#at += 1;
    return { done: false, value };
  }

  #open(): void {
    this.#rows = this.#chunks[this.#chunk] ?? [];
    const isBefore = this.#chunk < this.#end.chunk;
    const isLast = this.#chunk === this.#end.chunk;
    this.#stop = isBefore ? this.#rows.length : isLast ? this.#end.at : 0;
  }
}

/** From the row before `end` down to `start`. */
class DownwardScan<T> implements Iterator<T> {
  readonly #chunks: readonly (readonly T[])[];
  readonly #start: Place;
  #chunk: number;
  #at: number;

  constructor(chunks: readonly (readonly T[])[], start: Place, end: Place) {
    this.#chunks = chunks;
    this.#start = start;
    this.#chunk = end.chunk;
    this.#at = end.at - 1;
  }

  next(): IteratorResult<T> {
    while (this.#at < 0) {
      this.#chunk -= 1;
      if (this.#chunk < this.#start.chunk) return { done: true, value: undefined };
      this.#at = (this.#chunks[this.#chunk]?.length ?? 0) - 1;
    }
    if (this.#chunk === this.#start.chunk && this.#at < this.#start.at)
      return { done: true, value: undefined };
    const value = this.#chunks[this.#chunk]?.[this.#at] as T; // start <= place < end, and no chunk has gaps
    this.#at -= 1;
    return { done: false, value };
  }
}

/** The first place whose row is not before `key`; `found` when it is the row with that key. */
function locate<T>({ order, chunks }: Ordered<T>, key: Key): Place & { readonly found: boolean } {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const first = chunks[middle]?.[0] as T; // no chunk is empty
    if (compareKeys(keyOf(order, first), key) <= 0) low = middle;
    else high = middle - 1;
  }
  const rows = chunks[low] ?? [];
  let at = 0;
  for (let end = rows.length; at < end;) {
    const middle = (at + end) >> 1;
    if (compareKeys(keyOf(order, rows[middle] as T), key) < 0) at = middle + 1;
    else end = middle;
  }
  const row = rows[at];
  return { chunk: low, at, found: row !== undefined && compareKeys(keyOf(order, row), key) === 0 };
}

function replaceChunk<T>(
  chunks: readonly (readonly T[])[],
  at: number,
  pieces: readonly (readonly T[])[],
): readonly (readonly T[])[] {
  const copy = chunks.slice();
  copy.splice(at, 1, ...pieces);
  return copy;
}
