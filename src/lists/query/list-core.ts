import type { FilterCache } from './request/filter-cache.js';
import type { RaceWithAbort } from './source/abortable.js';
import type { ListWaits } from './watch/list-waits.js';
import type { LivePool, Pool } from './source/pool.js';
import type { Query, ParsedQuery } from './request/query.js';
import type { ListView, RowSource, Work } from './source/row-source.js';
import type { ListPage } from './result/list-page.js';

export type { ListPage, PageTotal } from './result/list-page.js';

export interface ListOptions {
  /** Pool shared with other lists. Default: a separate pool. */
  readonly pool?: Pool | undefined;
  /** The clock for `now` in filters. */
  readonly now?: (() => Date) | undefined;
  /** Result of a filter for a row that lacks a field it uses, as for `compileFilter`. */
  readonly unresolved?: 'error' | 'absent' | undefined;
  /** Maximum rows evaluated for the total of a page. Default: 100,000. Beyond it, the total is a lower bound. */
  readonly maxCounted?: number | undefined;
  /** Polling interval in milliseconds for sources that report no changes, while a client waits. Default: 1,000. */
  readonly pollIntervalMs?: number | undefined;
}

/** The internals of a list, for modules that extend it. */
export interface ListCore<T extends object> {
  readonly source: RowSource<T>;
  readonly pool: LivePool;
  /** The options passed by the caller. */
  readonly options: ListOptions;
  readonly unresolved: 'error' | 'absent';
  readonly filters: FilterCache<T>;
  readonly read: (caller: string, query: Query<T>) => ParsedQuery<T>;
  /** Binds `now` in filters to one instant for the whole response. */
  readonly bound: (query: ParsedQuery<T>) => ParsedQuery<T>;
  /** Returns the page with the requested counts. They describe the same moment. */
  readonly pageOf: (
    query: ParsedQuery<T>,
    work: Work,
  ) => Promise<{ readonly page: ListPage<T>; readonly view: ListView<T> }>;
  /** The waiting queries. Their code is loaded with the first one. */
  readonly waits: () => Promise<ListWaits<T>>;
  readonly raceWithAbort: RaceWithAbort;
  readonly closed: AbortSignal;
  readonly pollIntervalMs: number;
}
