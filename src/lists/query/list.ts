import { checkOptions, describe } from '../../language/diagnostics/options.js';
import type { Schema } from '../../language/schema/schema.js';
import type { ListCore, ListOptions, ListPage } from './list-core.js';
import type { Table } from '../table/table.js';
import { askedRows, searchRows } from './result/asked-rows.js';
import { arraySource, type ArraySourceOptions, type RowsGiven } from './source/array-source.js';
import type { FacetCounts } from './scan/count-facets.js';
import type { ListExplanation } from './result/explain-scan.js';
import { createFilterCache, defaultFilterCacheLimits } from './request/filter-cache.js';
import type { ListWaits } from './watch/list-waits.js';
import { loadLater, watchList } from './on-demand.js';
import { createLeaving } from './source/leaving.js';
import { livePool } from './source/pool.js';
import { readQuestion, type Query, type ReadQuestion } from './request/query.js';
import type { ResultChange } from './watch-list.js';
import { rowsOfSource, type ListView, type RowSource, type Source, type Work } from './source/row-source.js';
import { sortedToken } from './request/sort-query.js';
import { sourceOfTable } from './source/table-source.js';

/** A list of rows with its caches. All methods reject with QueryError, or FilterError of `tamis`. */
export interface List<T> {
  page(query: Query<T>, signal?: AbortSignal): Promise<ListPage<T>>;
  /** How many rows match, whatever the page. */
  count(query: Query<T>, signal?: AbortSignal): Promise<number>;
  /** How often which values occur in these fields of the rows that match, whatever the page. */
  facets(query: Query<T>, fields: readonly string[], signal?: AbortSignal): Promise<FacetCounts>;
  /** How the rows are found; where none are, the clauses to blame and what is there instead. */
  explain(query: Query<T>, signal?: AbortSignal): Promise<ListExplanation>;
  /** The page when its index is greater than `after`, or what there is after `wait` milliseconds. */
  pageAfter(query: Query<T>, after: number, wait: number, signal?: AbortSignal): Promise<ListPage<T>>;
  /** The result, and again whenever it is another one: never for a write that leaves it as it was. Ends with the signal. */
  watch(query: Query<T>, signal?: AbortSignal): AsyncIterable<ResultChange<T>>;
  /** The number of cached filters, waiting queries and watched results. */
  readonly stats: { readonly filters: number; readonly waiting: number; readonly watched: number };
  /** Closes the list: watches end, waiting and future queries are rejected. */
  close(): void;
}

const optionNames = ['pool', 'now', 'unresolved', 'pollEvery'] as const;

/** A list of rows that a function gives, at once or as they arrive. */
export interface GivenRowsOptions<T, S extends Schema> extends ArraySourceOptions<T>, ListOptions {
  readonly schema: S;
}

const cores = new WeakMap<object, ListCore<never>>();

/** What a list is made of; null for what does not come from `createList`. */
export function coreOf<T>(list: object): ListCore<T> | null {
  return (cores.get(list) as object | undefined as ListCore<T> | undefined) ?? null;
}

/**
 * A list of the rows of a table, of an array, or of whatever iterable a function gives.
 *
 * ```ts
 * const list = createList(jobs);
 * const { items, nextToken } = await list.page({ filter: 'Status == running', sort: '-Priority,Name', perPage: 50 });
 * ```
 *
 * @throws TypeError for what has no rows, and for wrong options.
 */
export function createList<T extends object>(of: Table<T> | Source<T>, options?: ListOptions): List<T>;
export function createList<T extends object, S extends Schema>(
  of: () => RowsGiven<T>,
  options: GivenRowsOptions<T, S>,
): List<T>;
export function createList<T extends object>(
  of: Table<T> | Source<T> | (() => RowsGiven<T>),
  options: ListOptions | GivenRowsOptions<T, Schema> = {},
): List<T> {
  if (typeof of === 'function') {
    checkOptions('createList', options as GivenRowsOptions<T, Schema>, [
      ...optionNames,
      'schema',
      'key',
      'sorts',
      'maxSorted',
    ]);
    const { schema, key, sorts, maxSorted, ...rest } = options as GivenRowsOptions<T, Schema>;
    const given = { key, sorts, maxSorted } as object as ArraySourceOptions<unknown>;
    return openList(sourceOf<T>('createList', arraySource<Schema>(schema, of, given)), rest);
  }
  checkOptions<ListOptions>('createList', options, optionNames);
  return openList(sourceOf<T>('createList', of), options);
}

/** Returns the source of a table or an array. @throws TypeError for other values. */
export function sourceOf<T extends object>(caller: string, of: unknown): RowSource<T> {
  const source =
    typeof of === 'object' && of !== null ? (sourceOfTable<T>(of as Table<T>) ?? rowsOfSource<T>(of)) : null;
  if (source !== null) return source;
  throw new TypeError(
    `${caller}: rows come from createTable, arraySource or a source of tamis/sql, or a function that gives them, not ${describe(of)}`,
  );
}

/** A list of whatever source. */
export function openList<T extends object>(given: RowSource<T>, options: ListOptions): List<T> {
  const { unresolved = 'error', now, pollEvery = 1_000 } = options;
  if (typeof pollEvery !== 'number' || !(pollEvery > 0)) {
    throw new TypeError(`createList: pollEvery must be a number above 0, not ${describe(pollEvery)}`);
  }
  const pool = livePool('createList', options.pool);
  const source = given.bind?.({ unresolved }) ?? given;
  const { schema, sorts, filterIndexes } = source;
  const planned = { schema, indexes: filterIndexes, unresolved, ...(now === undefined ? {} : { now }) };
  const filters = createFilterCache<T>(planned, defaultFilterCacheLimits);
  const closing = new AbortController();
  let opened: ListWaits<T> | null = null;
  async function waits(): Promise<ListWaits<T>> {
    const { openWaits } = await loadLater();
    return (opened ??= openWaits<T>({ source, pool, closed: closing.signal, pollEvery, unresolved }));
  }
  const leaving = createLeaving(closing.signal);

  const read = (caller: string, query: Query<T>): ReadQuestion<T> =>
    readQuestion(caller, query, sorts, filters);

  function workOf(signal: AbortSignal | undefined): Work {
    const ended = closing.signal;
    if (ended.aborted) throw ended.reason as Error;
    if (signal?.aborted === true) throw signal.reason as Error;
    return { pool, leaving, signal: signal ?? null };
  }

  /** One instant for the whole response. */
  function bound(question: ReadQuestion<T>): ReadQuestion<T> {
    const instant = now?.() ?? new Date();
    return { ...question, plan: question.plan?.at(instant) ?? null, instant };
  }

  async function pageOf(
    question: ReadQuestion<T>,
    work: Work,
  ): Promise<{ page: ListPage<T>; view: ListView<T> }> {
    const asked = bound(question);
    const view = await source.view(asked, work);
    const { page } = await searchRows(askedRows(pool, asked, view), work.signal);
    const nextToken = sortedToken(asked.sort, page.nextToken, sorts);
    return { page: { items: page.items, nextToken, index: view.index }, view };
  }

  async function facetsOf(
    question: ReadQuestion<T>,
    fields: readonly string[],
    work: Work,
  ): Promise<FacetCounts> {
    const { countList } = await loadLater();
    return countList(core, question, fields, work);
  }

  const list: List<T> = {
    async page(query, signal) {
      const work = workOf(signal);
      return (await pageOf(read('list.page', query), work)).page;
    },
    async count(query, signal) {
      const work = workOf(signal);
      return (await facetsOf(read('list.count', query), [], work)).total;
    },
    async facets(query, fields, signal) {
      if (!Array.isArray(fields))
        throw new TypeError(`list.facets: fields must be an array of names, not ${describe(fields)}`);
      const work = workOf(signal);
      return facetsOf(read('list.facets', query), fields as readonly string[], work);
    },
    async explain(query, signal) {
      const work = workOf(signal);
      const question = read('list.explain', query);
      const { explainList } = await loadLater();
      return explainList(core, question, work);
    },
    async pageAfter(query, after, longest, signal) {
      if (typeof after !== 'number' || typeof longest !== 'number') {
        throw new TypeError('list.pageAfter: the index and the wait are numbers');
      }
      const work = workOf(signal);
      const question = read('list.pageAfter', query);
      const { version } = await waits();
      await version.until(after, longest, signal);
      return (await pageOf(question, work)).page;
    },
    watch(query, signal) {
      return watchList(core, read('list.watch', query), signal ?? null);
    },
    get stats() {
      return {
        filters: filters.size,
        waiting: opened?.version.waiting ?? 0,
        watched: opened?.results?.size ?? 0,
      };
    },
    close: () => closing.abort(new Error('The list is closed')),
  };
  const core: ListCore<T> = {
    ...{
      source,
      pool,
      options,
      filters,
      read,
      bound,
      pageOf,
      waits,
      leaving,
      closed: closing.signal,
      pollEvery,
    },
    unresolved,
  };
  cores.set(list, core as object as ListCore<never>);
  return Object.freeze(list);
}
