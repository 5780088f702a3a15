import { isSameValue } from '../table/same-row.js';
import type { ListCore, ListPage, PageTotal } from './list-core.js';
import type { ParsedQuery } from './request/query.js';
import type { Work } from './source/row-source.js';
import type { LivePages } from './watch/live-pages.js';
import type { LiveResult } from './watch/live-page.js';
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
  /** The positions of the rows, for `applyChanges`. */
  readonly positions: ChangePositions;
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
    const { version, pages } = await core.waits();
    yield* reportChanges(
      pages === null ? pollResults(core, version, query, work) : followPage(core, pages, version, query, work),
      core.source.keyOf,
      isEnded,
    );
  } catch (error) {
    // An error caused by ending the watch is not reported.
    if (isEnded()) return;
    throw error;
  }
}

/** A result, and whether its difference from the previous one is unknown. */
interface NextResult<T> extends LiveResult<T> {
  readonly isReset: boolean;
}

async function* reportChanges<T extends object>(
  results: AsyncIterable<NextResult<T>>,
  keyOf: (row: T) => string,
  isEnded: () => boolean,
): AsyncGenerator<ResultChange<T>, void, undefined> {
  let known: LiveResult<T> | null = null;
  for await (const result of results) {
    if (isEnded()) return;
    const { page, history, isReset } = result;
    const change: ResultChange<T> | null =
      known === null
        ? { kind: 'page', index: page.index, page }
        : difference(known.page, page, keyOf, isReset || history !== known.history);
    known = result;
    if (change !== null) yield change;
  }
}

/** Yields the result of a live page, and again when it has changed. */
async function* followPage<T extends object>(
  core: ListCore<T>,
  pages: LivePages<T>,
  version: VersionWait,
  query: ParsedQuery<T>,
  work: Work,
): AsyncGenerator<NextResult<T>, void, undefined> {
  const usesNow = query.filter !== '' && core.filters.plan(query.filter).usesNow;
  // Filters that use the clock can change their result without a write.
  const maxWaitMs = usesNow ? core.pollIntervalMs : Infinity;
  let page = await pages.open(query, work);
  try {
    let isReset = false;
    for (;;) {
      const result = page.current;
      yield { ...result, isReset };
      const isWoken =
        page.isClosed ||
        page.current !== result ||
        (await version.wake(
          (wake) => {
            page.waiting.add(wake);
            return () => page.waiting.delete(wake);
          },
          maxWaitMs,
          work.signal,
        ));
      if (!isWoken) pages.close(page);
      isReset = page.isReset;
      if (!page.isClosed) continue;
      pages.release(page);
      page = await pages.open(query, work);
    }
  } finally {
    pages.release(page);
  }
}

/** Yields the result of a source that does not report the changes of its rows, and again when it may have changed. */
async function* pollResults<T extends object>(
  core: ListCore<T>,
  version: VersionWait,
  query: ParsedQuery<T>,
  work: Work,
): AsyncGenerator<NextResult<T>, void, undefined> {
  const { signal: reports } = core.source;
  for (;;) {
    const plan = query.filter === '' ? null : core.filters.plan(query.filter);
    const { page, view } = await core.pageOf({ ...query, plan }, work);
    yield { page, history: view.history, isReset: false };
    const maxWaitMs = core.pollIntervalMs;
    const isKnown = reports !== undefined && reports.index === page.index && reports.failure === undefined;
    // If the source reported a change after the page was read, the page is read again at once.
    if (isKnown) await version.wake((wake) => reports.onNext(wake), maxWaitMs, work.signal);
    else if (reports === undefined) await version.wake(() => () => undefined, maxWaitMs, work.signal);
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
  const { index, nextToken, total } = page;
  const isSameRest = nextToken === before.nextToken && total === before.total;
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
  return { kind: 'changes', index, since: before.index, ...rows, nextToken, total, positions };
}
