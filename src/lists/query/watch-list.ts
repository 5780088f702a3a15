import { onAbort } from '../../runtime/on-abort.js';
import { isSameValue } from '../table/same-row.js';
import type { ListCore, ListPage, PageTotal } from './list-core.js';
import type { ParsedQuery } from './request/query.js';
import type { LivePages } from './watch/live-pages.js';
import type { LivePage, LiveResult } from './watch/live-page.js';
import type { ChangePositions } from './watch/result-changes.js';
import type { VersionWait, Wait, Waiter } from './watch/version-wait.js';

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
interface NextResult<T> {
  readonly result: LiveResult<T>;
  readonly isReset: boolean;
}

/** Reads the results of a query one after the other. */
interface ResultReader<T> {
  /** Returns the current result; null if it cannot differ from the previous one. */
  read(): NextResult<T> | Promise<NextResult<T>> | null;
  /** Maximum time until the result may differ without a change being reported, in ms. */
  readonly maxWaitMs: number;
  /** Starts to call `wake` when the result may differ. */
  watch(wake: () => void): void;
  withdraw(wake: () => void): void;
  /** Called if `maxWaitMs` has passed. */
  expire?(): void;
  close(): void;
}

/** Reports the result of a query, then each change of it, until the caller stops iterating. */
export function watchList<T extends object>(
  core: ListCore<T>,
  query: ParsedQuery<T>,
  signal: AbortSignal | null,
): ListWatch<T> {
  return new ListWatch(core, query, signal);
}

type Read<T> = IteratorResult<ResultChange<T>, undefined>;

/** An iterator whose pending reads take up less memory than those of an async function: there may be thousands of watches. */
class ListWatch<T extends object> implements AsyncIterableIterator<ResultChange<T>>, Waiter {
  #reader: ResultReader<T> | null = null;
  #version: VersionWait | null = null;
  #known: LiveResult<T> | null = null;
  #isDone = false;
  /** The pending read. */
  #pending: Promise<Read<T>> | null = null;
  #resolve: ((read: Read<T> | Promise<Read<T>>) => void) | null = null;
  #wait: Wait | null = null;
  #removeAbort: (() => void) | null = null;

  constructor(
    private readonly core: ListCore<T>,
    private readonly query: ParsedQuery<T>,
    private readonly signal: AbortSignal | null,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Read<T>> {
    const pending = this.#pending;
    if (pending !== null) {
      const again = (): Promise<Read<T>> => this.next();
      return pending.then(again, again);
    }
    this.#removeAbort?.();
    const read = new Promise<Read<T>>((resolve) => (this.#resolve = resolve));
    this.#pending = read;
    void this.#read();
    return read;
  }

  return(): Promise<Read<T>> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  watch(wake: () => void): void {
    this.#reader?.watch(wake);
  }

  withdraw(wake: () => void): void {
    this.#reader?.withdraw(wake);
  }

  finish(isWoken: boolean | null, reason?: unknown): void {
    this.#wait = null;
    if (isWoken === false) this.#reader?.expire?.();
    if (isWoken === null) this.#fail(reason);
    else void this.#read();
  }

  /** Settles the pending read once there is a change, and waits for one until then. */
  async #read(): Promise<void> {
    try {
      while (!this.#isEnded()) {
        this.#reader ??= await this.#open();
        const reader = this.#reader;
        const found = reader.read();
        // The wait begins in the same turn, so that no change is missed.
        if (found === null) {
          this.#wait = this.#version?.begin(this, reader.maxWaitMs, this.signal) ?? null;
          return;
        }
        const next = await found;
        const change = this.#isEnded() ? null : this.#changeTo(next);
        if (change !== null) return this.#settle({ done: false, value: change });
      }
      this.#end();
      this.#settle({ done: true, value: undefined });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    // An error caused by ending the watch is not reported.
    const isEnded = this.#isEnded();
    this.#end();
    this.#settle(isEnded ? { done: true, value: undefined } : Promise.reject(error as Error));
  }

  #settle(read: Read<T> | Promise<Read<T>>): void {
    const resolve = this.#resolve;
    this.#pending = this.#resolve = null;
    // The page is not kept current for a reader that does not continue.
    this.#removeAbort = this.#isEnded() ? null : onAbort(this.signal, () => this.#end());
    resolve?.(read);
  }

  #isEnded(): boolean {
    return this.#isDone || this.signal?.aborted === true || this.core.closed.aborted;
  }

  #end(): void {
    this.#isDone = true;
    this.#removeAbort?.();
    this.#wait?.settle(true);
    this.#reader?.close();
    this.#reader = this.#known = null;
  }

  async #open(): Promise<ResultReader<T>> {
    const { version, pages } = await this.core.waits();
    this.#version = version;
    return pages === null
      ? new PollingReader(this.core, this.query, this.signal)
      : new PageReader(pages, this.core, this.query, this.signal);
  }

  /** Returns the change from the previous result; null if there is none. */
  #changeTo({ result, isReset }: NextResult<T>): ResultChange<T> | null {
    const known = this.#known;
    const { page, history } = result;
    const change: ResultChange<T> | null =
      known === null
        ? wholePage(page)
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

  constructor(
    private readonly pages: LivePages<T>,
    private readonly core: ListCore<T>,
    private readonly query: ParsedQuery<T>,
    private readonly signal: AbortSignal | null,
  ) {}

  /** Opens the page again if it has been closed. */
  read(): NextResult<T> | Promise<NextResult<T>> | null {
    const page = this.#page;
    if (page === null || page.isClosed) return this.#open(page?.isReset === true);
    if (page.current === this.#read) return null;
    this.#read = page.current;
    return { result: page.current, isReset: false };
  }

  async #open(isReset: boolean): Promise<NextResult<T>> {
    this.#release();
    const page = await this.pages.open(this.query, this.signal);
    this.#page = page;
    if (this.#isClosed) this.#release();
    this.#read = page.current;
    return { result: page.current, isReset };
  }

  get maxWaitMs(): number {
    return this.#page?.live.usesNow === true ? this.core.pollIntervalMs : Infinity;
  }

  watch(wake: () => void): void {
    this.#page?.waiting.add(wake);
  }

  withdraw(wake: () => void): void {
    this.#page?.waiting.delete(wake);
  }

  /** The filter depends on the clock, and must be evaluated again. */
  expire(): void {
    if (this.#page !== null) this.pages.close(this.#page);
  }

  close(): void {
    this.#isClosed = true;
    this.#release();
  }

  #release(): void {
    if (this.#page !== null) this.pages.release(this.#page);
    this.#page = null;
  }
}

/** Reads the results of a source that does not report the changes of its rows. */
class PollingReader<T extends object> implements ResultReader<T> {
  #index: number | null = null;
  #isDue = true;
  #leave: (() => void) | undefined = undefined;
  readonly maxWaitMs: number;

  constructor(
    private readonly core: ListCore<T>,
    private readonly query: ParsedQuery<T>,
    private readonly signal: AbortSignal | null,
  ) {
    this.maxWaitMs = core.pollIntervalMs;
  }

  read(): Promise<NextResult<T>> | null {
    const { signal: reports } = this.core.source;
    // If the source reported a change after the page was read, the page is read again at once.
    const isReported =
      reports !== undefined && (reports.index !== this.#index || reports.failure !== undefined);
    return this.#isDue || isReported ? this.#readPage(reports?.failure) : null;
  }

  async #readPage(failure: unknown): Promise<NextResult<T>> {
    if (this.#index !== null && failure !== undefined) throw failure as Error;
    this.#isDue = false;
    const { filter } = this.query;
    const plan = filter === '' ? null : this.core.filters.plan(filter);
    const { pool, raceWithAbort } = this.core;
    const work = { pool, raceWithAbort, signal: this.signal };
    const { page, view } = await this.core.pageOf({ ...this.query, plan }, work);
    this.#index = page.index;
    return { result: { page, history: view.history }, isReset: false };
  }

  watch(wake: () => void): void {
    this.#leave = this.core.source.signal?.onNext(wake);
  }

  withdraw(): void {
    this.#isDue = true;
    this.#leave?.();
  }

  close(): void {
    this.withdraw();
  }
}

/** Returns a page as a change. Its list of rows is a copy, because readers of the same query share the page. */
function wholePage<T>(page: ListPage<T>): ResultChange<T> {
  return { kind: 'page', index: page.index, page: { ...page, items: [...page.items] } };
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
    return isSameRest && isSameValue(page.items, before.items) ? null : wholePage(page);
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
