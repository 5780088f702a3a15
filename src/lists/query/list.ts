import { sharedWeakMap } from '../../runtime/shared-identity.js';
import { checkMinimum, checkOptions, checkSchema, describe } from '../../language/diagnostics/options.js';
import type { Schema } from '../../language/schema/schema.js';
import type { Page } from '../list/index.js';
import type { ListCore, ListOptions, ListPage } from './list-core.js';
import type { Table } from '../table/table.js';
import type { RowKey } from '../table/key.js';
import { rowScanOf, scanPage } from './result/row-scan.js';
import { arraySource, type ArraySourceOptions, type RowsProvider } from './source/array-source.js';
import type { FacetCounts } from './scan/count-facets.js';
import type { ListExplanation } from './result/explain-scan.js';
import { createFilterCache, defaultFilterCacheLimits } from './request/filter-cache.js';
import type { ListWaits } from './watch/list-waits.js';
import { loadLater, watchList } from './lazy-features.js';
import { createRaceWithAbort } from './source/abortable.js';
import { livePool } from './source/pool.js';
import { QueryError } from './request/query-error.js';
import { bindQuery, parseQuery, readFacetNames, type Query, type ParsedQuery } from './request/query.js';
import type { ResultChange } from './watch-list.js';
import { rowsOfSource, type ListView, type RowSource, type Source, type Work } from './source/row-source.js';
import { tokenOfPage } from './request/sort-query.js';
import { turnPage } from './result/turned-page.js';
import { sourceOfTable } from './source/table-source.js';

/** A list of rows with its caches. All methods reject with QueryError, or FilterError of `tamis`. */
export interface List<T> {
  page(query: Query<T>, signal?: AbortSignal): Promise<ListPage<T>>;
  /** Returns the number of matching rows on all pages. */
  count(query: Query<T>, signal?: AbortSignal): Promise<number>;
  /** Returns how often each value occurs in these fields of the matching rows, on all pages. */
  facets(query: Query<T>, fields: readonly string[], signal?: AbortSignal): Promise<FacetCounts>;
  /** Explains how the rows are found. If nothing matches: the responsible clauses and the actual values. */
  explain(query: Query<T>, signal?: AbortSignal): Promise<ListExplanation>;
  /** Returns the page once its index is greater than `after`, or the current page after `wait` milliseconds. */
  pageAfter(query: Query<T>, after: number, wait: number, signal?: AbortSignal): Promise<ListPage<T>>;
  /**
   * Yields the result, and again after each change of it. Writes that do not change the result are skipped. Ends with the signal.
   */
  watch(query: Query<T>, signal?: AbortSignal): AsyncIterable<ResultChange<T>>;
  /** The number of cached filters, waiting queries and watched results. */
  readonly stats: { readonly filters: number; readonly waiting: number; readonly watched: number };
  /** Closes the list: watches end, waiting and future queries are rejected. */
  close(): void;
}

const optionNames = ['pool', 'now', 'unresolved', 'maxCounted', 'pollIntervalMs'] as const;

/** Options for a list of rows that a function provides, at once or asynchronously. */
export interface ProvidedRowsOptions<T, S extends Schema> extends ArraySourceOptions<T>, ListOptions {
  readonly schema: S;
}

const cores = sharedWeakMap<object, ListCore<never>>('lists');

/** Returns the internals of a list; null for objects not created by `createList`. */
export function coreOf<T extends object>(list: object): ListCore<T> | null {
  return (cores.get(list) as object | undefined as ListCore<T> | undefined) ?? null;
}

/**
 * Creates a list over the rows of a table, an array, an SQL table or an iterable that a function returns.
 *
 * ```ts
 * const list = createList(jobs);
 * const { items, nextToken } = await list.page({ filter: 'Status == running', sort: '-Priority,Name', perPage: 50 });
 * ```
 *
 * @throws TypeError for what has no rows, and for wrong options.
 */
export function createList<T extends object>(
  of: Table<T, RowKey> | Source<T>,
  options?: ListOptions,
): List<T>;
export function createList<T extends object, S extends Schema>(
  of: () => RowsProvider<T>,
  options: ProvidedRowsOptions<T, S>,
): List<T>;
export function createList<T extends object>(
  of: Table<T, RowKey> | Source<T> | (() => RowsProvider<T>),
  options: ListOptions | ProvidedRowsOptions<T, Schema> = {},
): List<T> {
  if (typeof of === 'function') {
    checkOptions('createList', options as ProvidedRowsOptions<T, Schema>, [
      ...optionNames,
      'schema',
      'key',
      'sorts',
      'maxSorted',
      'changes',
    ]);
    const { schema, key, sorts, maxSorted, changes, ...rest } = options as ProvidedRowsOptions<T, Schema>;
    checkSchema('createList', schema);
    const given = { key, sorts, maxSorted, changes } as object as ArraySourceOptions<unknown>;
    return openList(sourceOf<T>('createList', arraySource<Schema>(schema, of, given)), rest);
  }
  checkOptions<ListOptions>('createList', options, optionNames);
  return openList(sourceOf<T>('createList', of), options);
}

/** Returns the source for a table, an array or a source object. @throws TypeError for other values. */
export function sourceOf<T extends object>(caller: string, of: unknown): RowSource<T> {
  const source =
    typeof of === 'object' && of !== null
      ? (sourceOfTable<T>(of as Table<T, RowKey>) ?? rowsOfSource<T>(of))
      : null;
  if (source !== null) return source;
  throw new TypeError(
    `${caller}: expected a table, arraySource(), sqlListSource() or a function that returns rows; got ${whatIs(of)}`,
  );
}

/** Describes a value that is not a source, for an error message. A common mistake is the result of sqlMapping(). */
function whatIs(of: unknown): string {
  const isMapping = typeof of === 'object' && of !== null && 'where' in of && 'select' in of;
  return isMapping ? 'a sqlMapping. Wrap it: sqlListSource(mapping, run, { key })' : describe(of);
}

/** Creates a list from any source. */
export function openList<T extends object>(given: RowSource<T>, options: ListOptions): List<T> {
  const { unresolved = 'error', now, pollIntervalMs = 1_000 } = options;
  if (typeof pollIntervalMs !== 'number' || !(pollIntervalMs > 0)) {
    throw new TypeError(
      `createList: pollIntervalMs must be a number above 0, got ${describe(pollIntervalMs)}`,
    );
  }
  if (options.maxCounted !== undefined) checkMinimum('createList', 'maxCounted', options.maxCounted, 1);
  const pool = livePool('createList', options.pool);
  const source = given.bind?.({ unresolved }) ?? given;
  const { schema, sorts, filterIndexes } = source;
  const planned = { schema, indexes: filterIndexes, unresolved, ...(now === undefined ? {} : { now }) };
  const { schema: accessSchema, filterIndexes: accessIndexes } = source.whole ?? source;
  const filters = createFilterCache<T>(planned, defaultFilterCacheLimits, accessIndexes);
  const closing = new AbortController();
  let opened: ListWaits<T> | null = null;
  async function waits(): Promise<ListWaits<T>> {
    const { openWaits } = await loadLater();
    return (opened ??= openWaits<T>(core));
  }
  const raceWithAbort = createRaceWithAbort(closing.signal);

  const keyType = source.keyField === null ? undefined : source.schema.root.fields.get(source.keyField)?.type;
  const read = (caller: string, query: Query<T>): ParsedQuery<T> => {
    const all = parseQuery(caller, query, sorts, filters, accessSchema);
    const isEnforced = all.access !== undefined && source.enforcesAccess === true;
    const parsed = isEnforced ? { ...all, visible: null, accessPlan: null } : all;
    if (parsed.prefix !== '' && keyType !== undefined && keyType.kind !== 'string')
      throw new QueryError(
        'invalid-parameter',
        'prefix',
        '`prefix` is for string keys; the keys are integers',
      );
    return parsed;
  };

  function workOf(signal: AbortSignal | undefined): Work {
    if (signal !== undefined && !('aborted' in Object(signal)))
      throw new TypeError(`list: signal must be an AbortSignal, got ${describe(signal)}`);
    const ended = closing.signal;
    if (ended.aborted) throw ended.reason as Error;
    if (signal?.aborted === true) throw signal.reason as Error;
    return { pool, raceWithAbort, signal: signal ?? null };
  }

  /** Binds `now` to one instant for the whole response. */
  function bound(query: ParsedQuery<T>): ParsedQuery<T> {
    return bindQuery(query, now?.() ?? new Date(), filters);
  }

  async function pageOf(
    query: ParsedQuery<T>,
    work: Work,
  ): Promise<{ page: ListPage<T>; view: ListView<T> }> {
    const boundQuery = bound(query);
    const isCounted = query.isCounted === true || query.facets !== undefined;
    const counting = isCounted ? (await loadLater()).countPage(core, query, work) : { total: null };
    const find = async (): Promise<{ found: Page<T>; view: ListView<T> }> => {
      const view = await source.view(boundQuery, work);
      return { found: (await scanPage(rowScanOf(pool, boundQuery, view), work.signal)).page, view };
    };
    const [{ found, view }, { total, ...counts }] = await Promise.all([find(), counting]);
    const { items, ...tokens } = turnPage(boundQuery, found, view.sorted.order);
    const named = (token: string | null): string | null => tokenOfPage(boundQuery, token, sorts);
    const [nextToken, prevToken] = [named(tokens.nextToken), named(tokens.prevToken)];
    const known = items.length + (nextToken === null ? 0 : 1);
    const page = {
      ...{ items, nextToken, prevToken },
      total:
        typeof total === 'object' && total !== null ? { atLeast: Math.max(total.atLeast, known) } : total,
      index: view.index,
      ...counts,
    };
    return { page, view };
  }

  async function facetsOf(
    query: ParsedQuery<T>,
    fields: readonly string[],
    work: Work,
  ): Promise<FacetCounts> {
    const { countList } = await loadLater();
    return countList(core, query, fields, work);
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
      const names = readFacetNames('list.facets', fields);
      const work = workOf(signal);
      return facetsOf(read('list.facets', query), names, work);
    },
    async explain(query, signal) {
      const work = workOf(signal);
      const parsedQuery = read('list.explain', query);
      const { explainList } = await loadLater();
      return explainList(core, parsedQuery, work);
    },
    async pageAfter(query, after, maxWaitMs, signal) {
      if (typeof after !== 'number' || typeof maxWaitMs !== 'number') {
        throw new TypeError('list.pageAfter: index and waitMs must be numbers');
      }
      const work = workOf(signal);
      const parsedQuery = read('list.pageAfter', query);
      const { version } = await waits();
      await version.until(after, maxWaitMs, signal);
      return (await pageOf(parsedQuery, work)).page;
    },
    watch(query, signal) {
      if (!closing.signal.aborted && signal?.aborted !== true) workOf(signal);
      const parsedQuery = read('list.watch', query);
      if (parsedQuery.isBackward)
        throw new QueryError(
          'invalid-watch',
          'prev_token',
          'A page before a token cannot be watched: use `next_token`',
        );
      // The plan is made again when it is needed: it would take up more memory than a watched page.
      return watchList(core, { ...parsedQuery, plan: null }, signal ?? null);
    },
    get stats() {
      return {
        filters: filters.size,
        waiting: opened?.version.waiting ?? 0,
        watched: (opened?.results?.size ?? 0) + (opened?.pages?.size ?? 0),
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
      raceWithAbort,
      closed: closing.signal,
      pollIntervalMs,
    },
    unresolved,
  };
  cores.set(list, core as object as ListCore<never>);
  return Object.freeze(list);
}
