import type { Order } from 'tamis';
import { compareKeys, keyOf, sortByKey, textKey, type Key } from './key.js';

/**
 * Rows in order, immutable: every change returns a new value that shares almost everything with the old one, so a
 * snapshot is a reference. A tree of three floors: pages of chunks of rows. A write copies one chunk, one page and the
 * list of pages, some 3 KB at a million rows; with two floors it was 24 KB, and the garbage cost more than the search.
 */
export interface Ordered<T> {
  readonly order: Order<T>;
  readonly size: number;
  /** No page and no chunk is empty; rows ascend within and across them. */
  readonly pages: readonly Page<T>[];
  /** All chunks, put together when asked for. */
  readonly chunks: readonly Chunk<T>[];
}

type Chunk<T> = readonly T[];
type Page<T> = readonly Chunk<T>[];

/** Rows of a chunk, and chunks of a page. One that grows beyond the limit is halved. */
const limit = 128;
const fill = 96;

class OrderedRows<T> implements Ordered<T> {
  constructor(
    readonly order: Order<T>,
    readonly size: number,
    readonly pages: readonly Page<T>[],
  ) {}

  get chunks(): readonly Chunk<T>[] {
    return this.pages.flat();
  }
}

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
  return new OrderedRows(order, rows.length, cut(cut(rows)));
}

function cut<E>(list: readonly E[]): (readonly E[])[] {
  const pieces: (readonly E[])[] = [];
  for (let at = 0; at < list.length; at += fill) pieces.push(list.slice(at, at + fill));
  return pieces;
}

export function findRow<T>(rows: Ordered<T>, key: Key): T | undefined {
  const place = locate(rows, key);
  return place.found ? rowAt(rows, place) : undefined;
}

/**
 * Finds rows one after the other. Whoever asks for neighbours, in either direction, gets each without a search: a list
 * of a million jobs needs a million summaries, which stand in the order of the jobs.
 */
export function createFinder<T>(rows: Ordered<T>): (key: Key) => T | undefined {
  let last: Place = { page: 0, chunk: 0, at: -1 };
  return (key) => {
    for (const place of [placeAfter(rows, last), placeBefore(rows, last)]) {
      const row = rowAt(rows, place);
      if (row === undefined || compareKeys(keyOf(rows.order, row), key) !== 0) continue;
      last = place;
      return row;
    }
    const place = locate(rows, key);
    if (!place.found) return undefined;
    last = place;
    return rowAt(rows, place);
  };
}

/** Puts a row in its place, instead of the one with the same key if there is one. */
export function withRow<T>(rows: Ordered<T>, row: NoInfer<T>): Ordered<T> {
  const { order, size, pages } = rows;
  const { page, chunk, at, found } = locate(rows, keyOf(order, row));
  const chunks = pages[page] ?? [];
  const grown = replaced<T>(chunks[chunk] ?? [], at, found ? 1 : 0, [row]);
  const changed = replaced(chunks, chunk, 1, halved(grown));
  return new OrderedRows(order, found ? size : size + 1, replaced(pages, page, 1, halved(changed)));
}

/** Takes the row with this key out; the same value when there is none. */
export function withoutRow<T>(rows: Ordered<T>, key: Key): Ordered<T> {
  const { order, size, pages } = rows;
  const { page, chunk, at, found } = locate(rows, key);
  if (!found) return rows;
  const chunks = pages[page] ?? [];
  const left = replaced(chunks[chunk] ?? [], at, 1, []);
  const changed = replaced(chunks, chunk, 1, left.length === 0 ? [] : [left]);
  return new OrderedRows(order, size - 1, replaced(pages, page, 1, changed.length === 0 ? [] : [changed]));
}

/** A copy in which `count` elements at a place have made room for others. */
function replaced<E>(list: readonly E[], at: number, count: number, others: readonly E[]): readonly E[] {
  const copy = list.slice();
  copy.splice(at, count, ...others);
  return copy;
}

function halved<E>(list: readonly E[]): readonly (readonly E[])[] {
  const half = list.length >> 1;
  return list.length <= limit ? [list] : [list.slice(0, half), list.slice(half)];
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
  const start = from === null ? { page: 0, chunk: 0, at: 0 } : locate(rows, from);
  const end = to === null ? { page: rows.pages.length, chunk: 0, at: 0 } : behind(locate(rows, to));
  return {
    [Symbol.iterator]: () =>
      reverse ? new DownwardScan(rows, start, end) : new UpwardScan(rows.pages, start, end),
  };
}

interface Place {
  readonly page: number;
  readonly chunk: number;
  readonly at: number;
}

function behind({ page, chunk, at, found }: Place & { readonly found: boolean }): Place {
  return { page, chunk, at: found ? at + 1 : at };
}

function rowAt<T>({ pages }: Ordered<T>, { page, chunk, at }: Place): T | undefined {
  return pages[page]?.[chunk]?.[at];
}

/** The place of the next row, where there is one. */
function placeAfter<T>({ pages }: Ordered<T>, { page, chunk, at }: Place): Place {
  if (at + 1 < (pages[page]?.[chunk]?.length ?? 0)) return { page, chunk, at: at + 1 };
  if (chunk + 1 < (pages[page]?.length ?? 0)) return { page, chunk: chunk + 1, at: 0 };
  return { page: page + 1, chunk: 0, at: 0 };
}

/** The place of the row before, where there is one. */
function placeBefore<T>({ pages }: Ordered<T>, { page, chunk, at }: Place): Place {
  if (at > 0) return { page, chunk, at: at - 1 };
  const previous =
    chunk > 0 ? { page, chunk: chunk - 1 } : { page: page - 1, chunk: lastOf(pages[page - 1]) };
  return { ...previous, at: lastOf(pages[previous.page]?.[previous.chunk]) };
}

function lastOf(list: readonly unknown[] | undefined): number {
  return (list?.length ?? 0) - 1;
}

/** From `start` up to but not including `end`. A generator would cost three times as much a row. */
class UpwardScan<T> implements Iterator<T> {
  readonly #pages: readonly Page<T>[];
  readonly #end: Place;
  #page: number;
  #chunk: number;
  #at: number;
  #rows: Chunk<T> = [];
  #stop = 0;

  constructor(pages: readonly Page<T>[], start: Place, end: Place) {
    this.#pages = pages;
    this.#end = end;
    this.#page = start.page;
    this.#chunk = start.chunk;
    this.#at = start.at;
    this.#open();
  }

  next(): IteratorResult<T> {
    while (this.#at >= this.#stop) if (!this.#turn()) return { done: true, value: undefined };
    const value = this.#rows[this.#at] as T; // #at < #stop <= #rows.length
    this.#at += 1;
    return { done: false, value };
  }

  /** Goes on to the next chunk; false behind the last. */
  #turn(): boolean {
    const { page, chunk } = this.#end;
    if (this.#page > page || (this.#page === page && this.#chunk >= chunk)) return false;
    this.#chunk += 1;
    if (this.#chunk >= (this.#pages[this.#page]?.length ?? 0)) {
      this.#page += 1;
      this.#chunk = 0;
    }
    this.#at = 0;
    this.#open();
    return true;
  }

  #open(): void {
    const { page, chunk, at } = this.#end;
    this.#rows = this.#pages[this.#page]?.[this.#chunk] ?? [];
    const isBefore = this.#page < page || (this.#page === page && this.#chunk < chunk);
    const isLast = this.#page === page && this.#chunk === chunk;
    this.#stop = isBefore ? this.#rows.length : isLast ? at : 0;
  }
}

/** From the row before `end` down to `start`. */
class DownwardScan<T> implements Iterator<T> {
  readonly #source: Ordered<T>;
  readonly #start: Place;
  #place: Place;
  #rows: Chunk<T>;
  #at: number;

  constructor(rows: Ordered<T>, start: Place, end: Place) {
    this.#source = rows;
    this.#start = start;
    this.#place = end;
    this.#rows = rows.pages[end.page]?.[end.chunk] ?? [];
    this.#at = end.at;
  }

  next(): IteratorResult<T> {
    if (this.#at === 0) this.#turn();
    this.#at -= 1;
    if (this.#at < 0 || this.#isPast()) return { done: true, value: undefined };
    return { done: false, value: this.#rows[this.#at] as T }; // 0 <= #at < #rows.length
  }

  /** Goes on to the chunk before. */
  #turn(): void {
    this.#place = placeBefore(this.#source, { ...this.#place, at: 0 });
    const { page, chunk } = this.#place;
    this.#rows = this.#source.pages[page]?.[chunk] ?? [];
    this.#at = this.#rows.length;
  }

  #isPast(): boolean {
    const { page, chunk, at } = this.#start;
    if (this.#place.page !== page) return this.#place.page < page;
    if (this.#place.chunk !== chunk) return this.#place.chunk < chunk;
    return this.#at < at;
  }
}

/** The first place whose row is not before `key`; `found` when it is the row with that key. */
function locate<T>({ order, pages }: Ordered<T>, key: Key): Place & { readonly found: boolean } {
  const page = lastNotBehind(pages, (each) => each[0]?.[0] as T, order, key); // no page and no chunk is empty
  const chunks = pages[page] ?? [];
  const chunk = lastNotBehind(chunks, (each) => each[0] as T, order, key);
  const rows = chunks[chunk] ?? [];
  let at = 0;
  for (let end = rows.length; at < end;) {
    const middle = (at + end) >> 1;
    if (compareKeys(keyOf(order, rows[middle] as T), key) < 0) at = middle + 1;
    else end = middle;
  }
  const row = rows[at];
  return { page, chunk, at, found: row !== undefined && compareKeys(keyOf(order, row), key) === 0 };
}

/** The last element whose first row is not behind the key; the first one when there is none. */
function lastNotBehind<E, T>(
  list: readonly E[],
  firstOf: (element: E) => T,
  order: Order<T>,
  key: Key,
): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    // `middle` is within the list.
    if (compareKeys(keyOf(order, firstOf(list[middle] as E)), key) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
