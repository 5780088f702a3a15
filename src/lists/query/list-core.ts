import type { FilterCache } from './request/filter-cache.js';
import type { RaceWithAbort } from './source/abortable.js';
import type { ListWaits } from './watch/list-waits.js';
import type { LivePool, Pool } from './source/pool.js';
import type { Query, ParsedQuery } from './request/query.js';
import type { ListView, RowSource, Work } from './source/row-source.js';

/** A page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Names the first row of the next page; null where this is the last. */
  readonly nextToken: string | null;
  /** The index of the last write that the page includes; 1 if the source reports no writes. */
  readonly index: number;
}

export interface ListOptions {
  /** What is shared with other lists; its own where it is left out. */
  readonly pool?: Pool | undefined;
  /** The clock for `now` in filters. */
  readonly now?: (() => Date) | undefined;
  /** What a filter does with a row that lacks a field that it uses, as for `compileFilter`. */
  readonly unresolved?: 'error' | 'absent' | undefined;
  /** Polling interval in milliseconds for sources that report no changes, while a client waits. Default: 1,000. */
  readonly pollIntervalMs?: number | undefined;
}

/** What a list is made of, for those who build on it. */
export interface ListCore<T> {
  readonly source: RowSource<T>;
  readonly pool: LivePool;
  /** As they were given. */
  readonly options: ListOptions;
  readonly unresolved: 'error' | 'absent';
  readonly filters: FilterCache<T>;
  readonly read: (caller: string, query: Query<T>) => ParsedQuery<T>;
  /** One instant for the whole response. */
  readonly bound: (query: ParsedQuery<T>) => ParsedQuery<T>;
  readonly pageOf: (
    query: ParsedQuery<T>,
    work: Work,
  ) => Promise<{ readonly page: ListPage<T>; readonly view: ListView<T> }>;
  /** Those who wait, whose code is loaded when the first comes. */
  readonly waits: () => Promise<ListWaits<T>>;
  readonly raceWithAbort: RaceWithAbort;
  readonly closed: AbortSignal;
  readonly pollIntervalMs: number;
}
