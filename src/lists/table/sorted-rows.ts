import { compareBytewise, compareKeys, keyOf, list, type Key, type Order } from '../list/index.js';
import { stringKey } from './key.js';

/**
 * Immutable sorted rows. Every change returns a new value that shares almost everything with the old one, so a snapshot is a
 * reference. The tree has three levels: pages, chunks and rows. A write copies one chunk, one page and the list of pages: about 3
 * KB at a million rows. Two levels needed 24 KB, whose garbage collection cost more than the search.
 */
export interface SortedRows<T> {
  readonly order: Order<T>;
  readonly size: number;
  /** No page and no chunk is empty; rows ascend within and across them. */
  readonly pages: readonly RowPage<T>[];
  /** All chunks, collected on demand. */
  readonly chunks: readonly RowChunk<T>[];
}

export type RowChunk<T> = readonly T[];
export type RowPage<T> = readonly RowChunk<T>[];

/** Maximum number of rows in a chunk, and of chunks in a page. A chunk or page that grows beyond the limit is halved. */
export const limit = 128;
const fill = 96;

class RowTree<T> implements SortedRows<T> {
  constructor(
    readonly order: Order<T>,
    readonly size: number,
    readonly pages: readonly RowPage<T>[],
  ) {}

  get chunks(): readonly RowChunk<T>[] {
    return this.pages.flat();
  }
}

/** Returns sorted rows, whose keys must be distinct. */
export function sortRows<T>(order: Order<T>, rows: readonly T[]): SortedRows<T> {
  return fromSortedRows(order, list(rows, { order }).items);
}

/** Creates sorted rows from an array that is already in order. */
export function fromSortedRows<T>(order: Order<T>, rows: readonly T[]): SortedRows<T> {
  return new RowTree(order, rows.length, cut(cut(rows)));
}

/** Concatenates sorted rows, each of which follows the previous one. Their pages are shared, not copied. */
export function joinRows<T>(order: Order<T>, parts: readonly SortedRows<T>[]): SortedRows<T> {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  return new RowTree(
    order,
    size,
    parts.flatMap(({ pages }) => pages),
  );
}

/** Creates sorted rows from pages that are already in order. No page or chunk may be empty. */
export function rowsOnPages<T>(order: Order<T>, pages: readonly RowPage<T>[]): SortedRows<T> {
  let size = 0;
  for (const page of pages) for (const chunk of page) size += chunk.length;
  return new RowTree(order, size, pages);
}

function cut<E>(list: readonly E[]): (readonly E[])[] {
  const pieces = new Array<readonly E[]>(Math.ceil(list.length / fill));
  for (let piece = 0; piece < pieces.length; piece += 1) {
    pieces[piece] = list.slice(piece * fill, (piece + 1) * fill);
  }
  return pieces;
}

export function findRow<T>(rows: SortedRows<T>, key: Key): T | undefined {
  const position = locate(rows, key);
  return position.found ? rowAt(rows, position) : undefined;
}

/**
 * Returns a function that looks up rows one after the other. A neighbour of the previous row is found without a search. Speeds up
 * reading the summaries of a million jobs in the order of the jobs.
 */
export function createSequentialLookup<T>(rows: SortedRows<T>): (key: Key) => T | undefined {
  let last: RowPosition = { page: 0, chunk: 0, at: -1 };
  return (key) => {
    for (const position of [placeAfter(rows, last), placeBefore(rows, last)]) {
      const row = rowAt(rows, position);
      if (row === undefined || compareKeys(keyOf(rows.order, row), key) !== 0) continue;
      last = position;
      return row;
    }
    const position = locate(rows, key);
    if (!position.found) return undefined;
    last = position;
    return rowAt(rows, position);
  };
}

/** Returns the rows with one row inserted, or replaced if its key exists. `position` is that of its key, if it is known. */
export function withRow<T>(
  rows: SortedRows<T>,
  row: NoInfer<T>,
  position: LocatedKey = locate(rows, keyOf(rows.order, row)),
): SortedRows<T> {
  const { order, size, pages } = rows;
  const { page, chunk, at, found } = position;
  const chunks = pages[page] ?? [];
  const members = chunks[chunk] ?? [];
  // Copying an array of the same length is faster than splicing.
  if (found) return new RowTree(order, size, pages.with(page, chunks.with(chunk, members.with(at, row))));
  const changed = replaced(chunks, chunk, 1, halved(replaced<T>(members, at, 0, [row])));
  return new RowTree(order, size + 1, replaced(pages, page, 1, halved(changed)));
}

/** Returns the rows without the one with this key; the same object if none exists. */
export function withoutRow<T>(rows: SortedRows<T>, key: Key): SortedRows<T> {
  const { order, size, pages } = rows;
  const { page, chunk, at, found } = locate(rows, key);
  if (!found) return rows;
  const chunks = pages[page] ?? [];
  const left = replaced(chunks[chunk] ?? [], at, 1, []);
  const changed = replaced(chunks, chunk, 1, left.length === 0 ? [] : [left]);
  return new RowTree(order, size - 1, replaced(pages, page, 1, changed.length === 0 ? [] : [changed]));
}

/**
 * Returns a copy in which `count` elements at an index are replaced by others. The copy has exactly the capacity it needs: a list
 * that grows by `push` reserves space for 17 more elements, which adds up if there are a million groups of a single row.
 */
function replaced<E>(list: readonly E[], at: number, count: number, others: readonly E[]): readonly E[] {
  return list.toSpliced(at, count, ...others);
}

function halved<E>(list: readonly E[]): readonly (readonly E[])[] {
  const half = list.length >> 1;
  return list.length <= limit ? [list] : [list.slice(0, half), list.slice(half)];
}

/** A range of keys. Both ends are included unless stated otherwise; null means the start or the end of the table. */
export interface Range {
  readonly from: Key | null;
  readonly to: Key | null;
  /** Whether the row at `to` is excluded. */
  readonly toExclusive?: boolean;
}

export const fullRange: Range = Object.freeze({ from: null, to: null });

/**
 * Returns the range of rows whose key begins with `prefix`. It ends with a lone surrogate, which sorts after every well-formed
 * string.
 */
export function prefixRange(prefix: string): Range {
  return prefix === '' ? fullRange : { from: stringKey(prefix), to: stringKey(`${prefix}\udfff`) };
}

/** Rows of a range from one array: the indexes from `from` up to, but excluding, `to`. Never empty. */
export interface Piece<T> {
  readonly rows: readonly T[];
  readonly from: number;
  readonly to: number;
}

/** Yields the rows of a range in chunks; descending if `reverse` is set. */
export function* scanPieces<T>(
  rows: SortedRows<T>,
  { from, to, toExclusive = false }: Range,
  reverse: boolean,
): Generator<Piece<T>, void, undefined> {
  const { pages } = rows;
  const start = from === null ? { page: 0, chunk: 0, at: 0 } : locate(rows, from);
  const end = to === null ? { page: pages.length, chunk: 0, at: 0, found: false } : locate(rows, to);
  const endAt = end.found && !toExclusive ? end.at + 1 : end.at;
  for (const page of positions(start.page, Math.min(end.page, pages.length - 1), reverse)) {
    const chunks = pages[page] ?? [];
    const first = page === start.page ? start.chunk : 0;
    const last = page === end.page ? end.chunk : chunks.length - 1;
    for (const chunk of positions(first, last, reverse)) {
      const members = chunks[chunk] ?? [];
      const low = page === start.page && chunk === start.chunk ? start.at : 0;
      const high = page === end.page && chunk === end.chunk ? endAt : members.length;
      if (low >= high) continue;
      if (reverse) yield { rows: members.slice(low, high).reverse(), from: 0, to: high - low };
      else yield { rows: members, from: low, to: high };
    }
  }
}

/**
 * The rows of a range that are on one page, as a half-open range of positions. Row `at` of chunk `chunk` has the position `chunk
 * * limit + at`. Positions after the end of a chunk are unused.
 */
export interface PageRange<T> {
  readonly page: RowPage<T>;
  readonly from: number;
  readonly to: number;
}

/** Yields the rows of a range page by page; descending if `reverse` is set. */
export function* scanPages<T>(
  rows: SortedRows<T>,
  { from, to, toExclusive = false }: Range,
  reverse: boolean,
): Generator<PageRange<T>, void, undefined> {
  const { pages } = rows;
  const start = from === null ? { page: 0, chunk: 0, at: 0 } : locate(rows, from);
  const end = to === null ? { page: pages.length, chunk: 0, at: 0, found: false } : locate(rows, to);
  const last = end.chunk * limit + (end.found && !toExclusive ? end.at + 1 : end.at);
  for (const at of positions(start.page, Math.min(end.page, pages.length - 1), reverse)) {
    const page = pages[at] ?? [];
    const low = at === start.page ? start.chunk * limit + start.at : 0;
    const high = at === end.page ? last : page.length * limit;
    if (low < high) yield { page, from: low, to: high };
  }
}

/** Returns the number of rows of a range without reading them. */
export function countRows<T>(rows: SortedRows<T>, range: Range): number {
  if (range.from === null && range.to === null) return rows.size;
  let count = 0;
  for (const { from, to } of scanPieces(rows, range, false)) count += to - from;
  return count;
}

function* positions(first: number, last: number, reverse: boolean): Generator<number, void, undefined> {
  if (reverse) for (let at = last; at >= first; at -= 1) yield at;
  else for (let at = first; at <= last; at += 1) yield at;
}

/** Yields the rows of a range; descending if `reverse` is set. */
export function scanRows<T>(rows: SortedRows<T>, range: Range, reverse: boolean): Iterable<T> {
  return { [Symbol.iterator]: () => new RowScan(scanPieces(rows, range, reverse)) };
}

/** A hand-written iterator, because a generator would take three times as long per row. */
class RowScan<T> implements Iterator<T> {
  readonly #pieces: Iterator<Piece<T>, void, undefined>;
  #rows: readonly T[] = [];
  #at = 0;
  #stop = 0;

  constructor(pieces: Iterator<Piece<T>, void, undefined>) {
    this.#pieces = pieces;
  }

  next(): IteratorResult<T> {
    if (this.#at >= this.#stop && !this.#turn()) return { done: true, value: undefined };
    const value = this.#rows[this.#at] as T; // #at < #stop <= #rows.length
    this.#at += 1;
    return { done: false, value };
  }

  /** Moves to the next array of rows; returns false after the last one. */
  #turn(): boolean {
    const { done, value } = this.#pieces.next();
    if (done === true) return false;
    this.#rows = value.rows;
    this.#at = value.from;
    this.#stop = value.to;
    return true;
  }
}

interface RowPosition {
  readonly page: number;
  readonly chunk: number;
  readonly at: number;
}

/** The position of a key: that of its row if `found`, otherwise the one at which to insert it. */
export interface LocatedKey extends RowPosition {
  readonly found: boolean;
}

export function rowAt<T>({ pages }: SortedRows<T>, { page, chunk, at }: RowPosition): T | undefined {
  return pages[page]?.[chunk]?.[at];
}

/** Returns the position after the given one; after the last row, a position without a row. */
function placeAfter<T>({ pages }: SortedRows<T>, { page, chunk, at }: RowPosition): RowPosition {
  if (at + 1 < (pages[page]?.[chunk]?.length ?? 0)) return { page, chunk, at: at + 1 };
  if (chunk + 1 < (pages[page]?.length ?? 0)) return { page, chunk: chunk + 1, at: 0 };
  return { page: page + 1, chunk: 0, at: 0 };
}

/** Returns the position before the given one; before the first row, a position without a row. */
function placeBefore<T>({ pages }: SortedRows<T>, { page, chunk, at }: RowPosition): RowPosition {
  if (at > 0) return { page, chunk, at: at - 1 };
  const previous =
    chunk > 0 ? { page, chunk: chunk - 1 } : { page: page - 1, chunk: lastOf(pages[page - 1]) };
  return { ...previous, at: lastOf(pages[previous.page]?.[previous.chunk]) };
}

function lastOf(list: readonly unknown[] | undefined): number {
  return (list?.length ?? 0) - 1;
}

/** Returns the position of a key. */
export function locate<T>({ order, pages }: SortedRows<T>, key: Key): LocatedKey {
  const page = lastNotAfter(pages, (each) => each[0]?.[0] as T, order, key); // Pages and chunks are never empty
  const chunks = pages[page] ?? [];
  const chunk = lastNotAfter(chunks, (each) => each[0] as T, order, key);
  const rows = chunks[chunk] ?? [];
  let at = 0;
  for (let end = rows.length; at < end;) {
    const middle = (at + end) >> 1;
    if (compareToKey(order, rows[middle] as T, key) < 0) at = middle + 1;
    else end = middle;
  }
  const row = rows[at];
  return { page, chunk, at, found: row !== undefined && compareToKey(order, row, key) === 0 };
}

/**
 * Compares a row with a key like `compareKeys`, but creates no key for the row and reads its text only if the indexes are equal.
 */
export function compareToKey<T>({ index, text }: Order<T>, row: T, key: Key): number {
  if (index !== undefined) {
    const own = index(row);
    if (own < key.index) return -1;
    if (own > key.index) return 1;
  }
  return compareBytewise(text(row), key.text);
}

/** Returns the index of the last element whose first row is not after the key; 0 if none exists. */
function lastNotAfter<E, T>(
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
    if (compareToKey(order, firstOf(list[middle] as E), key) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
