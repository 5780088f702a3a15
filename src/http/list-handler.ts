import { FilterError } from '../language/diagnostics/errors.js';
import type { ListForm } from '../runtime/json-list.js';
import type { TimeSlicer } from '../runtime/time-slicer.js';
import { selectionTest } from '../lists/query/scan/access-path.js';
import type { RowBudget } from '../lists/query/source/row-budget.js';
import { loadLater } from '../lists/query/lazy-features.js';
import { usesClock, type ParsedQuery } from '../lists/query/request/query.js';
import type { ResultChanges } from '../lists/query/watch/result-changes.js';
import type { ResultWatch, ResultWatchRequest, WatchedState } from '../lists/query/watch/result-watch.js';
import type { ResultWatches } from '../lists/query/watch/result-watches.js';
import type { ListView } from '../lists/query/source/row-source.js';
import type { JoinedRows } from '../lists/query/watch/row-updates.js';
import type { RowChange } from '../lists/table/change-feed.js';
import { createResponseCache, type ResponseCacheLimits, type RenderedPage } from './response-cache.js';
import { digestOf } from './response.js';
import { findRows, renderPage, type RenderRequest } from './render-page.js';

/** A query to a list. */
export interface ListRequest<T> {
  /** The parsed filter, not yet bound to an instant. */
  readonly query: ParsedQuery<T>;
  /** Whether two versions of a row are rendered the same. If omitted, they never are. */
  readonly isSameProjection?: ((before: T, after: T) => boolean) | undefined;
  /** Whether reported changes include positions. */
  readonly hasPositions?: boolean | undefined;
}

/** A list whose changes are reported. `S` is the type of its snapshots. */
export interface WatchedList<T, S> {
  readonly state: WatchedState<RowChange, S>;
  readonly list: JoinedRows<T, RowChange, S>;
  /** The watches of results, created for the first watcher; null if the list cannot be watched. */
  readonly open: () => Promise<ResultWatches<T> | null>;
}

/** The functions that a list's responses are made of. `S` is the type of its snapshots, `A` that of its requests. */
export interface ListHandlerOptions<T, S, A extends ListRequest<T>> {
  readonly slices: TimeSlicer;
  readonly rowBudget: RowBudget;
  readonly stream: RenderRequest<T>['stream'];
  /** Limits of the response cache. */
  readonly limits: ResponseCacheLimits;
  /** Watches of the list; null if the list reports no changes. */
  readonly watched: WatchedList<T, S> | null;
  /** Returns the rows in a snapshot. */
  readonly viewAt: (
    request: A,
    bound: ParsedQuery<T>,
    at: S,
    signal: AbortSignal,
  ) => ListView<T> | Promise<ListView<T>>;
  /** Returns how rows are rendered in a snapshot. */
  readonly formAt: (request: A, at: S) => ListForm<T>;
  /** The cache key, equal for all clients with this response, and the index; null if the response must not be shared. */
  readonly keyAt: (request: A, at: S) => readonly [text: string, index: number] | null;
  /** Binds `now` to one instant for the whole response. */
  readonly bound: (query: ParsedQuery<T>) => ParsedQuery<T>;
  /** Renders a count, facets or an explanation instead of a page; null for a page. */
  readonly renderAggregate?: (
    request: A,
    job: RenderRequest<T> & ListRequest<T>,
    at: S,
    signal: AbortSignal,
  ) => RenderedPage | Promise<RenderedPage> | null;
}

/** A client that has the response at an index, and waits for a different one. */
export interface LongPoll extends Pick<
  ResultWatchRequest<unknown, RowChange, unknown>,
  'after' | 'stale' | 'tables' | 'hasSamePermissions' | 'affectsPermissions'
> {
  /** Key shared by all clients with the same query and equal responses. */
  readonly key: string;
}

/** A watch of a response. */
export interface ResponseWatch {
  readonly until: ResultWatch;
  /** Whether the response also depends on the clock, so that its changes cannot be reported. */
  readonly isClocked: boolean;
}

/** The responses of one list. */
export interface ListHandler<T, S, A> {
  /**
   * Returns the response in a snapshot, synchronously if that takes at most one slice. Its token is a position without the sort.
   */
  render(request: A, at: S, signal: AbortSignal): RenderedPage | Promise<RenderedPage>;
  /** Starts a watch at the current state. Null if the list reports no changes. */
  watch(request: A, waiter: LongPoll, signal: AbortSignal): Promise<ResponseWatch | null>;
  /** Returns the changes of the result up to a snapshot; null if they are unknown and the whole response must be sent. */
  changes(request: A, watch: ResponseWatch, at: S, signal: AbortSignal): Promise<ResultChanges<T> | null>;
}

export function createListHandler<T, S extends { readonly index: number }, A extends ListRequest<T>>(
  parts: ListHandlerOptions<T, S, A>,
): ListHandler<T, S, A> {
  const { slices, rowBudget, stream, watched, viewAt, formAt, keyAt, bound, renderAggregate } = parts;
  const cached = createResponseCache<RenderedPage>(parts.limits);
  /** The state of watches, created for the first one. */
  let watching: Awaited<ReturnType<typeof loadLater>> | null = null;

  function render(request: A, at: S, signal: AbortSignal): RenderedPage | Promise<RenderedPage> {
    const query = bound(request.query);
    const make = (all: AbortSignal): RenderedPage | Promise<RenderedPage> => {
      const made = (view: ListView<T>): RenderedPage | Promise<RenderedPage> => {
        const job = {
          view,
          query,
          slices,
          reservation: rowBudget.reserve(),
          stream,
          form: formAt(request, at),
        };
        return renderAggregate?.(request, job, at, all) ?? renderPage(job, all);
      };
      const view = viewAt(request, query, at, all);
      return view instanceof Promise ? view.then(made) : made(view);
    };
    // A response that depends on the clock is not shared or cached.
    const key = usesClock(request.query) ? null : keyAt(request, at);
    return key === null ? make(signal) : cached.getOrRender(...key, signal, make);
  }

  return {
    render,
    async watch(request, { key, ...waiter }, signal) {
      if (watched === null) return null;
      const { state, list, open } = watched;
      const { isSameProjection } = request;
      watching ??= await loadLater();
      const { failureTest, filterTest, pageBounds, watchResult } = watching;
      const watches = await open();
      if (watches === null) return null;
      const snapshot = state.snapshot();
      const view = viewAt(request, bound(request.query), snapshot, signal);
      if (view instanceof Promise) return null;
      const { plan, visible, perPage, nextToken, filter } = request.query;
      const isClocked = usesClock(request.query);
      const digestAt = async (at: S): Promise<string> => digestMade(await render(request, at, signal));
      const next = !isClocked && perPage > 0 ? (await render(request, snapshot, signal)).nextToken : null;
      const query = {
        ...{ key, filter, isSameProjection, matches: filterTest(plan), fails: failureTest(plan) },
        isSelected: selectionTest(view.selection, visible),
        page: pageBounds(view.sorted.order, { nextToken, reverse: view.sorted.reverse }, next),
        digest: isClocked ? () => digestAt(state.snapshot()) : null,
      };
      const digest = isClocked ? await digestAt(snapshot) : null;
      const until = watchResult(state, list, watches, { ...waiter, query, digest, snapshot });
      return { until, isClocked };
    },
    async changes(request, { until, isClocked }, at, signal) {
      const known = isClocked || watched === null ? null : until.known();
      if (known === null || watched === null || watching === null) return null;
      const { changesUpTo, findChanges, pageBounds, rowUpdates } = watching;
      const { state, list } = watched;
      const { isSameProjection, hasPositions } = request;
      const parsedQuery = bound(request.query);
      const view = viewAt(request, parsedQuery, at, signal);
      const groups = changesUpTo(state, list.tables, known, at);
      if (groups === null || view instanceof Promise) return null;
      const { plan, visible, perPage, nextToken } = parsedQuery;
      const { order, reverse } = view.sorted;
      const query = { nextToken, perPage, reverse };
      if (!pageBounds(order, query, null).isExact) return null;
      const isSelected = selectionTest(view.selection, visible);
      try {
        return await findChanges({
          ...{ list, order, query, isSameProjection, hasPositions },
          find: (count) =>
            findRows({ view, query: parsedQuery, slices, reservation: rowBudget.reserve() }, count, signal),
          matches: (row) => isSelected(row) && (plan === null || plan.filter.test(row)),
          updates: rowUpdates(groups, list, at),
        });
      } catch (error) {
        // If a filter fails for a row, the page reports the error instead of changes.
        if (error instanceof FilterError) return null;
        throw error;
      }
    },
  };
}

/** Returns a string that is the same for equal responses. */
export async function digestMade({ body, nextToken }: RenderedPage): Promise<string> {
  let digest = digestOf(nextToken ?? '');
  if (typeof body === 'string') return digestOf(body, digest);
  const decoder = new TextDecoder();
  for await (const piece of body()) digest = digestOf(decoder.decode(piece, { stream: true }), digest);
  return digest;
}
