import type { Page, Pager } from '../../list/index.js';
import { parseToken, type PageStart } from '../../list/order.js';
import { startPager } from '../../list/pager.js';
import type { Filter } from '../../../filter/filter.js';
import { BitPlaces, countBits, countPlaces, rowOf, takeRows, type PageBits } from '../../table/page-bits.js';
import { answersOf, type AnsweredRows, type PageAnswer, type RowAnswers } from '../../table/row-answers.js';
import { limit, prefixRange, scanPages, type PageStretch, type SortedRows } from '../../table/sorted-rows.js';
import { narrow } from './access-path.js';
import { ScanPace } from './scan-pace.js';
import type { ListScan, ScanRequest } from './scan-request.js';

/** Number of rows evaluated one by one between two checks of the clock. */
const askedAtOnce = 64;
/** Pages without a row that is meant between two looks at the clock. */
const passedAtOnce = 16;

/**
 * The columns of the relevant rows of a path: all of a table or of a group of an index, or those of them that the viewer sees.
 * Null without columns, and without a viewer key: queries of other callers must not show, not even through timing.
 */
function answeredRows<T>({
  path,
  where,
  viewer,
}: Pick<ScanRequest<T>, 'path' | 'where' | 'viewer'>): AnsweredRows<T> | null {
  const { filter, index, stretches, isPutInOrder = false } = path;
  const [only, ...others] = stretches;
  if (only === undefined || others.length > 0 || only.within !== null || isPutInOrder) return null;
  if (viewer === undefined ? where !== null : viewer === null) return null;
  if (index === null && viewer === undefined) return answersOf(only.rows, filter);
  if (index !== null && (index.isRange || index.keys.length !== 1)) return null;
  const group = index === null ? '' : JSON.stringify([index.field, ...index.keys]);
  return answersOf(only.rows, filter, { viewer: viewer ?? null, group });
}

/** All rows that count, with what is known of them; null for nothing. */
export interface WholeRows<T> {
  readonly rows: SortedRows<T>;
  readonly answers: RowAnswers<T> | null;
}

/** The relevant rows of a path if they are contiguous; else null. */
export function wholeRows<T>(
  request: Pick<ScanRequest<T>, 'path' | 'where' | 'viewer'>,
): WholeRows<T> | null {
  const answered = answeredRows(request);
  if (answered !== null) return answered;
  const [only, ...others] = request.path.stretches;
  if (request.where !== null || only === undefined || others.length > 0 || only.within !== null) return null;
  return { rows: only.rows, answers: null };
}

/** Searches page by page; cached pages are evaluated at once. Null if the rows are not contiguous. */
export function createTableScan<T>(request: ScanRequest<T>): ListScan<T> | null {
  const { path, reverse, nextToken, perPage, regroup = null } = request;
  const { filter } = path;
  // Without a filter there is nothing to evaluate.
  if (filter === null || regroup !== null) return null;
  const target = nextToken === '' ? null : parseToken(path.order, nextToken);
  // A token that names no place is compared with those of all rows.
  if (target?.kind === 'text') return null;
  const start = target?.key ?? null;
  const whole = wholeRows(request);
  if (whole === null) return null;
  const all = prefixRange(path.keyPrefix);
  const range = start === null ? all : narrow(all, start, reverse);
  const pace = new ScanPace();
  const found =
    perPage === 0 ? new WholeList(request, filter, pace) : new ShortList(request, filter, pace, target);
  const work = search(scanPages(whole.rows, range, reverse), whole.answers, found);
  return {
    advance(isOver) {
      pace.begin();
      do if (work.next().done === true) return true;
      while (!isOver());
      return false;
    },
    pager: {
      start,
      take: refuse,
      takeAll: refuse,
      get found() {
        return found.found;
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
  stretches: Iterable<PageStretch<T>>,
  answers: RowAnswers<T> | null,
  found: Found<T>,
): Generator<void, void, undefined> {
  let passed = 0;
  for (const stretch of stretches) {
    let answer: PageAnswer | null = null;
    if (answers !== null) {
      const known = answers.known(stretch.page);
      answer = known === undefined ? yield* answers.make(stretch.page) : known;
    }
    const before = found.examined;
    if (answer?.bits.length === 0) {
      found.examined += countAnsweredPlaces(stretch, answer);
      answers?.note(found.examined - before);
      // Nothing has been looked at.
      if ((passed += 1) % passedAtOnce === 0) yield;
      continue;
    }
    const isDone = yield* answer === null ? found.ask(stretch) : found.take(stretch, answer);
    answers?.note(found.examined - before);
    if (isDone) return;
    yield;
  }
}

/** The consumer of the results. Takes a range in steps, and returns whether no more is needed. */
interface Found<T> {
  readonly found: number;
  examined: number;
  /** The rows of a stretch of which something is known. */
  take(stretch: PageStretch<T>, answer: PageAnswer): Generator<void, boolean, undefined>;
  /** Those of which nothing is. */
  ask(stretch: PageStretch<T>): Generator<void, boolean, undefined>;
  page(): Page<T>;
}

/** A page with an end. */
class ShortList<T> implements Found<T> {
  readonly #filter: Filter<T>;
  readonly #reverse: boolean;
  readonly #pace: ScanPace;
  readonly #perPage: number;
  readonly #pager: Pager<T>;
  examined = 0;

  constructor(
    { path, reverse, perPage }: ScanRequest<T>,
    filter: Filter<T>,
    pace: ScanPace,
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

  *take(stretch: PageStretch<T>, answer: PageAnswer): Generator<void, boolean, undefined> {
    const { page, from, to } = stretch;
    const { bits, unsure } = answer;
    const places = new BitPlaces(bits, from, to, this.#reverse);
    let asked = 0;
    for (let place = places.next(); place >= 0; place = places.next()) {
      const row = rowOf(page, place);
      if (unsure !== null && isSet(unsure, place)) {
        if ((asked += 1) % askedAtOnce === 0) yield;
        if (!this.#filter.test(row)) continue;
      }
      if (!this.#pager.take(row)) continue;
      this.examined += this.#reverse ? countPlaces(page, place, to) : countPlaces(page, from, place + 1);
      return true;
    }
    this.examined += countAnsweredPlaces(stretch, answer);
    return false;
  }

  *ask(stretch: PageStretch<T>): Generator<void, boolean, undefined> {
    const pieces = new Pieces(stretch, this.#reverse, this.#pace);
    while (pieces.next()) {
      const { rows, from, to } = pieces;
      const matching: T[] = [];
      // One more than the page has places: the row that the next one starts with.
      const most = this.#perPage + 1 - this.#pager.found;
      this.examined += this.#filter.scan(rows, matching, { from, to, most }) - from;
      if (this.#pager.takeAll(matching)) return true;
      if (this.#pace.isDue()) yield;
    }
    return false;
  }

  page(): Page<T> {
    return this.#pager.page();
  }
}

/** All that there is. */
class WholeList<T> implements Found<T> {
  readonly #filter: Filter<T>;
  readonly #reverse: boolean;
  readonly #pace: ScanPace;
  readonly #parts: (readonly T[] | { readonly stretch: PageStretch<T>; readonly bits: PageBits })[] = [];
  found = 0;
  examined = 0;

  constructor({ reverse }: ScanRequest<T>, filter: Filter<T>, pace: ScanPace) {
    this.#pace = pace;
    this.#filter = filter;
    this.#reverse = reverse;
  }

  *take(stretch: PageStretch<T>, answer: PageAnswer): Generator<void, boolean, undefined> {
    const { from, to } = stretch;
    const bits =
      answer.unsure === null ? answer.bits : yield* settle(stretch, answer, this.#filter, this.#reverse);
    const count = countBits(bits, from, to);
    if (count > 0) this.#parts.push({ stretch, bits });
    this.found += count;
    this.examined += countAnsweredPlaces(stretch, answer);
    return false;
  }

  *ask(stretch: PageStretch<T>): Generator<void, boolean, undefined> {
    const pieces = new Pieces(stretch, this.#reverse, this.#pace);
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
    // Counted first: a list that grows is copied again and again.
    const items = new Array<T>(this.found);
    let at = 0;
    for (const part of this.#parts) {
      if ('stretch' in part) at = takeRows(part.stretch, part.bits, this.#reverse, items, at);
      else for (const row of part) items[at++] = row;
    }
    return { items, nextToken: null };
  }
}

/** Evaluates the unknown rows of a range, in steps and in order. Returns the bits of the rows that satisfy the filter. */
export function* settle<T>(
  { page, from, to }: PageStretch<T>,
  { bits, unsure }: Pick<PageAnswer, 'bits' | 'unsure'>,
  filter: Filter<T>,
  reverse: boolean,
): Generator<void, PageBits, undefined> {
  if (unsure === null) return bits;
  const settled = bits.slice();
  const places = new BitPlaces(unsure, from, to, reverse);
  let asked = 0;
  for (let place = places.next(); place >= 0; place = places.next()) {
    if (!filter.test(rowOf(page, place)))
      settled[place >> 5] = (settled[place >> 5] ?? 0) & ~(1 << (place & 31));
    if ((asked += 1) % askedAtOnce === 0) yield;
  }
  return settled;
}

/** Number of rows in a range of an evaluated page. */
export function countAnsweredPlaces<T>(stretch: PageStretch<T>, { size }: PageAnswer): number {
  return isWholePage(stretch) ? size : countPlaces(stretch.page, stretch.from, stretch.to);
}

export function isWholePage<T>({ page, from, to }: PageStretch<T>): boolean {
  return from === 0 && to >= page.length * limit;
}

function isSet(bits: PageBits, place: number): boolean {
  return ((bits[place >> 5] ?? 0) & (1 << (place & 31))) !== 0;
}

/** The rows of a stretch in their order: those of a chunk from one place to before another, as many as the pace says. */
export class Pieces<T> {
  readonly #stretch: PageStretch<T>;
  readonly #reverse: boolean;
  readonly #pace: ScanPace;
  #at: number;
  /** The rows of the chunk, and which of them are left. */
  #chunk: readonly T[] = [];
  #low = 0;
  #high = 0;
  rows: readonly T[] = [];
  from = 0;
  to = 0;

  constructor(stretch: PageStretch<T>, reverse: boolean, pace: ScanPace) {
    this.#stretch = stretch;
    this.#reverse = reverse;
    this.#pace = pace;
    const { page, from, to } = stretch;
    this.#at = reverse ? Math.min(page.length, Math.ceil(to / limit)) : ((from / limit) | 0) - 1;
  }

  /** Moves to the next; returns false after the last. */
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
    const { page, from, to } = this.#stretch;
    this.#at += this.#reverse ? -1 : 1;
    const chunk = page[this.#at];
    const base = this.#at * limit;
    if (chunk === undefined || base >= to || base + limit <= from) return false;
    this.#chunk = chunk;
    this.#low = Math.max(0, from - base);
    this.#high = Math.min(chunk.length, to - base);
    return true;
  }

  /** Returns the rows that satisfy the filter; all without a filter. @throws what the filter throws */
  select(filter: Filter<T> | null): readonly T[] {
    const { rows, from, to } = this;
    const isChunk = from === 0 && to === rows.length;
    if (filter === null) return isChunk ? rows : rows.slice(from, to);
    if (isChunk) return filter.select(rows);
    const found: T[] = [];
    filter.scan(rows, found, { from, to });
    return found;
  }

  /** How many they are. @throws what the filter throws */
  count(filter: Filter<T> | null): number {
    const { rows, from, to } = this;
    if (filter === null) return to - from;
    return from === 0 && to === rows.length ? filter.count(rows) : this.select(filter).length;
  }
}
