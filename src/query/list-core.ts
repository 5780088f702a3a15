import type { LivePool } from './pool.js';
import type { Query, ReadQuestion } from './query.js';
import type { ResultWatches } from './result-watches.js';
import type { ListView, RowSource, Work } from './row-source.js';
import type { VersionWait } from './version-wait.js';

/** A page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Names the first row of the next page; null where this is the last. */
  readonly nextToken: string | null;
  /** Of the last write that the page knows of; 1 where rows tell of none. */
  readonly index: number;
}

/** What a list is made of, for those who build on it. */
export interface ListCore<T> {
  readonly source: RowSource<T>;
  readonly pool: LivePool;
  readonly read: (caller: string, query: Query<T>) => ReadQuestion<T>;
  readonly pageOf: (
    question: ReadQuestion<T>,
    work: Work,
  ) => Promise<{ readonly page: ListPage<T>; readonly view: ListView<T> }>;
  readonly watches: ResultWatches<T> | null;
  readonly wait: VersionWait;
  readonly closed: AbortSignal;
  readonly pollEvery: number;
}
