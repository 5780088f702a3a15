import type { FilterSet } from '../../../filter/filter-set/filter-set.js';
import type { EventLoop, TimeSlicer } from '../../../runtime/time-slicer.js';
import type { ChangeFeed, ChangeGroup, RowChange, RowChanges } from '../../table/change-feed.js';
import { ChangeQueue } from './change-queue.js';
import { createNotificationQueue } from './notification-queue.js';
import { isConcerned, type WatchedQuery } from './watched-query.js';
import { rowUpdates, type JoinedRows, type RowUpdate } from './row-updates.js';

/** A client waiting for its result to change. */
export interface ResultWatcher {
  /** Whether the client's permissions are unchanged since its request began. */
  readonly hasSamePermissions: () => boolean;
  /** @param known the index of a state whose result equals that of the client; null if unknown. */
  readonly wake: (known: number | null) => void;
}

/** The watchers of the results of one list, matched against row changes. */
export interface ResultWatches<T> {
  /**
   * Wakes the watcher once, when its result differs from that of the current state. Returns a function that cancels the watch.
   *
   * @param digest the digest of the client's result, if the query has one.
   */
  watch(query: WatchedQuery<T>, watcher: ResultWatcher, digest: string | null): () => void;
  /** The index up to which all watchers have been notified. */
  processedIndex(): number;
  /** Number of different queries that are watched. */
  readonly size: number;
}

export interface ResultWatchDependencies<
  T,
  C extends RowChange = RowChange,
  S extends { readonly index: number } = { readonly index: number },
> {
  readonly state: { readonly changes: ChangeFeed<C>; snapshot(): S };
  readonly slices: TimeSlicer;
  readonly clock: Pick<EventLoop, 'defer'>;
  readonly list: JoinedRows<T, C, S>;
  /** The tables that determine permissions. Default: none. */
  readonly rightsTables?: readonly C['table'][];
  /** Filter set used to match changes against watchers' filters; injected so that it is loaded lazily. */
  readonly filters: FilterSet<T>;
}

/** A query with the clients that wait for a different result. */
interface WatchedResult<T> {
  readonly id: string;
  readonly query: WatchedQuery<T>;
  readonly watchers: Set<ResultWatcher>;
  /** The digest of the result that the clients have; null if row changes alone decide. */
  readonly digest: string | null;
  /** State of the digest: not being computed, being computed, or to be computed again afterwards. */
  pending: 'no' | 'once' | 'again';
}

/** Maximum length of a filter in the set, in UTF-16 units. Longer ones are compiled and evaluated separately. */
export const maxIndexedFilterLength = 2_048;
/** Number of filters evaluated on a row before other work gets a turn. */
const batchSize = 256;

export function createResultWatches<
  T extends object,
  C extends RowChange,
  S extends { readonly index: number },
>(dependencies: ResultWatchDependencies<T, C, S>): ResultWatches<T> {
  return new WatchedResults(dependencies);
}

class WatchedResults<
  T extends object,
  C extends RowChange,
  S extends { readonly index: number },
> implements ResultWatches<T> {
  readonly #dependencies: ResultWatchDependencies<T, C, S>;
  readonly #wakes: ReturnType<typeof createNotificationQueue>;
  readonly #filters: FilterSet<T>;
  readonly #byKey = new Map<string, WatchedResult<T>>();
  readonly #byId = new Map<string, WatchedResult<T>>();
  /** Watches whose filter is not in the set: they have no filter, the set is full, or the filter depends on the clock. */
  readonly #unfiltered = new Set<WatchedResult<T>>();
  readonly #queue: ChangeQueue<C, S>;
  #processedUpTo = 0;
  #ids = 0;

  constructor(dependencies: ResultWatchDependencies<T, C, S>) {
    const { filters, clock } = dependencies;
    this.#dependencies = dependencies;
    this.#wakes = createNotificationQueue(clock);
    this.#filters = filters;
    this.#queue = new ChangeQueue({
      ...dependencies,
      process: (group, snapshot) => this.#process(group, snapshot),
      // An unnecessary response is better than a missing one.
      giveUp: () => this.#wakeAll(),
      finish: () => this.#leaveIfAlone(),
    });
  }

  get size(): number {
    return this.#byKey.size;
  }

  processedIndex(): number {
    return this.#processedUpTo;
  }

  watch(query: WatchedQuery<T>, watcher: ResultWatcher, digest: string | null): () => void {
    if (this.#queue.join()) this.#processedUpTo = this.#dependencies.state.snapshot().index;
    let own: WatchedResult<T> | null = null;
    let isRemoved = false;
    const wakeAt = this.#wakeable(watcher);
    const enter = (): void => {
      if (isRemoved) return;
      own = this.#enter(query, digest);
      own.watchers.add(wakeAt.watcher);
    };
    // The result of the watcher already includes the changes that are queued.
    this.#queue.after(enter);
    return () => {
      isRemoved = true;
      wakeAt.cancel();
      if (own !== null) this.#withdraw(own, wakeAt.watcher);
    };
  }

  /** Returns a watcher that is woken through the queue. */
  #wakeable({ hasSamePermissions, wake }: ResultWatcher): { watcher: ResultWatcher; cancel: () => void } {
    let known: number | null = null;
    const wakeNow = (): void => wake(known);
    const watcher: ResultWatcher = {
      hasSamePermissions,
      wake: (index) => {
        known = index;
        this.#wakes.add([wakeNow]);
      },
    };
    return { watcher, cancel: () => this.#wakes.delete(wakeNow) };
  }

  #enter(query: WatchedQuery<T>, digest: string | null): WatchedResult<T> {
    const key = `${digest ?? ''} ${query.key}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const id = String((this.#ids += 1));
    const watched: WatchedResult<T> = { id, query, watchers: new Set(), digest, pending: 'no' };
    this.#byKey.set(key, watched);
    this.#byId.set(id, watched);
    if (digest !== null || query.filter === '' || !this.#addFilter(id, query.filter)) {
      this.#unfiltered.add(watched);
    }
    return watched;
  }

  /** Adds a filter to the set. Returns false if the set is full or the filter is too long, because adding it would block. */
  #addFilter(id: string, filter: string): boolean {
    if (filter.length > maxIndexedFilterLength) return false;
    try {
      this.#filters.add(id, filter);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  #withdraw(watched: WatchedResult<T>, watcher: ResultWatcher): void {
    watched.watchers.delete(watcher);
    if (watched.watchers.size === 0) this.#remove(watched);
  }

  #remove(watched: WatchedResult<T>): void {
    const { id, query, digest } = watched;
    if (!this.#byId.delete(id)) return;
    this.#byKey.delete(`${digest ?? ''} ${query.key}`);
    this.#unfiltered.delete(watched);
    this.#filters.remove(id);
    this.#leaveIfAlone();
  }

  *#process(group: ChangeGroup<C>, snapshot: S): Generator<void, void, undefined> {
    if (group.kind === 'reset') this.#wakeAll();
    else yield* this.#notify(group, snapshot);
    this.#processedUpTo = group.index;
  }

  *#notify(group: RowChanges<C>, snapshot: S): Generator<void, void, undefined> {
    const { list, rightsTables = [] } = this.#dependencies;
    const changed = (table: C['table']): boolean => group.indexes[table] !== undefined;
    if (rightsTables.some(changed)) yield* this.#checkRights();
    if (!list.tables.some(changed)) return;
    for (const watched of this.#unfiltered) this.#reevaluate(watched);
    for (const update of rowUpdates([group], list, snapshot).values()) yield* this.#update(update);
  }

  *#checkRights(): Generator<void, void, undefined> {
    for (const watched of this.#byId.values()) {
      for (const watcher of watched.watchers) {
        yield;
        if (watcher.hasSamePermissions()) continue;
        this.#withdraw(watched, watcher);
        this.#wake([watcher], null);
      }
    }
  }

  *#update(update: RowUpdate<T>): Generator<void, void, undefined> {
    const { before, after } = update;
    const was = yield* this.#found(before);
    const is = before === after ? was : yield* this.#found(after);
    for (const id of new Set([...was, ...is])) {
      const watched = this.#byId.get(id);
      if (watched === undefined) continue;
      const isFound = (row: T): boolean => (row === before && was.has(id)) || (row === after && is.has(id));
      if (isConcerned(watched.query, update, isFound)) this.#wakeResult(watched, this.#processedUpTo);
    }
    yield;
    let evaluated = 0;
    for (const watched of this.#unfiltered) {
      if (watched.digest === null && isConcerned(watched.query, update))
        this.#wakeResult(watched, this.#processedUpTo);
      if ((evaluated += 1) % batchSize === 0) yield;
    }
  }

  /** Yields while it collects the queries whose filters match a row, or throw for it. */
  *#found(row: T | null): Generator<void, ReadonlySet<string>, undefined> {
    const found = new Set<string>();
    if (row === null) return found;
    for (const { ids, errors } of this.#filters.matchInParts(row, batchSize)) {
      for (const id of ids) found.add(id);
      for (const { id } of errors) found.add(id);
      yield;
    }
    return found;
  }

  /** Evaluates a query that depends on the clock again. Changes that arrive meanwhile cause one more evaluation. */
  #reevaluate(watched: WatchedResult<T>): void {
    const { query, digest, pending } = watched;
    if (digest === null || query.digest === null) return;
    watched.pending = pending === 'no' ? 'once' : 'again';
    if (pending !== 'no') return;
    const finish = (found: string | null): void => {
      const isOld = watched.pending === 'again';
      watched.pending = 'no';
      if (found !== digest) this.#wakeResult(watched, null);
      else if (isOld) this.#reevaluate(watched);
    };
    // If the query now throws, its result has changed.
    query.digest().then(finish, () => finish(null));
  }

  #wakeAll(): void {
    for (const watched of [...this.#byId.values()]) this.#wakeResult(watched, null);
  }

  #wakeResult(watched: WatchedResult<T>, known: number | null): void {
    this.#remove(watched);
    this.#wake(watched.watchers, known);
  }

  #wake(watchers: Iterable<ResultWatcher>, known: number | null): void {
    for (const watcher of watchers) watcher.wake(known);
    this.#wakes.drain();
  }

  #leaveIfAlone(): void {
    if (this.#byId.size === 0) this.#queue.leave();
  }
}
