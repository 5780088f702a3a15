import { createPager, type Page, type Pager } from '../list/index.js';
import type { Filter } from '../filter.js';
import { BitPlaces, countBits, countPlaces, rowOf, takeRows, type PageBits } from '../table/page-bits.js';
import { answersOf, type AnsweredRows, type PageAnswer, type RowAnswers } from '../table/row-answers.js';
import { limit, prefixRange, scanPages, type PageStretch, type Piece } from '../table/sorted-rows.js';
import { narrow } from './access-path.js';
import type { ListScan, ScanRequest } from './scan-request.js';

/** Rows that are asked one by one between two looks at the clock, and those at the beginning of a slice. */
const askedAtOnce = 64;
const fewest = 16;
/** Pages without a row that is meant between two looks at the clock. */
const passedAtOnce = 16;

/**
 * What is kept beside the rows of a path that count: all of a table or of a group of an index, or those of them that the viewer
 * sees. Null where nothing is, and where nobody tells who may see which rows: what others have asked must not show, not even by
 * how long it takes.
 */
export function answeredRows<T>({
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

/** Searches through pages, of which each is answered at once as far as that is known; null where nothing is. */
export function createAnsweredScan<T>(request: ScanRequest<T>): ListScan<T> | null {
  const { path, reverse, nextToken, perPage, regroup = null } = request;
  const { filter } = path;
  // Without a filter there is nothing to know.
  if (filter === null || regroup !== null) return null;
  const start = nextToken === '' ? null : createPager<T>({ order: path.order, nextToken }).start;
  // A token that names no place is compared with those of all rows.
  if (nextToken !== '' && start === null) return null;
  const answered = answeredRows(request);
  if (answered === null) return null;
  const all = prefixRange(path.keyPrefix);
  const range = start === null ? all : narrow(all, start, reverse);
  const pace = new ScanPace();
  const found = perPage === 0 ? new WholeList(request, filter, pace) : new ShortList(request, filter, pace);
  const work = search(scanPages(answered.rows, range, reverse), answered.answers, found);
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
  answers: RowAnswers<T>,
  found: Found<T>,
): Generator<void, void, undefined> {
  let passed = 0;
  for (const stretch of stretches) {
    const known = answers.known(stretch.page);
    const answer = known === undefined ? yield* answers.make(stretch.page) : known;
    const before = found.examined;
    if (answer?.bits.length === 0) {
      found.examined += countAnsweredPlaces(stretch, answer);
      answers.note(found.examined - before);
      // Nothing has been looked at.
      if ((passed += 1) % passedAtOnce === 0) yield;
      continue;
    }
    const isDone = yield* answer === null ? found.ask(stretch) : found.take(stretch, answer);
    answers.note(found.examined - before);
    if (isDone) return;
    yield;
  }
}

/** Who takes what is found. Each takes a stretch in steps, and tells whether no more is needed. */
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

  constructor({ path, reverse, nextToken, perPage }: ScanRequest<T>, filter: Filter<T>, pace: ScanPace) {
    this.#filter = filter;
    this.#pace = pace;
    this.#reverse = reverse;
    this.#perPage = perPage;
    this.#pager = createPager<T>({ reverse, nextToken, perPage, order: path.order });
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
    for (const { rows, from, to } of piecesOf(stretch, this.#reverse, this.#pace)) {
      const matching: T[] = [];
      // One more than the page has places: the row that the next one starts with.
      const most = this.#perPage + 1 - this.#pager.found;
      this.examined += this.#filter.scan(rows, matching, { from, to, most }) - from;
      if (this.#pager.takeAll(matching)) return true;
      yield;
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
    this.#filter = filter;
    this.#pace = pace;
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
    const matching: T[] = [];
    for (const { rows, from, to } of piecesOf(stretch, this.#reverse, this.#pace)) {
      this.examined += this.#filter.scan(rows, matching, { from, to }) - from;
      yield;
    }
    this.#parts.push(matching);
    this.found += matching.length;
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

/** Asks the rows of a stretch of which it is not known, in steps, in their order: the bits of those that satisfy the filter. */
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

/** How many rows a stretch of an answered page has. */
export function countAnsweredPlaces<T>(stretch: PageStretch<T>, { size }: PageAnswer): number {
  return isWholePage(stretch) ? size : countPlaces(stretch.page, stretch.from, stretch.to);
}

export function isWholePage<T>({ page, from, to }: PageStretch<T>): boolean {
  return from === 0 && to >= page.length * limit;
}

function isSet(bits: PageBits, place: number): boolean {
  return ((bits[place >> 5] ?? 0) & (1 << (place & 31))) !== 0;
}

/**
 * How many rows are asked until somebody looks at the clock: few at the beginning of a slice, since one with long texts can take
 * a good part of a millisecond, and then a whole chunk, which is the fastest.
 */
export class ScanPace {
  #rows = fewest;

  begin(): void {
    this.#rows = fewest;
  }

  next(): number {
    const rows = this.#rows;
    this.#rows = Math.min(rows * 2, limit);
    return rows;
  }
}

/** The rows of a stretch in their order, as many at a time as the pace says. */
export function* piecesOf<T>(
  { page, from, to }: PageStretch<T>,
  reverse: boolean,
  pace: ScanPace,
): Generator<Piece<T>, void, undefined> {
  const first = (from / limit) | 0;
  const last = Math.min(page.length - 1, ((to - 1) / limit) | 0);
  for (let step = 0; step <= last - first; step += 1) {
    const chunk = reverse ? last - step : first + step;
    const rows = page[chunk] ?? [];
    let low = Math.max(0, from - chunk * limit);
    let high = Math.min(rows.length, to - chunk * limit);
    while (low < high) {
      const count = Math.min(pace.next(), high - low);
      if (reverse) {
        yield { rows: rows.slice(high - count, high).reverse(), from: 0, to: count };
        high -= count;
      } else {
        yield { rows, from: low, to: low + count };
        low += count;
      }
    }
  }
}
