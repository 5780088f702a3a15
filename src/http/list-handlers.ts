import { writeJson } from '../runtime/write-json.js';
import type { ListCore, PageTotal } from '../lists/query/list-core.js';
import type { List } from '../lists/query/list.js';
import type { ListExplanation } from '../lists/query/result/explain-scan.js';
import { encodeToken } from '../lists/query/request/page-token.js';
import { usesClock, type ParsedQuery } from '../lists/query/request/query.js';
import { QueryError } from '../lists/query/request/query-error.js';
import { loadLater } from '../lists/query/lazy-features.js';
import { tokenOfPage } from '../lists/query/request/sort-query.js';
import type { StoreSnapshot } from '../lists/table/store.js';
import type { HeaderName } from './parameters.js';
import { defaultResponseCacheLimits, type RenderedPage } from './response-cache.js';
import { createListHandler, digestMade, type WatchedList } from './list-handler.js';
import { createRequestReader, type CallerRequest } from './caller-request.js';
import { createChangePrinter } from './print-changes.js';
import { digestOf, matchesTag, type RequestHead } from './response.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { EndpointRules } from './endpoint-rules.js';
import { streamList } from './render-page.js';
import { createResultWait } from './result-wait.js';

/** The response to an accepted request. */
export interface ListReply {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; null if none exists. */
  readonly body: string | (() => AsyncIterable<Uint8Array>) | null;
}

/** The responses of one endpoint. */
export interface ListHandlers {
  /**
   * Returns the response to a request. Rejects with the reason of a rejected request, or with any other error.
   *
   * @param known the entity tags of responses that the client has (`If-None-Match`); null for none.
   */
  reply(head: RequestHead, known: string | null, signal: AbortSignal): Promise<ListReply>;
  /** Whether the endpoint is closed. */
  isEnded(): boolean;
  close(): void;
}

export interface ListHandlersOptions<T extends object, C> {
  readonly core: ListCore<T>;
  readonly list: List<T>;
  readonly rules: EndpointRules;
  readonly options: EndpointOptions<T, C>;
}

/** Placeholder for the state of a list that reports no changes. */
const anyState: StoreSnapshot = Object.freeze({ tables: {}, index: 1, indexes: {}, history: '' });

export function createListHandlers<T extends object, C>({
  core,
  list,
  rules,
  options,
}: ListHandlersOptions<T, C>): ListHandlers {
  const { source, pool, raceWithAbort } = core;
  const { watched, signal: reports, sorts, schema } = source;
  const { slices, rowBudget } = pool;
  const { caller, cacheKey, access, visible, serialize, quiet = false } = options;
  const hidesRows = access !== undefined || visible !== undefined;
  const isUnrestricted = !hidesRows && serialize === undefined && options.fields === undefined;
  // Permissions are only known while this process runs.
  const hasRights = caller !== undefined || hidesRows;
  const life = hasRights ? String(Math.random()) : '';
  const shape = digestOf(JSON.stringify([...schema.root.properties.keys()]), life);
  /** The indexes of reported changes are only valid while this process runs. */
  const reportHistory = reports === undefined ? '' : digestOf(String(Math.random()));
  const tables = [watched?.table ?? ''] as const;
  const requestOf = createRequestReader(core, rules, options, { life, version: () => rights });
  const printChanges = createChangePrinter(core, options.identity);
  const bodyDigests = new WeakMap<RenderedPage, string>();
  let rights = 0;
  let alone = 0;
  const stateNow = (): StoreSnapshot =>
    watched?.versions.snapshot() ??
    (reports === undefined ? anyState : { ...anyState, index: reports.index, history: reportHistory });
  const indexOf = ({ indexes, index }: StoreSnapshot): number => indexes[tables[0]] ?? index;
  /**
   * For callers with different permissions one index means different rows. So the history includes the caller's key, or a random
   * value of this process.
   */
  const historyOf = ({ key }: CallerRequest<T>, { history }: StoreSnapshot): string =>
    hasRights ? digestOf(`${history} ${key ?? rights}`, cacheKey === undefined ? life : '') : history;
  const handler = createListHandler<T, StoreSnapshot, CallerRequest<T>>({
    ...{ slices, rowBudget, stream: streamList(slices), bound: core.bound, watched: watchedList() },
    limits: { ...defaultResponseCacheLimits, maxCharacters: pool.limits.maxCachedCharacters },
    // Called in the turn of the event loop in which the state is current.
    viewAt: (_request, query, _at, signal) => source.view(query, { pool, raceWithAbort, signal }),
    formAt: ({ form }) => form,
    keyAt: ({ key, request }, at) =>
      watched === null || key === null
        ? null
        : [`${at.history} ${rights} ${key} ${request.canonicalQuery}`, indexOf(at)],
  });
  const waits = createResultWait(core as object as ListCore<never>);
  // `waits` wakes callers whose permissions changed.
  const waiter = { tables, stale: false, hasSamePermissions: () => true, affectsPermissions: () => false };
  const leaveRights = options.onPermissionsChange?.(() => {
    rights += 1;
    waits.wakeAll();
  });

  function watchedList(): WatchedList<T, StoreSnapshot> | null {
    if (watched === null) return null;
    const { changes } = watched.versions;
    // An index greater than the current one is from an earlier process, so the response is sent at once.
    const open = async () => (await core.waits()).results;
    const state = { changes, snapshot: stateNow, indexOf, changedAfter: () => null };
    return { state, list: { tables, key: source.keyOf }, open };
  }

  function headersOf(
    request: CallerRequest<T>,
    at: StoreSnapshot,
    tag: string | null,
  ): Record<string, string> {
    return {
      ...(rules.hasIndex
        ? {
            [rules.headerOf('X-Index')]: String(indexOf(at)),
            [rules.headerOf('X-History')]: historyOf(request, at),
          }
        : {}),
      ...(tag === null ? {} : { ETag: tag }),
    };
  }

  function tagOf({ query, key, request }: CallerRequest<T>, at: StoreSnapshot): string | null {
    if (watched === null || hidesRows || key === null || request.isChanges || usesClock(query)) return null;
    return `W/"${at.history}.${indexOf(at)}.${digestOf(`${rights} ${key}`, shape)}"`;
  }

  /**
   * Returns the entity tag of a body for a caller that does not see all rows: unlike the index, it does not change when other rows
   * do. Null for long bodies, which are not in memory.
   */
  function tagOfBody({ key }: CallerRequest<T>, page: RenderedPage): string | null {
    if (!hidesRows || key === null || typeof page.body !== 'string') return null;
    const known = bodyDigests.get(page) ?? digestOf(page.body, page.nextToken ?? '');
    bodyDigests.set(page, known);
    return `W/"${digestOf(`${rights} ${key} ${known}`, shape)}"`;
  }

  function withTokens(
    headers: Readonly<Record<string, string>>,
    query: ParsedQuery<T>,
    { nextToken, prevToken = null }: Pick<RenderedPage, 'nextToken' | 'prevToken'>,
  ): Record<string, string> {
    const tokens = { 'X-Next-Token': nextToken, 'X-Previous-Token': prevToken } as const;
    const named = Object.entries(tokens).flatMap(([name, position]) => {
      const token = tokenOfPage(query, position, sorts);
      return token === null ? [] : [[rules.headerOf(name as HeaderName), encodeToken(token)]];
    });
    return { ...headers, ...Object.fromEntries(named) };
  }

  /** Returns the key of a watch. A caller without a cache key shares no watch. */
  function watchKeyOf({ key, request }: CallerRequest<T>): string {
    const who = key === null ? `#${(alone += 1)}` : `=${key}`;
    return `${rights} ${who} ${request.canonicalQuery}`;
  }

  /** Returns the body if a count, facets or an explanation is requested instead of a page. */
  async function aggregateBody(
    { request, listQuery: query }: CallerRequest<T>,
    signal: AbortSignal,
  ): Promise<string> {
    if (request.kind === 'count') return writeJson({ total: await list.count(query, signal) });
    if (request.kind === 'facets') return writeJson(await list.facets(query, request.facets, signal));
    const { statement, ...found } = await list.explain(query, signal);
    const explanation = explanationOf(found);
    // An SQL statement contains columns and conditions that clients must not see.
    return writeJson(
      statement === undefined || !isUnrestricted ? explanation : { ...explanation, statement },
    );
  }

  async function replyNow(
    request: CallerRequest<T>,
    known: string | null,
    signal: AbortSignal,
  ): Promise<ListReply> {
    const counting = request.request.query.total ? await loadLater() : null;
    const at = stateNow();
    const tag = tagOf(request, at);
    const headers = headersOf(request, at, tag);
    if (tag !== null && matchesTag(known, tag)) return { status: 304, headers, body: null };
    if (request.request.kind !== 'page') {
      const body = await aggregateBody(request, signal);
      return taggedReply(headers, tagOfBody(request, { body, nextToken: null }), known, body);
    }
    // Counted in the same turn of the event loop, so that the page and its total describe the same moment.
    const total =
      counting === null ? null : counting.countTotal(core, request.query, { pool, raceWithAbort, signal });
    const [page, counted] = await Promise.all([handler.render(request, at, signal), total]);
    const all = {
      ...withTokens(headers, request.query, page),
      ...(counted === null ? {} : { [rules.headerOf('X-Total-Count')]: totalText(counted, page) }),
    };
    return taggedReply(all, tagOfBody(request, page), known, page.body);
  }

  /** Adds the entity tag of a body, unless it is null. A client that has the body gets 304. */
  function taggedReply(
    headers: Record<string, string>,
    tag: string | null,
    known: string | null,
    body: ListReply['body'],
  ): ListReply {
    if (tag === null) return { status: 200, headers, body };
    const isKnown = matchesTag(known, tag);
    return { status: isKnown ? 304 : 200, headers: { ...headers, ETag: tag }, body: isKnown ? null : body };
  }

  /** Waits for a different result, and responds with its changes if they are requested and known. */
  async function replyWatched(
    request: CallerRequest<T>,
    after: number,
    head: RequestHead,
    known: string | null,
    signal: AbortSignal,
  ): Promise<ListReply> {
    const deadline = Date.now() + request.request.wait;
    let current = request;
    for (;;) {
      const own = current;
      const before = rights;
      const watch = await handler.watch(
        own,
        { ...waiter, key: watchKeyOf(own), after: BigInt(after) },
        signal,
      );
      const woken =
        watch === null ? 'result' : await waits.next(watch.until, after, deadline - Date.now(), signal);
      current = await requestOf(head, signal, own.request);
      const isSameCaller = own.key !== null && current.key === own.key;
      // If only the permissions of another caller changed, the wait continues.
      if (woken === 'rights' && isSameCaller && deadline > Date.now()) continue;
      const sendsChanges = own.request.isChanges && isSameCaller && before === rights && watch !== null;
      const at = stateNow();
      const changes = sendsChanges ? await handler.changes(current, watch, at, signal) : null;
      if (changes === null) return replyNow(current, known, signal);
      const body = await printChanges(changes, current.form);
      // Without indexes, the client waits with the tag of the page that results from the changes.
      const tag = quiet ? tagOfBody(current, await handler.render(current, at, signal)) : null;
      return { status: 200, headers: withTokens(headersOf(current, at, tag), current.query, changes), body };
    }
  }

  /** Waits for a report after which the page is different. The changes themselves are unknown. */
  async function replyReported(
    request: CallerRequest<T>,
    after: number,
    head: RequestHead,
    signal: AbortSignal,
  ): Promise<ListReply> {
    const deadline = Date.now() + request.request.wait;
    const { version } = await core.waits();
    const digestNow = async (of: CallerRequest<T>): Promise<string> =>
      digestMade(await handler.render(of, stateNow(), signal));
    let current = request;
    // A client with an older index may have a different page, so no digest is known.
    const digest = stateNow().index === after ? await digestNow(current) : '';
    // What was reported while the page was read may be on it, and is news to the client.
    if (stateNow().index !== after) return replyNow(current, null, signal);
    let seen = after;
    while (digest !== '' && deadline > Date.now()) {
      await version.until(seen, deadline - Date.now(), signal);
      seen = stateNow().index;
      current = await requestOf(head, signal, request.request);
      if ((await digestNow(current)) !== digest) break;
    }
    return replyNow(current, null, signal);
  }

  async function reply(head: RequestHead, known: string | null, signal: AbortSignal): Promise<ListReply> {
    requireOpen();
    const listRequest = await requestOf(head, signal);
    if (quiet) return replyQuietly(listRequest, head, known, signal);
    const { request } = listRequest;
    const { index, history } = request;
    const isOther = history !== '' && history !== historyOf(listRequest, stateNow());
    if (index === null || index <= 0 || isOther || !rules.isWatchable)
      return replyNow(listRequest, known, signal);
    // If the filter throws for a current row, the request fails now instead of waiting for a change.
    if (listRequest.query.plan?.mayFail === true) await handler.render(listRequest, stateNow(), signal);
    if (request.isWatched && watched === null) return replyReported(listRequest, index, head, signal);
    if (request.isWatched) return replyWatched(listRequest, index, head, known, signal);
    const { version } = await core.waits();
    await version.until(index, request.wait, signal);
    return replyNow(await requestOf(head, signal, request), known, signal);
  }

  /** Responds without indexes: a client waits by sending the entity tag of the result that it has. */
  async function replyQuietly(
    request: CallerRequest<T>,
    head: RequestHead,
    known: string | null,
    signal: AbortSignal,
  ): Promise<ListReply> {
    const { isWatched, index } = request.request;
    if (index !== null)
      throw new QueryError(
        'invalid-parameter',
        rules.nameOf('index'),
        `this list reports no index: wait with \`${rules.nameOf('watch')}=result\` and the ETag of your result in If-None-Match`,
      );
    const at = indexOf(stateNow());
    const now = await replyNow(request, known, signal);
    if (!isWatched || now.status === 200 || indexOf(stateNow()) !== at) return now;
    return watched === null
      ? replyReported(request, at, head, signal)
      : replyWatched(request, at, head, known, signal);
  }

  function requireOpen(): void {
    if (core.closed.aborted) throw core.closed.reason as Error;
  }

  return {
    reply,
    isEnded: () => core.closed.aborted || slices.stopped.aborted,
    close() {
      leaveRights?.();
      list.close();
    },
  };
}

/** Returns a total as in its header. A lower bound is not below the rows of the page and the first row of the next one. */
function totalText(
  total: PageTotal,
  { size = 0, nextToken }: Pick<RenderedPage, 'size' | 'nextToken'>,
): string {
  if (typeof total === 'number') return String(total);
  return `${Math.max(total.atLeast, size + (nextToken === null ? 0 : 1))}+`;
}

/** Returns an explanation as it is sent to clients: without timings, which are different each time. */
function explanationOf(explanation: ListExplanation): object {
  const { clauses, filter, index, residual, sort, examined, matched, empty } = explanation;
  const reported = clauses.map(({ filter: text, by, rows, matched: left }) => ({
    filter: text,
    by,
    rows,
    matched: left,
  }));
  return { filter, index, residual, sort, examined, matched, clauses: reported, empty };
}
