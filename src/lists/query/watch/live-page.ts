import { compareKeys, keyOf, tokenOf, type Key, type Order } from '../../list/order.js';
import { SmallSet } from '../../../filter/filter-set/small-set.js';
import { compareToKey } from '../../table/sorted-rows.js';
import { isSameValue } from '../../table/same-row.js';
import type { FacetField } from '../request/facet-query.js';
import type { ParsedQuery } from '../request/query.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { ListPage } from '../result/list-page.js';
import { facetsOf, tallyRows } from '../scan/count-facets.js';
import type { ValueTally } from '../scan/value-counts.js';

/** Number of rows that one write may move in a page. It takes about as long as reading 300,000 rows again. */
const maxMoved = 50_000_000;

/** The order of live pages. Pages with the same sort share it, so that the key of a changed row is computed once. */
export class PageOrder<T> {
  #row: T | null = null;
  #key: Key = { index: 0, text: '' };
  /** Number of live pages in this order. */
  pages = 0;

  constructor(
    /** Identifies the order. */
    readonly key: string,
    readonly order: Order<T>,
    private readonly isReversed: boolean,
  ) {}

  /** Returns the key of a row. That of the last row is cached. */
  keyOf(row: T): Key {
    if (row === this.#row) return this.#key;
    this.#row = row;
    return (this.#key = keyOf(this.order, row));
  }

  tokenOf(row: T): string {
    return tokenOf(this.order, keyOf(this.order, row));
  }

  /** Compares two keys in the requested direction. */
  compareKeys(a: Key, b: Key): number {
    return this.isReversed ? compareKeys(b, a) : compareKeys(a, b);
  }

  /** Compares the position of a row with a key in the requested direction. */
  compare(row: T, key: Key): number {
    const distance = compareToKey(this.order, row, key);
    return this.isReversed ? -distance : distance;
  }
}

/** A page as its readers see it. Immutable. */
export interface LiveResult<T> {
  readonly page: ListPage<T>;
  readonly history: string;
}

/** The query of a live page and how rows are tested for it. */
export interface LiveQuery<T> {
  /** Identifies the query. Queries with equal keys share a page. */
  readonly key: string;
  /** The query without its plan, which would take up more memory than the page. */
  readonly query: ParsedQuery<T>;
  /** Whether a row has the requested prefix and is visible to the caller; null for all rows. */
  readonly isSelected: RowPredicate<T> | null;
  /** The start of the page; null for the start of the list. */
  readonly start: Key | null;
  /** Maximum number of rows to keep: those of the page, the first one of the next page, and a reserve. */
  readonly capacity: number;
  /** The fields whose values are counted. */
  readonly facets: readonly FacetField<T>[];
  /** Whether the filter depends on the clock. */
  readonly usesNow: boolean;
  /** Whether the effect of a row cannot be decided: the filter depends on the clock, or the token is not a position. */
  readonly isOpaque: boolean;
}

/**
 * A page that row changes keep current. It keeps the first matching rows after its start: those of the page, the first row of the
 * next page and some more, so that the table is seldom read again when rows leave.
 */
export class LivePage<T> {
  /** The rows while they change; null once they are published, so that they are not kept twice. */
  #joined: T[] | null = null;
  /** The published rows after the page. */
  #rest: readonly T[] = [];
  /** Whether `#rows` are all matching rows after the start. Otherwise rows after the last one are unknown. */
  #isComplete = true;
  #last: Key | null = null;
  #total: number | null = null;
  /** The values of all matching rows; null if the query does not request facets. */
  #tallies: readonly ValueTally[] | null = null;
  /** Whether the number or the values of all matching rows are counted. */
  #isCounted = false;
  /** Number of rows that were moved since the last result. */
  #moved = 0;
  #current: LiveResult<T> | null = null;
  /** Callbacks of the readers that wait for a change. */
  readonly waiting = new SmallSet<() => void>();
  /** Number of readers. */
  readers = 0;
  /** Number of results that no reader waited for. */
  unread = 0;
  /** Bytes of the page that count towards the limit. */
  bytes = 0;
  /** The index of the state that the rows already include when the page starts. */
  since = 0;
  /** Whether the page is no longer kept current, so that readers must open it again. */
  isClosed = false;
  /** Whether it was closed because all rows were replaced, or because too many changed. */
  isReset = false;

  constructor(
    readonly live: LiveQuery<T>,
    readonly order: PageOrder<T>,
  ) {}

  /** The latest result. */
  get current(): LiveResult<T> {
    return this.#current as LiveResult<T>; // Pages are published before they have readers
  }

  /** The matching rows from the start, in order. Without gaps. */
  get #rows(): T[] {
    return (this.#joined ??= (this.#current?.page.items ?? []).concat(this.#rest));
  }

  /** Number of rows that the page keeps. */
  get size(): number {
    return this.#joined?.length ?? (this.#current?.page.items.length ?? 0) + this.#rest.length;
  }

  /** Estimated memory of the rows and values that the page keeps, in bytes. */
  get contentBytes(): number {
    let bytes = 16 * this.size;
    for (const tally of this.#tallies ?? []) bytes += tally.bytes;
    return bytes;
  }

  /** Whether it is faster to read the page again than to apply further changes. */
  get isFasterToRead(): boolean {
    return this.#moved > maxMoved;
  }

  /** The start of the rows to read from the table, and their maximum number; null if none are needed. */
  get missing(): { readonly nextToken: string; readonly perPage: number } | null {
    const { query, capacity } = this.live;
    const { perPage } = query;
    if (this.#isComplete || this.#rows.length > perPage) return null;
    const last = this.#rows.at(-1);
    // The last known row is read again, as the start.
    return last === undefined
      ? this.whole
      : { nextToken: this.order.tokenOf(last), perPage: capacity - this.#rows.length };
  }

  /** The start and the maximum number of all rows to keep. */
  get whole(): { readonly nextToken: string; readonly perPage: number } {
    const { query, capacity } = this.live;
    return { nextToken: query.nextToken, perPage: query.perPage === 0 ? 0 : capacity - 1 };
  }

  /** Appends rows from the table. `hasMore` says that further matching rows follow. */
  append(rows: readonly T[], hasMore: boolean): void {
    const [first] = rows;
    const isKnown = first !== undefined && this.#last !== null && this.order.compare(first, this.#last) === 0;
    // Unlike one that grows by `push`, the array reserves no space for more rows.
    this.#joined = this.#rows.concat(isKnown ? rows.slice(1) : rows);
    this.#isComplete = !hasMore;
    this.#noteLast();
  }

  /** Drops the rows after the first one of the next page. */
  dropReserve(): void {
    const { perPage } = this.live.query;
    if (perPage === 0 || this.size <= perPage + 1) return;
    const isPublished = this.#joined === null;
    this.#rows.length = perPage + 1;
    this.#isComplete = false;
    this.#noteLast();
    if (isPublished) this.#split(perPage);
  }

  /** Sets the number of matching rows on all pages, and their values; null if the query does not request them. */
  count(total: number | null, tallies: readonly ValueTally[] | null): void {
    this.#total = total;
    this.#tallies = tallies;
    this.#isCounted = true;
  }

  /** Whether there are too many values to follow changes, so that all rows are counted again after each. */
  get hasTooManyValues(): boolean {
    return this.#tallies?.every(({ isComplete }) => isComplete) === false;
  }

  /** Removes a row that matched the filter. Returns whether the page may differ. */
  remove(row: T): boolean {
    const { isSelected } = this.live;
    if (this.#isCounted && isSelected?.(row) !== false) this.#tally(row, -1);
    const rows = this.#rows;
    const key = this.order.keyOf(row);
    if (!this.#isWithin(key)) return this.#isCounted;
    const at = this.#find(key);
    const found = rows[at];
    // By key: a write that puts an equal row is not a change, but stores another object.
    if (found === undefined || this.order.compare(found, key) !== 0) return this.#isCounted;
    this.#moved += rows.length - at;
    rows.splice(at, 1);
    if (at === rows.length) this.#noteLast();
    return true;
  }

  /** Inserts a row that matches the filter. Returns whether the page may differ. */
  insert(row: T): boolean {
    const { isSelected, capacity } = this.live;
    if (isSelected?.(row) === false) return false;
    if (this.#isCounted) this.#tally(row, 1);
    const rows = this.#rows;
    const key = this.order.keyOf(row);
    if (!this.#isWithin(key)) return this.#isCounted;
    const at = this.#find(key);
    const isFull = rows.length === capacity;
    if (isFull) this.#isComplete = false;
    if (isFull && at < capacity) rows.pop();
    this.#moved += rows.length - at;
    if (!isFull || at < capacity) rows.splice(at, 0, row);
    if (isFull || at === rows.length - 1) this.#noteLast();
    return true;
  }

  /** Whether the page may differ if the filter matches a row, by the position of the row alone. */
  isNear(row: T): boolean {
    // All matching rows are counted, on any page.
    return this.#isCounted || this.#isWithin(this.order.keyOf(row));
  }

  /** Replaces the current result. Returns whether it differs from the previous one. */
  publish(index: number, history: string, nameToken: (token: string) => string): boolean {
    const { perPage, nextToken: start } = this.live.query;
    const rows = this.#rows;
    const items = perPage === 0 ? rows.slice() : rows.slice(0, perPage);
    const next = perPage === 0 ? undefined : rows[perPage];
    const nextToken = next === undefined ? null : nameToken(this.order.tokenOf(next));
    this.#split(items.length);
    this.#moved = 0;
    const old = this.#current?.page;
    const facets = this.#facetsSince(old?.facets);
    if (
      old?.nextToken === nextToken &&
      old.total === this.#total &&
      old.facets === facets &&
      old.items.length === items.length &&
      old.items.every((row, at) => row === items[at])
    )
      return false;
    const prevToken = start === '' ? null : nameToken(start);
    const page = { items, nextToken, prevToken, total: this.#total, index };
    this.#current = { history, page: facets === undefined ? page : { ...page, facets } };
    return true;
  }

  /** Drops the rows of the result, which has them too. */
  #split(size: number): void {
    this.#rest = this.#rows.slice(size);
    this.#joined = null;
  }

  #tally(row: T, count: 1 | -1): void {
    if (this.#total !== null) this.#total += count;
    for (const [at, field] of this.live.facets.entries()) tallyRows([row], field, this.#tallies?.[at], count);
  }

  /** Returns the facets: the previous ones if they are the same. */
  #facetsSince(old: ListPage<T>['facets']): ListPage<T>['facets'] {
    if (this.#tallies === null) return old;
    const facets = facetsOf(this.live.facets, this.#tallies);
    return isSameValue(facets, old) ? old : facets;
  }

  #noteLast(): void {
    const last = this.#rows.at(-1);
    this.#last = last === undefined ? null : keyOf(this.order.order, last);
  }

  /** Whether a key is between the start of the page and the last known row, after which further matching rows are unknown. */
  #isWithin(key: Key): boolean {
    const { start } = this.live;
    const isKnown = this.#isComplete || (this.#last !== null && this.order.compareKeys(key, this.#last) <= 0);
    return isKnown && (start === null || this.order.compareKeys(key, start) >= 0);
  }

  /** Returns the index of the first row that is not before a key. */
  #find(key: Key): number {
    const rows = this.#rows;
    let low = 0;
    for (let high = rows.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.order.compare(rows[middle] as T, key) < 0)
        low = middle + 1; // middle < high
      else high = middle;
    }
    return low;
  }
}
