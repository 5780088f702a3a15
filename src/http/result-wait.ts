import type { ListCore } from '../query/list-core.js';
import type { ReadQuestion } from '../query/query.js';
import type { ResultChanges } from '../query/result-changes.js';
import type { ResultWatch, WatchedState } from '../query/result-watch.js';
import type { ListView, WatchedRows } from '../query/row-source.js';
import type { RowChange } from '../table/change-feed.js';
import type { StoreSnapshot } from '../table/store.js';
import type { MadeList } from './answer-cache.js';
import { tellChanges, watchAnswer, type WatchableList } from './watched-answer.js';

/** Somebody who has the result of a question as it was at an index, and waits for another one. */
export interface ResultWaiter<T> {
  readonly key: string;
  readonly question: ReadQuestion<T>;
  readonly after: bigint;
  /** Milliseconds. */
  readonly longest: number;
  readonly signal: AbortSignal;
  readonly answerAt: () => MadeList<unknown> | Promise<MadeList<unknown>>;
  readonly digestAt: () => Promise<string>;
}

/** Why a wait is over. */
export interface EndedWait {
  readonly woken: 'result' | 'rights' | 'time';
  readonly until: ResultWatch | null;
}

/** Those who wait for other results of one list. */
export interface ResultWait<T> {
  /** Resolves when the result is another one, or may be for other rights, or the time is up. */
  next(waiter: ResultWaiter<T>): Promise<EndedWait>;
  /** What has come to a result, up to a view of now; null where nobody knows. */
  changes(
    ended: EndedWait,
    question: ReadQuestion<T>,
    view: ListView<T>,
    find: (count: number) => Promise<readonly T[]>,
  ): Promise<ResultChanges<T> | null>;
  /** Rights may be others. */
  wakeAll(): void;
}

export function createResultWait<T extends object>(
  { source, pool, watches: open, wait, leaving }: ListCore<T>,
  { versions, table }: WatchedRows,
  isSameShown: (before: T, after: T) => boolean,
): ResultWait<T> {
  const tables = [table] as const;
  const state: WatchedState<RowChange, StoreSnapshot> = {
    changes: versions.changes,
    snapshot: () => versions.snapshot(),
    indexOf: ({ indexes, index }) => indexes[table] ?? index,
    // Who is ahead has the index of another life, and is answered at once.
    changedAfter: () => null,
  };
  if (open === null) throw new TypeError('A list that tells of changes is watched');
  const told: Omit<WatchableList<T, RowChange, StoreSnapshot>, 'watches'> = {
    ...{ state, isSameShown },
    list: { tables, key: source.keyOf },
  };
  const rights = new Set<() => void>();

  return {
    async next({ key, question, after, longest, signal, answerAt, digestAt }) {
      const bound = { ...question, plan: question.plan?.at() ?? null };
      const watches = await open();
      const snapshot = versions.snapshot();
      const view = source.view(bound, { pool, leaving, signal });
      if (view instanceof Promise) return { woken: 'result', until: null };
      const { until, isClocked } = await watchAnswer(
        { ...told, watches },
        {
          ...{ key, question, view, snapshot, after, tables, answerAt, digestAt },
          stale: false,
          // Whose rights are others is woken below.
          hasSameRights: () => true,
          isAboutRights: () => false,
        },
      );
      const known = isClocked ? null : until;
      if (until.isMet({ index: Number(after) })) return { woken: 'result', until: known };
      let woken: EndedWait['woken'] = 'time';
      await wait.wake(
        (wake) => {
          const wakeAs = (why: EndedWait['woken']) => (): void => {
            woken = why;
            wake();
          };
          const byRights = wakeAs('rights');
          rights.add(byRights);
          const withdraw = until.watch(wakeAs('result'));
          return () => {
            rights.delete(byRights);
            withdraw();
          };
        },
        longest,
        signal,
      );
      return { woken, until: known };
    },
    changes: ({ until }, question, view, find) =>
      until === null
        ? Promise.resolve(null)
        : tellChanges(told, until.known(), { question, view, snapshot: versions.snapshot(), find }),
    wakeAll() {
      for (const wake of [...rights]) wake();
    },
  };
}
