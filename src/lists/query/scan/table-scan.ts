import type { Page, Pager } from '../../list/index.js';
import { parseToken, type PageStart } from '../../list/order.js';
import { startPager } from '../../list/pager.js';
import type { Filter } from '../../../filter/filter.js';
import {
  BitPlaces,
  countBits,
  countPlaces,
  rowOf,
  selectRows,
  type PageBits,
} from '../../table/page-bits.js';
import { matcherOf, type MatchedRows, type PageResult, type RowMatcher } from '../../table/row-matcher.js';
import { limit, prefixRange, scanPages, type PageRange, type SortedRows } from '../../table/sorted-rows.js';
import { narrow } from './access-path.js';
import { ScanRate } from './scan-rate.js';
import type { ListScan, ScanRequest } from './scan-request.js';

/** Number of rows evaluated one by one between two checks of the clock. */
const batchSize = 64;
/** Pages without a relevant row between two checks of the clock. */
const passedAtOnce = 16;

/**
 * Returns the relevant rows of a path with their columns: of a table, of a group of an index, or of the rows visible to the
 * viewer. Null without columns, and for restricted callers without a viewer: timing must not reveal queries of others.
 */
function indexedRows<T>({
  path,
  where,
  viewer,
}: Pick<ScanRequest<T>, 'path' | 'where' | 'viewer'>): MatchedRows<T> | null {
  const { filter, index, orderedRanges: ranges, isPutInOrder = false } = path;
  const [only, ...others] = ranges;
  if (only === undefined || others.length > 0 || only.within !== null || isPutInOrder) return null;
  if (viewer === undefined ? where !== null : viewer === null) return null;
  if (index === null && viewer === undefined) return matcherOf(only.rows, filter);
  if (index !== null && (index.isRange || index.keys.length !== 1)) return null;
  const group = index === null ? '' : JSON.stringify([index.field, ...index.keys]);
  return matcherOf(only.rows, filter, { viewer: viewer ?? null, group });
}

/** All relevant rows, with their columns; null if there are no columns. */
export interface WholeRows<T> {
  readonly rows: SortedRows<T>;
  readonly matcher: RowMatcher<T> | null;
}

/** The relevant rows of a path if they are contiguous; else null. */
export function wholeRows<T>(
  request: Pick<ScanRequest<T>, 'path' | 'where' | 'viewer'>,
): WholeRows<T> | null {
  const indexed = indexedRows(request);
  if (indexed !== null) return indexed;
  const [only, ...others] = request.path.orderedRanges;
  if (request.where !== null || only === undefined || others.length > 0 || only.within !== null) return null;
  return { rows: only.rows, matcher: null };
}

/** Creates a scan that reads page by page and evaluates cached pages at once. Null if the rows are not contiguous. */
export function createTableScan<T>(request: ScanRequest<T>): ListScan<T> | null {
  const { path, reverse, nextToken, perPage, partialSort = null } = request;
  const { filter } = path;
  // Without a filter there is nothing to evaluate.
  if (filter === null || partialSort !== null) return null;
  const target = nextToken === '' ? null : parseToken(path.order, nextToken);
  // A token that is not a key must be compared with the token of every row.
  if (target?.kind === 'text') return null;
  const start = target?.key ?? null;
  const whole = wholeRows(request);
  if (whole === null) return null;
  const all = prefixRange(path.keyPrefix);
  const range = start === null ? all : narrow(all, start, reverse);
  const pace = new ScanRate();
  const found =
    perPage === 0 ? new WholeList(request, filter, pace) : new ShortList(request, filter, pace, target);
  const work = search(scanPages(whole.rows, range, reverse), whole.matcher, found);
  return {
    advance(shouldYield) {
      pace.begin();
      do if (work.next().done === true) return true;
      while (!shouldYield());
      return false;
    },
    pager: {
      start,
      add: refuse,
      addAll: refuse,
      get found() {
        return found.found;
      },
      get next() {
        return found.next;
      },
      get examined() {
        return found.examined;
      },
      page: () => found.page(),
    },
  };
}

function refuse(): never {
  throw new TypeError('The rows of this page are read from their table');
}

function* search<T>(
  ranges: Iterable<PageRange<T>>,
  matcher: RowMatcher<T> | null,
  found: Found<T>,
): Generator<void, void, undefined> {
  let passed = 0;
  for (const range of ranges) {
    let result: PageResult | null = null;
    if (matcher !== null) {
      const known = matcher.known(range.page);
      result = known === undefined ? yield* matcher.make(range.page) : known;
    }
    const before = found.examined;
    if (result?.bits.length === 0) {
      found.examined += countMatchedPlaces(range, result);
      matcher?.note(found.examined - before);
      // No row was evaluated.
      if ((passed += 1) % passedAtOnce === 0) yield;
      continue;
    }
    const isDone = yield* result === null ? found.evaluate(range) : found.take(range, result);
    matcher?.note(found.examined - before);
    if (isDone) return;
    yield;
  }
}

/** Receives the results of a scan. Its methods process a range in steps, and return true once no more rows are needed. */
interface Found<T> {
  readonly found: number;
  /** The first row of the next page; null if none has been found. */
  readonly next: T | null;
  examined: number;
  /** Processes the rows of a range with cached results. */
  take(range: PageRange<T>, result: PageResult): Generator<void, boolean, undefined>;
  /** Processes the rows of a range without cached results. */
  evaluate(range: PageRange<T>): Generator<void, boolean, undefined>;
  page(): Page<T>;
}

/** Collects the rows of a page of limited size. */
class ShortList<T> implements Found<T> {
  readonly #filter: Filter<T>;
  readonly #reverse: boolean;
  readonly #pace: ScanRate;
  readonly #perPage: number;
  readonly #pager: Pager<T>;
  examined = 0;

  constructor(
    { path, reverse, perPage }: ScanRequest<T>,
    filter: Filter<T>,
    pace: ScanRate,
    target: PageStart | null,
  ) {
    this.#pace = pace;
    this.#filter = filter;
    this.#reverse = reverse;
    this.#perPage = perPage;
    this.#pager = startPager<T>({ reverse, target, perPage, order: path.order, filter: null });
  }

  get found(): number {
    return this.#pager.found;
  }

  get next(): T | null {
    return this.#pager.next;
  }

  *take(range: PageRange<T>, result: PageResult): Generator<void, boolean, undefined> {
    const { page, from, to } = range;
    const { bits, uncertain } = result;
    const positions = new BitPlaces(bits, from, to, this.#reverse);
    let evaluated = 0;
    for (let position = positions.next(); position >= 0; position = positions.next()) {
      const row = rowOf(page, position);
      if (uncertain !== null && isSet(uncertain, position)) {
        if ((evaluated += 1) % batchSize === 0) yield;
        if (!this.#filter.test(row)) continue;
      }
      if (!this.#pager.add(row)) continue;
      this.examined += this.#reverse
        ? countPlaces(page, position, to)
        : countPlaces(page, from, position + 1);
      return true;
    }
    this.examined += countMatchedPlaces(range, result);
    return false;
  }

  *evaluate(range: PageRange<T>): Generator<void, boolean, undefined> {
    const pieces = new Pieces(range, this.#reverse, this.#pace);
    while (pieces.next()) {
      const { rows, from, to } = pieces;
      const matching: T[] = [];
      // The additional row is the first one of the next page.
      const max = this.#perPage + 1 - this.#pager.found;
      this.examined += this.#filter.scan(rows, matching, { from, to, limit: max }) - from;
      if (this.#pager.addAll(matching)) return true;
      if (this.#pace.isDue()) yield;
    }
    return false;
  }

  page(): Page<T> {
    return this.#pager.page();
  }
}

/** Collects all matching rows. */
class WholeList<T> implements Found<T> {
  readonly #filter: Filter<T>;
  readonly #reverse: boolean;
  readonly #pace: ScanRate;
  readonly #parts: (readonly T[] | { readonly pageRange: PageRange<T>; readonly bits: PageBits })[] = [];
  found = 0;
  readonly next = null;
  examined = 0;

  constructor({ reverse }: ScanRequest<T>, filter: Filter<T>, pace: ScanRate) {
    this.#pace = pace;
    this.#filter = filter;
    this.#reverse = reverse;
  }

  *take(range: PageRange<T>, result: PageResult): Generator<void, boolean, undefined> {
    const { from, to } = range;
    const bits =
      result.uncertain === null ? result.bits : yield* settle(range, result, this.#filter, this.#reverse);
    const count = countBits(bits, from, to);
    if (count > 0) this.#parts.push({ pageRange: range, bits });
    this.found += count;
    this.examined += countMatchedPlaces(range, result);
    return false;
  }

  *evaluate(range: PageRange<T>): Generator<void, boolean, undefined> {
    const pieces = new Pieces(range, this.#reverse, this.#pace);
    while (pieces.next()) {
      const matching = pieces.select(this.#filter);
      this.examined += pieces.to - pieces.from;
      this.found += matching.length;
      if (matching.length > 0) this.#parts.push(matching);
      if (this.#pace.isDue()) yield;
    }
    return false;
  }

  page(): Page<T> {
    // Counted first, because growing an array would copy it repeatedly.
    const items = new Array<T>(this.found);
    let at = 0;
    for (const part of this.#parts) {
      if ('pageRange' in part) at = selectRows(part.pageRange, part.bits, this.#reverse, items, at);
      else for (const row of part) items[at++] = row;
    }
    return { items, nextToken: null };
  }
}

/**
 * Evaluates the rows of a range with unknown results, in steps and in order. Returns the bits of all rows that satisfy the
 * filter.
 */
export function* settle<T>(
  { page, from, to }: PageRange<T>,
  { bits, uncertain }: Pick<PageResult, 'bits' | 'uncertain'>,
  filter: Filter<T>,
  reverse: boolean,
): Generator<void, PageBits, undefined> {
  if (uncertain === null) return bits;
  const settled = bits.slice();
  const positions = new BitPlaces(uncertain, from, to, reverse);
  let evaluated = 0;
  for (let position = positions.next(); position >= 0; position = positions.next()) {
    if (!filter.test(rowOf(page, position)))
      settled[position >> 5] = (settled[position >> 5] ?? 0) & ~(1 << (position & 31));
    if ((evaluated += 1) % batchSize === 0) yield;
  }
  return settled;
}

/** Returns the number of matching rows in a range of an evaluated page. */
export function countMatchedPlaces<T>(range: PageRange<T>, { size }: PageResult): number {
  return isWholePage(range) ? size : countPlaces(range.page, range.from, range.to);
}

export function isWholePage<T>({ page, from, to }: PageRange<T>): boolean {
  return from === 0 && to >= page.length * limit;
}

function isSet(bits: PageBits, position: number): boolean {
  return ((bits[position >> 5] ?? 0) & (1 << (position & 31))) !== 0;
}

/** Iterates over the rows of a range in order, in parts of chunks. The scan rate determines the length of a part. */
export class Pieces<T> {
  readonly #pageRange: PageRange<T>;
  readonly #reverse: boolean;
  readonly #pace: ScanRate;
  #at: number;
  /** The current chunk, and the range of its rows that have not been read. */
  #chunk: readonly T[] = [];
  #low = 0;
  #high = 0;
  rows: readonly T[] = [];
  from = 0;
  to = 0;

  constructor(range: PageRange<T>, reverse: boolean, pace: ScanRate) {
    this.#pageRange = range;
    this.#reverse = reverse;
    this.#pace = pace;
    const { page, from, to } = range;
    this.#at = reverse ? Math.min(page.length, Math.ceil(to / limit)) : ((from / limit) | 0) - 1;
  }

  /** Moves to the next part. Returns false after the last one. */
  next(): boolean {
    while (this.#low >= this.#high) if (!this.#turn()) return false;
    const count = this.#pace.take(this.#high - this.#low);
    if (this.#reverse) {
      this.rows = this.#chunk.slice(this.#high - count, this.#high).reverse();
      this.to = count;
      this.#high -= count;
    } else {
      this.rows = this.#chunk;
      this.from = this.#low;
      this.to = this.#low += count;
    }
    return true;
  }

  #turn(): boolean {
    const { page, from, to } = this.#pageRange;
    this.#at += this.#reverse ? -1 : 1;
    const chunk = page[this.#at];
    const base = this.#at * limit;
    if (chunk === undefined || base >= to || base + limit <= from) return false;
    this.#chunk = chunk;
    this.#low = Math.max(0, from - base);
    this.#high = Math.min(chunk.length, to - base);
    return true;
  }

  /** Returns the rows that satisfy the filter; all rows if it is null. @throws the error of the filter */
  select(filter: Filter<T> | null): readonly T[] {
    const { rows, from, to } = this;
    const isChunk = from === 0 && to === rows.length;
    if (filter === null) return isChunk ? rows : rows.slice(from, to);
    if (isChunk) return filter.select(rows);
    const found: T[] = [];
    filter.scan(rows, found, { from, to });
    return found;
  }

  /** Returns the number of rows that satisfy the filter; all rows if it is null. @throws the error of the filter */
  count(filter: Filter<T> | null): number {
    const { rows, from, to } = this;
    if (filter === null) return to - from;
    return from === 0 && to === rows.length ? filter.count(rows) : this.select(filter).length;
  }
}
