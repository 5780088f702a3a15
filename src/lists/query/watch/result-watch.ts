import type { ChangeFeed, RowChange, RowChanges } from '../../table/change-feed.js';
import { isConcerned, type WatchedQuery } from './watched-query.js';
import type { ResultWatches } from './result-watches.js';
import { rowUpdates, type JoinedRows } from './row-updates.js';

/** The condition that a client waits for. */
export interface WaitCondition<R> {
  /** Whether the condition is met, so that the result is sent. */
  readonly isMet: (found: R) => boolean;
  /** Calls `wake` once when the condition may be met. Returns a function that cancels the watch. */
  readonly watch: (wake: () => void) => () => void;
  /** Whether a stopping server rejects waiting requests, because a response would look like a change. */
  readonly isRefusedAtStop?: boolean;
}

/** The state that results depend on. */
export interface WatchedState<C extends RowChange, S> {
  readonly changes: ChangeFeed<C>;
  snapshot(): S;
  /** Returns the index of a list that uses these tables. */
  indexOf(snapshot: S, tables: readonly C['table'][]): number;
  /** The condition that one of the tables has changed after an index. */
  changedAfter(
    tables: readonly C['table'][],
    index: bigint,
  ): WaitCondition<{ readonly index: number }> | null;
}

/** A client waiting for its result to change. */
export interface ResultWatchRequest<T, C extends RowChange, S> {
  readonly query: WatchedQuery<T>;
  /** The digest of the result at `snapshot`; null if the query has none. */
  readonly digest: string | null;
  /** The snapshot in which the page of the query was determined. */
  readonly snapshot: S;
  /** The index of the response that the client has. */
  readonly after: bigint;
  /** Whether the state of this server may be older than that of other servers. */
  readonly stale: boolean;
  /** The tables from which the index of a response is computed: those of the list, and those of the caller's permissions. */
  readonly tables: readonly C['table'][];
  readonly hasSamePermissions: () => boolean;
  /** Whether a change may affect the caller's permissions. */
  readonly affectsPermissions: (change: C) => boolean;
}

/** The condition that a client's result has changed. */
export interface ResultWatch extends WaitCondition<{ readonly index: number }> {
  /** Returns the index of a state whose result equals the client's; null if unknown. */
  known(): number | null;
}

/** Maximum number of row changes evaluated for a client with an old index. If there are more, the response is sent at once. */
const maxJudged = 4_096;

/** Returns the changes of these tables after an index, up to a snapshot; null if they are unknown or too many. */
export function changesUpTo<C extends RowChange, S extends { readonly index: number }>(
  { changes, indexOf }: Pick<WatchedState<C, S>, 'changes' | 'indexOf'>,
  tables: readonly C['table'][],
  after: number | bigint,
  snapshot: S,
): readonly RowChanges<C>[] | null {
  // Tables without a later write have no changes to evaluate. Their earlier changes may be dropped already.
  if (indexOf(snapshot, tables) <= after) return [];
  const all = changes.since(after);
  if (all === 'gone') return null;
  const groups = all.filter(
    ({ index, indexes }) => index <= snapshot.index && tables.some((table) => (indexes[table] ?? 0) > after),
  );
  let count = 0;
  for (const group of groups) count += group.changes.length;
  return count > maxJudged ? null : groups;
}

/** Creates the wait condition for a client. */
export function watchResult<T, C extends RowChange, S extends { readonly index: number }>(
  state: WatchedState<C, S>,
  list: JoinedRows<T, C, S>,
  watches: ResultWatches<T>,
  request: ResultWatchRequest<T, C, S>,
): ResultWatch {
  const { query, digest, snapshot, after, stale, tables, hasSamePermissions } = request;
  // If the client's index is newer than on all servers, its result is from a state that was replaced since.
  if (after > snapshot.index && !stale)
    return { isMet: () => true, watch: () => () => undefined, known: () => null };
  // If the client's index is newer than on this server, its result is unknown here. Any later change may then be relevant.
  const later = after > snapshot.index ? state.changedAfter(tables, after) : null;
  if (later !== null) return { ...later, isRefusedAtStop: true, known: () => null };
  let known: number | null = Number(after);
  let isOther: boolean | null = null;

  /**
   * Returns whether the result has changed. Evaluates the changes before and after `snapshot` separately, because the page is
   * known only there.
   */
  function judge(): boolean {
    const now = state.snapshot();
    if (!hasSamePermissions()) {
      known = null;
      return true;
    }
    const steps = [
      [after, snapshot],
      [snapshot.index, now],
    ] as const;
    for (const [from, to] of steps) {
      const change = judgeChange(state, list, request, from, to);
      if (change === 'rights') known = null;
      if (change !== 'none') return true;
    }
    known = now.index;
    return false;
  }

  return {
    isRefusedAtStop: true,
    isMet: () => (isOther ??= judge()),
    watch(finish) {
      const wake = (index: number | null): void => {
        known = index;
        isOther = true;
        finish();
      };
      return watches.watch(query, { hasSamePermissions, wake }, digest);
    },
    // A client that was not woken has the result of the latest evaluated state.
    known: () => (known === null || isOther === true ? known : Math.max(known, watches.processedIndex())),
  };
}

/** Evaluates the changes between two states: row changes, permission changes and unknown changes. */
function judgeChange<T, C extends RowChange, S extends { readonly index: number }>(
  state: WatchedState<C, S>,
  list: JoinedRows<T, C, S>,
  { query, digest, tables, affectsPermissions }: ResultWatchRequest<T, C, S>,
  after: number | bigint,
  snapshot: S,
): 'none' | 'rows' | 'rights' {
  const groups = changesUpTo(state, tables, after, snapshot);
  if (groups === null) return 'rights';
  if (groups.some(({ changes }) => changes.some(affectsPermissions))) return 'rights';
  if (digest !== null && groups.length > 0) return 'rows';
  const updates = [...rowUpdates(groups, list, snapshot).values()];
  return updates.some((update) => isConcerned(query, update)) ? 'rows' : 'none';
}
