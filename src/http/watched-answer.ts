import { FilterError } from '../diagnostics/errors.js';
import type { RowChange } from '../table/change-feed.js';
import type { ReadQuestion } from '../query/query.js';
import { findChanges, type ResultChanges } from '../query/result-changes.js';
import {
  failureTest,
  filterTest,
  pageBounds,
  selectionTest,
  type ResultQuestion,
} from '../query/result-question.js';
import { changesUpTo, watchResult, type ResultWatch, type WatchedState } from '../query/result-watch.js';
import type { ResultWatches } from '../query/result-watches.js';
import type { ListView } from '../query/row-source.js';
import { rowTouches, type ListedRows } from '../query/row-touches.js';
import type { MadeList } from './answer-cache.js';

/** A list whose results are watched. `C` are changes of its state, `S` its snapshots. */
export interface WatchableList<T, C extends RowChange, S> {
  readonly state: WatchedState<C, S>;
  readonly list: ListedRows<T, C, S>;
  readonly watches: ResultWatches<T>;
  readonly isSameShown?: ((before: T, after: T) => boolean) | undefined;
}

/** A client who has the result of a question as it was at an index, and waits for another one. */
export interface WatchedAnswer<T, C extends RowChange, S> {
  /** The same for all who ask the same and get the same answers. */
  readonly key: string;
  readonly question: ReadQuestion<T>;
  /** The state at which the page is known, and its rows. */
  readonly snapshot: S;
  readonly view: ListView<T>;
  readonly after: bigint;
  /** Whether others may know more than this server. */
  readonly stale: boolean;
  /** The tables by whose index answers are numbered. */
  readonly tables: readonly C['table'][];
  readonly hasSameRights: () => boolean;
  readonly isAboutRights: (change: C) => boolean;
  /** Makes the answer at a snapshot, or has it; its token is a place, without the order. */
  readonly answerAt: (
    snapshot: S,
  ) => Pick<MadeList<unknown>, 'nextToken'> | Promise<Pick<MadeList<unknown>, 'nextToken'>>;
  /** A text that is the same for equal answers. */
  readonly digestAt: (snapshot: S) => Promise<string>;
}

/** Begins to watch. `isClocked` where the answer becomes another one by time, too: then nobody can tell what has come to it. */
export async function watchAnswer<T, C extends RowChange, S extends { readonly index: number }>(
  { state, list, watches, isSameShown }: WatchableList<T, C, S>,
  asked: WatchedAnswer<T, C, S>,
): Promise<{ readonly until: ResultWatch; readonly isClocked: boolean }> {
  const { key, question, view, snapshot, answerAt, digestAt } = asked;
  const { plan, visible, perPage, nextToken, filter } = question;
  const isClocked = plan?.usesNow === true;
  const next = !isClocked && perPage > 0 ? (await answerAt(snapshot)).nextToken : null;
  const result: ResultQuestion<T> = {
    key,
    filter,
    holds: filterTest(plan),
    fails: failureTest(plan),
    isSelected: selectionTest(view.selection, visible),
    page: pageBounds(view.sorted.order, { nextToken, reverse: view.sorted.reverse }, next),
    isSameShown,
    digest: isClocked ? () => digestAt(state.snapshot()) : null,
  };
  const digest = isClocked ? await digestAt(snapshot) : null;
  const { after, stale, tables, hasSameRights, isAboutRights } = asked;
  const until = watchResult(state, list, watches, {
    ...{ question: result, digest, snapshot, after, stale, tables, hasSameRights, isAboutRights },
  });
  return { until, isClocked };
}

/** A result at a later state. */
export interface ChangedAnswer<T, S> {
  readonly question: ReadQuestion<T>;
  readonly view: ListView<T>;
  readonly snapshot: S;
  /** Finds this many rows from the beginning of the page on. */
  readonly find: (count: number) => Promise<readonly T[]>;
}

/** What has come to a result since the state at `known`; null where that cannot be told, and the page is to be sent. */
export async function tellChanges<T, C extends RowChange, S extends { readonly index: number }>(
  { state, list, isSameShown }: Omit<WatchableList<T, C, S>, 'watches'>,
  known: number | null,
  { question, view, snapshot, find }: ChangedAnswer<T, S>,
): Promise<ResultChanges<T> | null> {
  const { plan, visible, perPage, nextToken } = question;
  const { order, reverse } = view.sorted;
  const query = { nextToken, perPage, reverse };
  const groups = known === null ? null : changesUpTo(state, list.tables, known, snapshot);
  if (groups === null || !pageBounds(order, query, null).isExact) return null;
  const isSelected = selectionTest(view.selection, visible);
  try {
    return await findChanges({
      ...{ list, order, query, find, isSameShown },
      matches: (row) => isSelected(row) && (plan === null || plan.filter.test(row)),
      touches: rowTouches(groups, list, snapshot),
    });
  } catch (error) {
    // A filter that fails for a row has no changes to tell: the page says what is wrong.
    if (error instanceof FilterError) return null;
    throw error;
  }
}
