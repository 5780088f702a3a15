import { isSameValue } from '../table/same-row.js';
import type { ListCore, ListPage, PageTotal } from './list-core.js';
import type { ParsedQuery } from './request/query.js';
import type { Work } from './source/row-source.js';
import type { LivePages } from './watch/live-pages.js';
import type { LivePage, LiveResult } from './watch/live-page.js';
import type { ChangePositions } from './watch/result-changes.js';
import type { VersionWait } from './watch/version-wait.js';

/** A complete result, sent first and after unknown changes; otherwise the difference from the previous result. */
export type ResultChange<T> =
  { readonly kind: 'page'; readonly index: number; readonly page: ListPage<T> } | ResultDifference<T>;

/** The difference between two results. Rows are in list order. */
export interface ResultDifference<T> {
  readonly kind: 'changes';
  readonly index: number;
  /** The index of the previous result. */
  readonly since: number;
  readonly entered: readonly T[];
  readonly left: readonly T[];
  /** Rows in both results whose contents changed, in their new state. */
  readonly changed: readonly T[];
  /** Token of the next page; null if none exists. */
  readonly nextToken: string | null;
  /** The number of all matching rows; null if the query does not request it. */
  readonly total: PageTotal | null;
  /** The values of the requested fields in all matching rows; absent if they are the same as before. */
  readonly facets?: ListPage<T>['facets'];
  /** The positions of the rows, for `applyChanges`. */
  readonly positions: ChangePositions;
}

/** A result, and whether its difference from the previous one is unknown. */
interface NextResult<T> extends LiveResult<T> {
  readonly isReset: boolean;
}

/** Reads the results of a query one after the other. */
interface ResultReader<T> {
  /** Returns the current result at first, then waits until it may have changed. */
  next(): Promise<NextResult<T>>;
  /** Ends reading. A pending `next` returns. */
  close(): void;
}

/** Reports the result of a query, then each change of it, until the caller stops iterating. */
export function watchList<T extends object>(
  core: ListCore<T>,
  query: ParsedQuery<T>,
  signal: AbortSignal | null,
): AsyncIterableIterator<ResultChange<T>> {
  return new ListWatch(core, query, signal);
}

/** An iterator that takes up less memory than an async generator: there may be thousands of watches. */
class ListWatch<T extends object> implements AsyncIterableIterator<ResultChange<T>> {
  #reader: ResultReader<T> | null = null;
  #known: LiveResult<T> | null = null;
  #isDone = false;
  #isBusy = false;
  /** Starts the next step for each call of `next` during another one. */
  #queue: (() => void)[] | null = null;

  constructor(
    private readonly core: ListCore<T>,
    private readonly query: ParsedQuery<T>,
    private readonly signal: AbortSignal | null,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ResultChange<T>, undefined>> {
    if (this.#isBusy) await new Promise<void>((resolve) => (this.#queue ??= []).push(resolve));
    this.#isBusy = true;
    try {
      while (!this.#isEnded()) {
        this.#reader ??= await this.#open();
        const result = await this.#reader.next();
        const change = this.#isEnded() ? null : this.#changeTo(result);
        if (change !== null) return { done: false, value: change };
      }
    } catch (error) {
      // An error caused by ending the watch is not reported.
      if (!this.#isEnded()) {
        this.#end();
        throw error;
      }
    } finally {
      const start = this.#queue?.shift();
      if (start === undefined) this.#isBusy = false;
      else start();
    }
    this.#end();
    return { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<ResultChange<T>, undefined>> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  #isEnded(): boolean {
    return this.#isDone || this.signal?.aborted === true || this.core.closed.aborted;
  }

  #end(): void {
    this.#isDone = true;
    this.#reader?.close();
    this.#reader = this.#known = null;
  }

  async #open(): Promise<ResultReader<T>> {
    const { version, pages } = await this.core.waits();
    const { pool, raceWithAbort } = this.core;
    const work: Work = { pool, raceWithAbort, signal: this.signal };
    return pages === null
      ? new PollingReader(this.core, version, this.query, work)
      : new PageReader(pages, this.core, version, this.query, work);
  }

  /** Returns the change from the previous result; null if there is none. */
  #changeTo(result: NextResult<T>): ResultChange<T> | null {
    const known = this.#known;
    const { page, history, isReset } = result;
    const change: ResultChange<T> | null =
      known === null
        ? { kind: 'page', index: page.index, page }
        : difference(known.page, page, this.core.source.keyOf, isReset || history !== known.history);
    // The index of a result that is not reported is unknown to the caller.
    this.#known = change === null && known !== null ? { page: known.page, history } : result;
    return change;
  }
}

/** Reads the results of a page that is kept current. */
class PageReader<T extends object> implements ResultReader<T> {
  #page: LivePage<T> | null = null;
  #read: LiveResult<T> | null = null;
  #isClosed = false;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly pages: LivePages<T>,
    private readonly core: ListCore<T>,
    private readonly version: VersionWait,
    private readonly query: ParsedQuery<T>,
    private readonly work: Work,
  ) {}

  next(): Promise<NextResult<T>> {
    const page = this.#page;
    if (page === null) return this.#open(false);
    if (page.isClosed || page.current !== this.#read) return this.#take(page);
    // Not an async function, whose state would take up memory while it waits.
    return this.#wait(page).then((isWoken) => {
      if (!isWoken) this.pages.close(page);
      return this.#take(page);
    });
  }

  /** Returns the result of a page, which is opened again if it has been closed. */
  #take(page: LivePage<T>): Promise<NextResult<T>> {
    if (page.isClosed && !this.#isClosed) return this.#open(page.isReset);
    this.#read = page.current;
    return Promise.resolve({ ...page.current, isReset: false });
  }

  async #open(isReset: boolean): Promise<NextResult<T>> {
    this.#release();
    const page = await this.pages.open(this.query, this.work);
    this.#page = page;
    if (this.#isClosed) this.#release();
    this.#read = page.current;
    return { ...page.current, isReset };
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#release();
  }

  /** Waits until a page has changed. Resolves to false if a filter that depends on the clock must be evaluated again. */
  #wait(page: LivePage<T>): Promise<boolean> {
    const maxWaitMs = page.live.usesNow ? this.core.pollIntervalMs : Infinity;
    const watch = (wake: () => void): (() => void) => {
      this.#cancel = wake;
      page.waiting.add(wake);
      return () => {
        this.#cancel = null;
        page.waiting.delete(wake);
      };
    };
    return this.version.wake(watch, maxWaitMs, this.work.signal);
  }

  #release(): void {
    if (this.#page !== null) this.pages.release(this.#page);
    this.#page = null;
  }
}

/** Reads the results of a source that does not report the changes of its rows. */
class PollingReader<T extends object> implements ResultReader<T> {
  #index: number | null = null;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly core: ListCore<T>,
    private readonly version: VersionWait,
    private readonly query: ParsedQuery<T>,
    private readonly work: Work,
  ) {}

  async next(): Promise<NextResult<T>> {
    if (this.#index !== null) await this.#wait(this.#index);
    const { filter } = this.query;
    const plan = filter === '' ? null : this.core.filters.plan(filter);
    const { page, view } = await this.core.pageOf({ ...this.query, plan }, this.work);
    this.#index = page.index;
    return { page, history: view.history, isReset: false };
  }

  close(): void {
    this.#cancel?.();
  }

  async #wait(index: number): Promise<void> {
    const { signal: reports } = this.core.source;
    const watch = (wake: () => void): (() => void) => {
      this.#cancel = wake;
      return reports?.onNext(wake) ?? ((): void => undefined);
    };
    // If the source reported a change after the page was read, the page is read again at once.
    if (reports === undefined || (reports.index === index && reports.failure === undefined))
      await this.version.wake(watch, this.core.pollIntervalMs, this.work.signal);
    if (reports?.failure !== undefined) throw reports.failure;
  }
}

/** Returns the difference between two pages; null if they are equal. */
function difference<T extends object>(
  before: ListPage<T>,
  page: ListPage<T>,
  keyOf: (row: T) => string,
  isUnknown: boolean,
): ResultChange<T> | null {
  const { index, nextToken, total, facets } = page;
  const counts = isSameValue(facets, before.facets) ? {} : { facets };
  const isSameRest =
    nextToken === before.nextToken && isSameValue(total, before.total) && !('facets' in counts);
  if (isUnknown) {
    return isSameRest && isSameValue(page.items, before.items) ? null : { kind: 'page', index, page };
  }
  const [was, is] = [before.items, page.items];
  // Most rows at both ends are unchanged.
  let start = 0;
  while (start < was.length && was[start] === is[start]) start += 1;
  let [wasEnd, isEnd] = [was.length, is.length];
  while (wasEnd > start && isEnd > start && was[wasEnd - 1] === is[isEnd - 1]) {
    wasEnd -= 1;
    isEnd -= 1;
  }
  const old = new Map(was.slice(start, wasEnd).map((row, at) => [keyOf(row), { row, at: start + at }]));
  const [entered, changed] = [[] as T[], [] as T[]];
  const positions = { removed: [] as number[], entered: [] as number[], changed: [] as number[] };
  const moved: number[] = [];
  for (let at = start; at < isEnd; at += 1) {
    const row = is[at] as T; // `isEnd` is at most the length
    const key = keyOf(row);
    const known = old.get(key);
    if (known === undefined) {
      entered.push(row);
      positions.entered.push(at);
      continue;
    }
    old.delete(key);
    if (known.row === row || isSameValue(known.row, row)) continue;
    changed.push(row);
    positions.changed.push(at);
    moved.push(known.at);
  }
  const gone = [...old.values()];
  positions.removed.push(...gone.map(({ at }) => at), ...moved);
  if (isSameRest && entered.length + gone.length + changed.length === 0) return null;
  const rows = { entered, left: gone.map(({ row }) => row), changed };
  return { kind: 'changes', index, since: before.index, ...rows, nextToken, total, ...counts, positions };
}
