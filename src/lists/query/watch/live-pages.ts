import { runInSlices } from '../../../runtime/run-in-slices.js';
import { eventLoop } from '../../../runtime/time-slicer.js';
import { createPager } from '../../list/index.js';
import type { ChangeGroup, RowChange, RowChanges } from '../../table/change-feed.js';
import type { StoreSnapshot } from '../../table/store.js';
import { allFacetFields, readFacets } from '../request/facet-query.js';
import type { FilterCache } from '../request/filter-cache.js';
import { QueryError } from '../request/query-error.js';
import { wholeQuery, type ParsedQuery } from '../request/query.js';
import { tokenOfPage } from '../request/sort-query.js';
import { countRows } from '../result/counted-rows.js';
import { rowScanOf } from '../result/row-scan.js';
import { selectionTest } from '../scan/access-path.js';
import { createValueTally } from '../scan/value-counts.js';
import { createListScan } from '../scan/list-scan.js';
import type { LivePool } from '../source/pool.js';
import { scanRequestOf, type ListView, type RowSource, type WatchedRows } from '../source/row-source.js';
import { ChangeQueue } from './change-queue.js';
import { LivePage, PageOrder, type LiveQuery } from './live-page.js';
import { createNotificationQueue } from './notification-queue.js';
import { PagesByFilter, resultFor } from './pages-by-filter.js';
import { keyOfOrder, keyOfQuery } from './query-key.js';
import { rowUpdates } from './row-updates.js';

/** Maximum number of rows that a page keeps after the first row of the next page. */
const maxReserve = 16;
/** Maximum number of changes of one write that are applied one by one. For more it is faster to open the pages again. */
const maxApplied = 1_024;
/** Maximum number of rows that are moved in a page when it is opened, which cannot be interrupted: a few milliseconds. */
const maxMovedAtOnce = 2_000_000;
/** Number of attempts to open a page while rows are written. The last one returns a page that is not kept current. */
const maxAttempts = 4;
/** Maximum number of unread results of a page. Beyond it, the page is closed until its reader continues. */
const maxUnread = 64;
/** Estimated memory of a page without its rows and strings, in bytes. */
const pageOverhead = 3_000;

const noFacets: readonly never[] = [];

/** A list whose pages are watched. */
export interface LiveList<T> {
  readonly source: RowSource<T>;
  readonly pool: LivePool;
  readonly unresolved: 'error' | 'absent';
  readonly filters: FilterCache<T>;
  /** Binds `now` in filters to one instant. */
  readonly bound: (query: ParsedQuery<T>) => ParsedQuery<T>;
  readonly closed: AbortSignal;
}

/** The pages of one list that are watched in this process. Each change of the table is applied to the pages that it affects. */
export class LivePages<T extends object> {
  readonly #byFilter: PagesByFilter<T>;
  readonly #notifications = createNotificationQueue(eventLoop);
  readonly #byKey = new Map<string, LivePage<T>>();
  readonly #orders = new Map<string, PageOrder<T>>();
  readonly #queue: ChangeQueue<RowChange, StoreSnapshot>;
  /** The index of the write that is being applied or was applied last. */
  #reached = 0;
  #opening = 0;

  constructor(
    private readonly list: LiveList<T>,
    private readonly watched: WatchedRows,
  ) {
    this.#byFilter = new PagesByFilter(list.source.schema, list.unresolved);
    this.#queue = new ChangeQueue({
      state: watched.versions,
      slices: list.pool.slices,
      process: (group, snapshot) => this.#process(group, snapshot),
      giveUp: () => {
        // Pages that are being opened apply the changes that are no longer queued.
        this.#reached = watched.versions.snapshot().index;
        this.#closeAll(true);
      },
      finish: () => this.#leaveIfEmpty(),
    });
    list.closed.addEventListener('abort', () => this.#closeAll(false));
  }

  /** Number of different queries whose pages are kept current. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Opens the page of a query. The reader must release it. @throws FilterError and QueryError as `list.page` */
  async open(query: ParsedQuery<T>, signal: AbortSignal | null): Promise<LivePage<T>> {
    const key = keyOfQuery(query);
    const { versions } = this.watched;
    this.#opening += 1;
    try {
      if (this.#queue.join()) this.#reached = versions.snapshot().index;
      for (let attempt = 1; ; attempt += 1) {
        const known = this.#byKey.get(key);
        if (known !== undefined) return retained(known);
        const snapshot = versions.snapshot();
        const page = this.#create(key, query, snapshot);
        await runInSlices(this.#fill(page, snapshot, true), this.list.pool.slices, signal);
        await this.#count(page, snapshot, signal);
        this.list.closed.throwIfAborted();
        if (this.#byKey.has(key)) continue;
        if (attempt < maxAttempts ? this.#enter(page, snapshot) : this.#publishOnce(page, snapshot))
          return retained(page);
      }
    } finally {
      this.#opening -= 1;
      this.#leaveIfEmpty();
    }
  }

  /** Ends reading a page. */
  release(page: LivePage<T>): void {
    page.readers -= 1;
    if (page.readers === 0) this.close(page);
  }

  /** Stops keeping a page current. Its readers open it again. */
  close(page: LivePage<T>): void {
    if (page.isClosed) return;
    page.isClosed = true;
    const { key } = page.live;
    if (this.#byKey.get(key) !== page) return;
    this.#byKey.delete(key);
    this.list.pool.watchedBytes -= page.bytes;
    this.#byFilter.remove(page);
    page.order.pages -= 1;
    if (page.order.pages === 0) this.#orders.delete(page.order.key);
    this.#wake(page);
    this.#leaveIfEmpty();
  }

  #planned(query: ParsedQuery<T>): ParsedQuery<T> {
    const plan = query.filter === '' ? null : this.list.filters.plan(query.filter);
    return this.list.bound({ ...query, plan });
  }

  #view(query: ParsedQuery<T>, snapshot: StoreSnapshot): ListView<T> {
    return this.watched.viewAt(query as ParsedQuery<never>, snapshot) as object as ListView<T>;
  }

  #create(key: string, query: ParsedQuery<T>, snapshot: StoreSnapshot): LivePage<T> {
    const { perPage, nextToken, prefix, visible, filter, access } = query;
    const { selection, sorted } = this.#view(query, snapshot);
    const start = nextToken === '' ? null : createPager({ order: sorted.order, nextToken }).start;
    const isExact = nextToken === '' || start !== null;
    const plan = filter === '' ? null : this.list.filters.plan(filter);
    const mayFail = plan?.mayFail === true;
    const usesNow = plan?.usesNow === true || access?.usesNow === true;
    // If the filter may fail, no row after the first one of the next page may be evaluated.
    const reserve = mayFail ? 0 : Math.min(perPage, maxReserve);
    const capacity = perPage === 0 ? Infinity : perPage + 1 + reserve;
    // No spread: each page would have a hidden class of its own.
    const live: LiveQuery<T> = {
      key,
      query,
      capacity,
      usesNow,
      isOpaque: usesNow || !isExact,
      start,
      facets:
        query.facets === undefined
          ? noFacets
          : readFacets<T>(query.facets, allFacetFields<T>(this.list.source.schema)),
      isSelected:
        prefix === '' && visible === null && selection.where === null
          ? null
          : selectionTest({ ...selection, keyPrefix: prefix }, visible),
    };
    const orderKey = keyOfOrder(query);
    const known = this.#orders.get(orderKey);
    return new LivePage(live, known ?? new PageOrder<T>(orderKey, sorted.order, sorted.reverse));
  }

  /** Reads the missing rows of a page, or all of them, from a state of the table. */
  *#fill(page: LivePage<T>, snapshot: StoreSnapshot, isNew: boolean): Generator<void, void, undefined> {
    const range = isNew ? page.whole : page.missing;
    if (range === null) return;
    const { pool } = this.list;
    const query = { ...this.#planned(page.live.query), ...range };
    const { advance, pager } = createListScan(scanRequestOf(this.#view(query, snapshot), query, true));
    const reservation = pool.rowBudget.reserve();
    try {
      while (!advance(() => true)) {
        reservation.grow(pager.found);
        yield;
      }
      const { next } = pager;
      const { items } = pager.page();
      page.append(next === null ? items : [...items, next], next !== null);
    } finally {
      reservation.release();
    }
  }

  /** Counts all matching rows and their values, if the query requests that. */
  async #count(page: LivePage<T>, snapshot: StoreSnapshot, signal: AbortSignal | null): Promise<void> {
    const { query, facets } = page.live;
    if (query.isCounted !== true && query.facets === undefined) return;
    const whole = wholeQuery(this.#planned(query));
    const tallies = facets.map(createValueTally);
    const scan = rowScanOf(this.list.pool, whole, this.#view(whole, snapshot));
    const { total } = await countRows(scan, facets, signal, { tallies });
    page.count(query.isCounted === true ? total : null, query.facets === undefined ? null : tallies);
  }

  /** Starts to keep a page current. Returns false if it is outdated and must be filled again. */
  #enter(page: LivePage<T>, snapshot: StoreSnapshot): boolean {
    const { versions } = this.watched;
    const { query } = page.live;
    if (versions.snapshot().history !== snapshot.history) return false;
    const missed = this.#reached > snapshot.index ? versions.changes.since(snapshot.index) : [];
    if (missed === 'gone') return false;
    const changes = missed.reduce((sum, group) => sum + group.changes.length, 0);
    if (changes > maxApplied || changes * page.size > maxMovedAtOnce) return false;
    const plan = query.filter === '' ? null : this.list.filters.plan(query.filter);
    const result = resultFor(page, plan);
    const { table } = this.watched;
    const groups = missed.filter(
      ({ index, indexes }) => index <= this.#reached && indexes[table] !== undefined,
    );
    if (groups.length > 0 && page.hasTooManyValues) return this.#publishOnce(page, snapshot);
    for (const { before, after } of this.#updates(groups, snapshot)) {
      if (before !== null) this.#apply(page, before, false, result(before));
      if (after !== null) this.#apply(page, after, true, result(after));
    }
    if (page.isClosed || page.missing !== null) return false;
    if (!this.#reserve(page))
      throw new QueryError('too-busy', '', 'Too many pages are watched; try again later');
    page.since = Math.max(snapshot.index, this.#reached);
    this.#byKey.set(page.live.key, page);
    page.order.pages += 1;
    this.#orders.set(page.order.key, page.order);
    this.#byFilter.add(page, plan);
    this.#publish(page, groups.at(-1)?.indexes ?? snapshot.indexes, snapshot.history);
    return true;
  }

  /** Publishes a page that is not kept current: its reader opens it again. */
  #publishOnce(page: LivePage<T>, snapshot: StoreSnapshot): true {
    this.#publish(page, snapshot.indexes, snapshot.history);
    page.isClosed = true;
    return true;
  }

  /** Counts the bytes of a page towards the limit. Returns false if the limit is exceeded. */
  #reserve(page: LivePage<T>): boolean {
    const { pool } = this.list;
    const isFull = (): boolean => pool.watchedBytes > pool.limits.maxWatchedBytes;
    const known = page.bytes;
    this.#weigh(page);
    if (page.bytes <= known || !isFull()) return true;
    const pages = [page, ...this.#byKey.values()];
    for (const each of pages) {
      each.dropReserve();
      this.#weigh(each);
      if (!isFull()) return true;
    }
    // Pages whose readers do other work can be opened again.
    for (const each of pages) if (each !== page && each.waiting.size === 0) this.close(each);
    if (!isFull()) return true;
    pool.watchedBytes -= page.bytes - known;
    page.bytes = known;
    return false;
  }

  #weigh(page: LivePage<T>): void {
    const { key, query } = page.live;
    const bytes = pageOverhead + 2 * (key.length + query.filter.length) + page.contentBytes;
    this.list.pool.watchedBytes += bytes - page.bytes;
    page.bytes = bytes;
  }

  *#process(group: ChangeGroup, snapshot: StoreSnapshot): Generator<void, void, undefined> {
    this.#reached = group.index;
    const { table } = this.watched;
    if (group.kind === 'reset' || group.changes.length > maxApplied) this.#closeAll(group.kind === 'reset');
    else if (group.indexes[table] !== undefined) yield* this.#change(group, snapshot);
    this.#notifications.drain();
  }

  /** Closes all pages. Their readers open them again and so get the current page. */
  #closeAll(isReset: boolean): void {
    for (const page of [...this.#byKey.values()]) {
      page.isReset = isReset;
      this.close(page);
    }
  }

  *#change(group: RowChanges, snapshot: StoreSnapshot): Generator<void, void, undefined> {
    const touched = new Set<LivePage<T>>();
    for (const { before, after } of this.#updates([group], snapshot)) {
      if (before !== null) yield* this.#visit(before, false, group.index, touched);
      if (after !== null) yield* this.#visit(after, true, group.index, touched);
      yield;
    }
    for (const page of touched) {
      if (page.isClosed) continue;
      try {
        yield* this.#fill(page, snapshot, false);
        if (!page.isClosed) this.#publish(page, group.indexes, snapshot.history);
      } catch {
        // The readers open the page again, and so get the error.
        this.close(page);
      }
      yield;
    }
  }

  #updates(groups: readonly RowChanges[], snapshot: StoreSnapshot) {
    const list = { tables: [this.watched.table] as const, key: this.list.source.keyOf };
    return rowUpdates(groups, list, snapshot).values();
  }

  /** Applies a row that was removed or added to the pages whose filters match it, or throw for it. */
  #visit(
    row: T,
    isAdded: boolean,
    index: number,
    touched: Set<LivePage<T>>,
  ): Generator<void, void, undefined> {
    return this.#byFilter.visit(
      row,
      (page) => page.since < index && page.isNear(row),
      (page, isMatch) => void (this.#apply(page, row, isAdded, isMatch) && touched.add(page)),
    );
  }

  /** Applies a row to a page. `isMatch` is null if the filter's result is unknown. Returns whether the page may differ. */
  #apply(page: LivePage<T>, row: T, isAdded: boolean, isMatch: boolean | null): boolean {
    if (isMatch === false) return false;
    try {
      if (isMatch === true) {
        const isChanged = isAdded ? page.insert(row) : page.remove(row);
        // The readers open the page again, and so all rows are read or counted again.
        if (page.hasTooManyValues || page.isFasterToRead) this.close(page);
        return isChanged;
      }
      if (page.isNear(row) && page.live.isSelected?.(row) !== false) this.close(page);
    } catch {
      // The predicate for visible rows has thrown. The readers open the page again, and so get the error.
      this.close(page);
    }
    return false;
  }

  #publish(page: LivePage<T>, indexes: Readonly<Partial<Record<string, number>>>, history: string): void {
    const { sorts } = this.list.source;
    const { query } = page.live;
    const isChanged = page.publish(indexes[this.watched.table] ?? 0, history, (token) =>
      String(tokenOfPage(query, token, sorts)),
    );
    if (!isChanged || page.readers === 0) return;
    page.unread = page.waiting.size > 0 ? 0 : page.unread + 1;
    if (page.unread > maxUnread || !this.#reserve(page)) this.close(page);
    else this.#wake(page);
  }

  #wake(page: LivePage<T>): void {
    page.waiting.forEach((wake) => this.#notifications.add([wake]));
    page.waiting.clear();
    if (!this.#queue.isAtWork) this.#notifications.drain();
  }

  #leaveIfEmpty(): void {
    if (this.#byKey.size === 0 && this.#opening === 0) this.#queue.leave();
  }
}

function retained<T>(page: LivePage<T>): LivePage<T> {
  page.readers += 1;
  return page;
}
