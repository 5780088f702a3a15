import { isSameValue } from '../table/same-row.js';
import type { RowChanges } from '../table/change-feed.js';
import { selectionTest } from './scan/access-path.js';
import type { ListCore, ListPage } from './list-core.js';
import { usesClock, type ParsedQuery } from './request/query.js';
import type { ListView, Work } from './source/row-source.js';
import {
  failureTest,
  filterTest,
  isConcerned,
  pageBounds,
  type WatchedQuery,
} from './watch/watched-query.js';
import { rowUpdates } from './watch/row-updates.js';
import { nameOfSort } from './request/sort-query.js';

/** A complete result, sent first and after unknown changes; otherwise the difference from the previous result. */
export type ResultChange<T> =
  { readonly kind: 'page'; readonly index: number; readonly page: ListPage<T> } | ResultDifference<T>;

/** The difference between two results. Rows are in list order. */
export interface ResultDifference<T> {
  readonly kind: 'changes';
  readonly index: number;
  readonly entered: readonly T[];
  readonly left: readonly T[];
  /** Rows in both results whose contents changed, in their new state. */
  readonly changed: readonly T[];
  /** Token of the next page; null if none exists. */
  readonly nextToken: string | null;
}

/** The result last reported to a watcher. */
interface CurrentResult<T> {
  readonly page: ListPage<T>;
  readonly view: ListView<T>;
}

/** Yields the result of a query, then each change of it, until the caller stops iterating. */
export async function* watchList<T extends object>(
  core: ListCore<T>,
  query: ParsedQuery<T>,
  signal: AbortSignal | null,
): AsyncGenerator<ResultChange<T>, void, undefined> {
  const work: Work = { pool: core.pool, raceWithAbort: core.raceWithAbort, signal };
  const isEnded = (): boolean => signal?.aborted === true || core.closed.aborted;
  if (isEnded()) return;
  try {
    let current = await core.pageOf(query, work);
    yield { kind: 'page', index: current.page.index, page: current.page };
    for (;;) {
      if (isEnded()) return;
      await nextChange(core, query, current, work);
      const now = await core.pageOf(query, work);
      const changes = difference(current, now, core.source.keyOf);
      current = now;
      if (changes !== null) yield changes;
    }
  } catch (error) {
    // An error caused by ending the watch is not reported.
    if (isEnded()) return;
    throw error;
  }
}

/** Resolves when the result may have changed. */
async function nextChange<T extends object>(
  { source, waits, pollIntervalMs }: ListCore<T>,
  query: ParsedQuery<T>,
  { page, view }: CurrentResult<T>,
  { signal }: Work,
): Promise<void> {
  const { watched } = source;
  const { version, results } = await waits();
  const usesNow = usesClock(query);
  // Filters that use the clock can change their result without a write.
  const maxWaitMs = usesNow || watched === null ? pollIntervalMs : Infinity;
  if (watched === null || results === null) {
    const { signal: reports } = source;
    const isKnown = reports !== undefined && reports.index === page.index && reports.failure === undefined;
    // If the source reported a change after the page was read, this resolves immediately.
    if (isKnown) await version.wake((wake) => reports.onNext(wake), maxWaitMs, signal);
    else if (reports === undefined) await version.wake(() => () => undefined, maxWaitMs, signal);
    if (reports?.failure !== undefined) throw reports.failure;
    return;
  }
  const { versions, table } = watched;
  const watchedQuery = watchedQueryOf(query, view, page);
  await version.wake(
    (wake) => {
      // If the page is outdated, the query is evaluated again at once.
      if (isOther(watchedQuery)) {
        wake();
        return () => undefined;
      }
      return results.watch(watchedQuery, { hasSamePermissions: () => true, wake }, null);
    },
    maxWaitMs,
    signal,
  );

  function isOther(result: WatchedQuery<T>): boolean {
    const snapshot = versions.snapshot();
    if (snapshot.history !== view.history) return true;
    if ((snapshot.indexes[table] ?? 0) <= page.index) return false;
    const groups = versions.changes.since(page.index);
    if (groups === 'gone') return true;
    const updates = rowUpdates(
      groups as readonly RowChanges[],
      { tables: [table], key: source.keyOf },
      snapshot,
    );
    return [...updates.values()].some((update) => isConcerned(result, update));
  }
}

function watchedQueryOf<T extends object>(
  query: ParsedQuery<T>,
  { selection, sorted }: ListView<T>,
  page: ListPage<T>,
): WatchedQuery<T> {
  const { plan, filter, sort, visible, viewer, perPage, nextToken } = query;
  // The watch expects the list's own token, without the prefix that names the sort.
  const next = page.nextToken === null ? null : placeOfToken(page.nextToken, query);
  const bounds = { nextToken, reverse: sorted.reverse };
  return {
    // Callers with different visible rows watch different results.
    key: JSON.stringify([
      query.access?.key ?? viewer?.key ?? (visible === null ? null : keyOfFunction(visible)),
      filter,
      sort === null ? null : nameOfSort(sort),
      query.reverse,
      query.prefix,
      perPage,
      nextToken,
      page.nextToken,
    ]),
    filter: plan?.usesNow === true ? '' : filter,
    matches: filterTest(plan?.at() ?? null),
    fails: failureTest(plan),
    isSelected: selectionTest({ ...selection, keyPrefix: query.prefix }, visible),
    page: pageBounds(sorted.order, bounds, next),
    digest: null,
  };
}

function placeOfToken(token: string, { sort }: ParsedQuery<never>): string {
  if (sort !== null) return token.slice(nameOfSort(sort).length + 1);
  return token.startsWith(':') ? token.slice(1) : token;
}

const functionKeys = new WeakMap<object, number>();
let functions = 0;

/** Returns a number that identifies a function. Functions are compared by identity. */
function keyOfFunction(visible: object): number {
  const known = functionKeys.get(visible) ?? (functions += 1);
  functionKeys.set(visible, known);
  return known;
}

/** Returns the difference between two pages; null if they are equal. */
function difference<T extends object>(
  before: CurrentResult<T>,
  { page, view }: CurrentResult<T>,
  keyOf: (row: T) => string,
): ResultChange<T> | null {
  if (view.history !== before.view.history) {
    return isSameValue(page.items, before.page.items) && page.nextToken === before.page.nextToken
      ? null
      : { kind: 'page', index: page.index, page };
  }
  const old = new Map(before.page.items.map((row) => [keyOf(row), row]));
  const now = new Set(page.items.map(keyOf));
  const entered = page.items.filter((row) => !old.has(keyOf(row)));
  const left = before.page.items.filter((row) => !now.has(keyOf(row)));
  const changed = page.items.filter((row) => {
    const was = old.get(keyOf(row));
    return was !== undefined && was !== row && !isSameValue(was, row);
  });
  const isSame =
    entered.length + left.length + changed.length === 0 && page.nextToken === before.page.nextToken;
  if (isSame) return null;
  return { kind: 'changes', index: page.index, entered, left, changed, nextToken: page.nextToken };
}
