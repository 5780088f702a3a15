import { FilterError } from '../language/diagnostics/errors.js';
import type { ListForm } from '../runtime/json-list.js';
import type { Slices } from '../runtime/slices.js';
import { selectionTest } from '../lists/query/scan/access-path.js';
import type { HeldRows } from '../lists/query/source/held-rows.js';
import { loadLater } from '../lists/query/on-demand.js';
import type { ReadQuestion } from '../lists/query/request/query.js';
import type { ResultChanges } from '../lists/query/watch/result-changes.js';
import type { ResultWatch, ResultWatchRequest, WatchedState } from '../lists/query/watch/result-watch.js';
import type { ResultWatches } from '../lists/query/watch/result-watches.js';
import type { ListView } from '../lists/query/source/row-source.js';
import type { ListedRows } from '../lists/query/watch/row-touches.js';
import type { RowChange } from '../lists/table/change-feed.js';
import { createAnswerCache, type AnswerCacheLimits, type MadeList } from './answer-cache.js';
import { digestOf } from './answer.js';
import { findRows, makePage, type PageJob } from './make-page.js';

/** A query to a list. */
export interface AskedQuestion<T> {
  /** The parsed filter, not bound to an instant yet. */
  readonly question: ReadQuestion<T>;
}

/** A list whose changes are reported. `S` is the type of its snapshots. */
export interface WatchedList<T, S> {
  readonly state: WatchedState<RowChange, S>;
  readonly list: ListedRows<T, RowChange, S>;
  /** The watches of results, created for the first watcher; null if the list cannot be watched. */
  readonly open: () => Promise<ResultWatches<T> | null>;
  /** Whether two rows with one key are rendered the same. If omitted, no two rows are. */
  readonly isSameShown?: ((before: T, after: T) => boolean) | undefined;
}

/** The inputs of a list's responses. `S` is the type of its snapshots, `A` that of its requests. */
export interface AnswerParts<T, S, A extends AskedQuestion<T>> {
  readonly slices: Slices;
  readonly held: HeldRows;
  readonly stream: PageJob<T>['stream'];
  /** Limits of the response cache. */
  readonly limits: AnswerCacheLimits;
  /** Null if the list reports no changes. */
  readonly watched: WatchedList<T, S> | null;
  /** Returns the rows in a snapshot. */
  readonly viewAt: (
    asked: A,
    bound: ReadQuestion<T>,
    at: S,
    signal: AbortSignal,
  ) => ListView<T> | Promise<ListView<T>>;
  /** Returns how rows are rendered in a snapshot. */
  readonly formAt: (asked: A, at: S) => ListForm<T>;
  /** The cache key, equal for all clients with this response, and the index; null if the response must not be shared. */
  readonly keyAt: (asked: A, at: S) => readonly [text: string, index: number] | null;
  /** One instant for the whole response. */
  readonly bound: (question: ReadQuestion<T>) => ReadQuestion<T>;
  /** What is rendered instead of a page; null for a page. */
  readonly tell?: (
    asked: A,
    job: PageJob<T> & AskedQuestion<T>,
    at: S,
    signal: AbortSignal,
  ) => MadeList | Promise<MadeList> | null;
}

/** A client that has the response to a query at an index and waits for a different one. */
export interface AnswerWaiter extends Pick<
  ResultWatchRequest<unknown, RowChange, unknown>,
  'after' | 'stale' | 'tables' | 'hasSameRights' | 'isAboutRights'
> {
  /** The same for all clients with the same query and the same responses. */
  readonly key: string;
}

/** A watch of a response. */
export interface AnswerWatch {
  readonly until: ResultWatch;
  /** Whether the response also changes with time: then its changes cannot be reported. */
  readonly isClocked: boolean;
}

/** The responses of one list. */
export interface AnswerMaker<T, S, A> {
  /** Returns the response in a snapshot, at once if that takes no longer than a slice. Its token is a position, without the order. */
  answer(asked: A, at: S, signal: AbortSignal): MadeList | Promise<MadeList>;
  /** Starts a watch at the current state. Null if the list reports no changes. */
  watch(asked: A, waiter: AnswerWaiter, signal: AbortSignal): Promise<AnswerWatch | null>;
  /** Returns the changes of the result up to a snapshot; null if they are unknown, and the whole response has to be sent. */
  changes(asked: A, watch: AnswerWatch, at: S, signal: AbortSignal): Promise<ResultChanges<T> | null>;
}

export function createAnswerMaker<T, S extends { readonly index: number }, A extends AskedQuestion<T>>(
  parts: AnswerParts<T, S, A>,
): AnswerMaker<T, S, A> {
  const { slices, held, stream, watched, viewAt, formAt, keyAt, bound, tell } = parts;
  const kept = createAnswerCache<MadeList>(parts.limits);
  /** The state of watches, created for the first one. */
  let watching: Awaited<ReturnType<typeof loadLater>> | null = null;

  function answer(asked: A, at: S, signal: AbortSignal): MadeList | Promise<MadeList> {
    const question = bound(asked.question);
    const make = (all: AbortSignal): MadeList | Promise<MadeList> => {
      const made = (view: ListView<T>): MadeList | Promise<MadeList> => {
        const job = { view, question, slices, held: held.hold(), stream, form: formAt(asked, at) };
        return tell?.(asked, job, at, all) ?? makePage(job, all);
      };
      const view = viewAt(asked, question, at, all);
      return view instanceof Promise ? view.then(made) : made(view);
    };
    // A response that depends on the clock is neither shared nor cached.
    const key = asked.question.plan?.usesNow === true ? null : keyAt(asked, at);
    return key === null ? make(signal) : kept.answer(...key, signal, make);
  }

  return {
    answer,
    async watch(asked, { key, ...waiter }, signal) {
      if (watched === null) return null;
      const { state, list, open, isSameShown } = watched;
      watching ??= await loadLater();
      const { failureTest, filterTest, pageBounds, watchResult } = watching;
      const watches = await open();
      if (watches === null) return null;
      const snapshot = state.snapshot();
      const view = viewAt(asked, bound(asked.question), snapshot, signal);
      if (view instanceof Promise) return null;
      const { plan, visible, perPage, nextToken, filter } = asked.question;
      const isClocked = plan?.usesNow === true;
      const digestAt = async (at: S): Promise<string> => digestMade(await answer(asked, at, signal));
      const next = !isClocked && perPage > 0 ? (await answer(asked, snapshot, signal)).nextToken : null;
      const question = {
        ...{ key, filter, isSameShown, holds: filterTest(plan), fails: failureTest(plan) },
        isSelected: selectionTest(view.selection, visible),
        page: pageBounds(view.sorted.order, { nextToken, reverse: view.sorted.reverse }, next),
        digest: isClocked ? () => digestAt(state.snapshot()) : null,
      };
      const digest = isClocked ? await digestAt(snapshot) : null;
      const until = watchResult(state, list, watches, { ...waiter, question, digest, snapshot });
      return { until, isClocked };
    },
    async changes(asked, { until, isClocked }, at, signal) {
      const known = isClocked || watched === null ? null : until.known();
      if (known === null || watched === null || watching === null) return null;
      const { changesUpTo, findChanges, pageBounds, rowTouches } = watching;
      const { state, list, isSameShown } = watched;
      const question = bound(asked.question);
      const view = viewAt(asked, question, at, signal);
      const groups = changesUpTo(state, list.tables, known, at);
      if (groups === null || view instanceof Promise) return null;
      const { plan, visible, perPage, nextToken } = question;
      const { order, reverse } = view.sorted;
      const query = { nextToken, perPage, reverse };
      if (!pageBounds(order, query, null).isExact) return null;
      const isSelected = selectionTest(view.selection, visible);
      try {
        return await findChanges({
          ...{ list, order, query, isSameShown },
          find: (count) => findRows({ view, question, slices, held: held.hold() }, count, signal),
          matches: (row) => isSelected(row) && (plan === null || plan.filter.test(row)),
          touches: rowTouches(groups, list, at),
        });
      } catch (error) {
        // A filter that fails for a row has no changes to report: the page reports the error.
        if (error instanceof FilterError) return null;
        throw error;
      }
    },
  };
}

/** Returns a string that is the same for equal responses. */
async function digestMade({ body, nextToken }: MadeList): Promise<string> {
  let digest = digestOf(nextToken ?? '');
  if (typeof body === 'string') return digestOf(body, digest);
  const decoder = new TextDecoder();
  for await (const piece of body()) digest = digestOf(decoder.decode(piece, { stream: true }), digest);
  return digest;
}
