import { FilterError } from '../language/diagnostics/errors.js';
import { createPrinter, type ListForm } from '../runtime/json-list.js';
import { writeJson } from '../runtime/write-json.js';
import type { ListCore } from '../lists/query/list-core.js';
import type { List } from '../lists/query/list.js';
import type { ListExplanation } from '../lists/query/result/explain-scan.js';
import { encodeToken } from '../lists/query/request/page-token.js';
import { readViewer, type Query, type ReadQuestion } from '../lists/query/request/query.js';
import { QueryError } from '../lists/query/request/query-error.js';
import type { ResultChanges } from '../lists/query/watch/result-changes.js';
import { sortedToken } from '../lists/query/request/sort-query.js';
import { isSameValue } from '../lists/table/same-row.js';
import type { Viewer } from '../lists/table/row-answers.js';
import type { StoreSnapshot } from '../lists/table/store.js';
import { defaultAnswerCacheLimits } from './answer-cache.js';
import { createAnswerMaker, type AskedQuestion, type WatchedList } from './answer-maker.js';
import { digestOf, matchesTag, type RequestHead } from './answer.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { EndpointRules } from './endpoint-rules.js';
import { guarded, guardedAsync } from './failure.js';
import { streamList } from './make-page.js';
import { readRequest, type ListRequest } from './read-request.js';
import { createResultWait } from './result-wait.js';
import { rowShow } from './shown-rows.js';
import { wholeWorkOf } from './whole-work.js';

/** The response to an accepted request. */
export interface ListReply {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null for none. */
  readonly body: string | (() => AsyncIterable<Uint8Array>) | null;
}

/** The responses of one endpoint. */
export interface ListAnswers {
  /**
   * Returns the response to a request. Rejects with the reason why the request is rejected, and with any other error.
   *
   * @param known the entity tags of responses that the client has (`If-None-Match`); null for none.
   */
  reply(head: RequestHead, known: string | null, signal: AbortSignal): Promise<ListReply>;
  /** Whether the endpoint is closed. */
  isEnded(): boolean;
  close(): void;
}

export interface AnswersRequest<T extends object, C> {
  readonly core: ListCore<T>;
  readonly list: List<T>;
  readonly rules: EndpointRules;
  readonly options: EndpointOptions<T, C>;
}

/** A request with its caller. */
export interface Asked<T> extends AskedQuestion<T> {
  readonly request: ListRequest;
  readonly query: Query<T>;
  /** The cache key, equal for callers with equal responses; null if unknown. */
  readonly key: string | null;
  readonly form: ListForm<T>;
}

/** The state of a list that reports no changes. */
const anyState: StoreSnapshot = Object.freeze({ tables: {}, index: 1, indexes: {}, history: '' });

export function createAnswers<T extends object, C>({
  core,
  list,
  rules,
  options,
}: AnswersRequest<T, C>): ListAnswers {
  const { source, pool, leaving } = core;
  const { watched, sorts, schema } = source;
  const { slices, held } = pool;
  const { caller, callerKey, visible, show, identity } = options;
  const showsAll = visible === undefined && show === undefined && options.fields === undefined;
  const shown = rowShow<T>(schema.root);
  const isSameShown = (before: T, after: T): boolean =>
    show === undefined && isSameValue(shown(before), shown(after));
  // Permissions are known only within this process and lifetime.
  const hasRights = caller !== undefined || visible !== undefined;
  const life = hasRights ? String(Math.random()) : '';
  const shape = digestOf(JSON.stringify([...schema.root.properties.keys()]), life);
  const tables = [watched?.table ?? ''] as const;
  let rights = 0;
  let alone = 0;
  const stateNow = (): StoreSnapshot => watched?.versions.snapshot() ?? anyState;
  const indexOf = ({ indexes, index }: StoreSnapshot): number => indexes[tables[0]] ?? index;
  /** One index means different rows for callers with different permissions: the history includes their key, or a random value of this process. */
  const historyOf = ({ key }: Asked<T>, { history }: StoreSnapshot): string =>
    hasRights ? digestOf(`${history} ${key ?? rights}`, callerKey === undefined ? life : '') : history;
  const answers = createAnswerMaker<T, StoreSnapshot, Asked<T>>({
    ...{ slices, held, stream: streamList(slices), bound: core.bound, watched: watchedList() },
    limits: { ...defaultAnswerCacheLimits, maxCharacters: pool.limits.maxKeptCharacters },
    // Called in the turn of the event loop in which the state is current.
    viewAt: (_asked, question, _at, signal) => source.view(question, { pool, leaving, signal }),
    formAt: ({ form }) => form,
    keyAt: ({ key, request }, at) =>
      watched === null || key === null
        ? null
        : [`${at.history} ${rights} ${key} ${request.question}`, indexOf(at)],
  });
  const waits = createResultWait(core as object as ListCore<never>);
  // `waits` wakes callers whose permissions changed.
  const waiter = { tables, stale: false, hasSameRights: () => true, isAboutRights: () => false };
  const leaveRights = options.rightsChanged?.(() => {
    rights += 1;
    waits.wakeAll();
  });

  function watchedList(): WatchedList<T, StoreSnapshot> | null {
    if (watched === null) return null;
    const { changes } = watched.versions;
    // An index ahead of ours is from an earlier lifetime: respond at once.
    const open = async () => (await core.waits()).results;
    const state = { changes, snapshot: stateNow, indexOf, changedAfter: () => null };
    return { state, list: { tables, key: source.keyOf }, open, isSameShown };
  }

  async function callerOf(head: RequestHead, signal: AbortSignal): Promise<C> {
    if (caller === undefined) return null as C;
    return leaving(guardedAsync(caller)(head), signal);
  }

  function formOf(parameters: URLSearchParams): ListForm<T> {
    const entry = show === undefined ? shown : guarded((row: T) => show(row, parameters));
    return { pretty: false, write: (row) => writeJson(entry(row)) };
  }

  async function ask(request: ListRequest, who: C, signal: AbortSignal): Promise<Asked<T>> {
    const parameters = new URLSearchParams();
    for (const [name, values] of request.parameters)
      for (const value of values) parameters.append(name, value);
    const sees = visible === undefined ? null : guarded(visible)(who, parameters);
    const query: Query<T> = {
      ...request.query,
      ...(sees === null ? {} : { visible: guardedSight(sees, life) }),
    };
    const key =
      callerKey !== undefined ? guarded(callerKey)(who) : caller === undefined ? String(rights) : null;
    // Filters of simultaneous requests are compiled one by one, so that other requests are served in between.
    const { filter } = query;
    const isKnown = typeof filter !== 'string' || core.filters.has(filter);
    const question = isKnown
      ? readQuestion(request, query)
      : await wholeWorkOf(pool).run(() => readQuestion(request, query), signal);
    return { request, query, question, key, form: formOf(parameters) };
  }

  /** @throws QueryError if a filter made of parameters is invalid. */
  function readQuestion({ byValue: [name] }: ListRequest, query: Query<T>): ReadQuestion<T> {
    try {
      return core.read('listEndpoint', query);
    } catch (error) {
      if (!(error instanceof FilterError) || name === undefined) throw error;
      throw new QueryError('bad-parameter', name, `\`${name}\` is no value of its field: ${error.message}`);
    }
  }

  function headersOf(asked: Asked<T>, at: StoreSnapshot, tag: string | null): Record<string, string> {
    if (watched === null) return {};
    return {
      [rules.headerOf('X-Index')]: String(indexOf(at)),
      [rules.headerOf('X-History')]: historyOf(asked, at),
      ...(tag === null ? {} : { ETag: tag }),
    };
  }

  function tagOf({ question, key, request }: Asked<T>, at: StoreSnapshot): string | null {
    if (watched === null || key === null || request.isChanges || question.plan?.usesNow === true) return null;
    return `W/"${at.history}.${indexOf(at)}.${digestOf(`${rights} ${key}`, shape)}"`;
  }

  function withToken(headers: Record<string, string>, { sort }: ReadQuestion<T>, place: string | null) {
    const token = sortedToken(sort, place, sorts);
    return token === null ? headers : { ...headers, [rules.headerOf('X-Next-Token')]: encodeToken(token) };
  }

  /** A caller without a key shares no watch. */
  function watchKeyOf({ key, request }: Asked<T>): string {
    const who = key === null ? `#${(alone += 1)}` : `=${key}`;
    return `${rights} ${who} ${request.question}`;
  }

  /** What is requested instead of a page. */
  async function tell({ request, query }: Asked<T>, signal: AbortSignal): Promise<string> {
    if (request.asked === 'count') return writeJson({ total: await list.count(query, signal) });
    if (request.asked === 'facets') return writeJson(await list.facets(query, request.facets, signal));
    const { statement, ...found } = await list.explain(query, signal);
    const told = explanationOf(found);
    // An SQL statement contains columns and conditions that clients must not see.
    return writeJson(statement === undefined || !showsAll ? told : { ...told, statement });
  }

  async function replyNow(asked: Asked<T>, known: string | null, signal: AbortSignal): Promise<ListReply> {
    const at = stateNow();
    const tag = tagOf(asked, at);
    const headers = headersOf(asked, at, tag);
    if (tag !== null && matchesTag(known, tag)) return { status: 304, headers, body: null };
    if (asked.request.asked !== 'page') return { status: 200, headers, body: await tell(asked, signal) };
    const { body, nextToken } = await answers.answer(asked, at, signal);
    return { status: 200, headers: withToken(headers, asked.question, nextToken), body };
  }

  /** Returns changes as clients see them: of removed rows only their identity. */
  async function printChanges(
    { entered, left, changed }: ResultChanges<T>,
    { form }: Asked<T>,
  ): Promise<string> {
    const named = new Set(identity ?? identityOf());
    const name = (row: T): string =>
      named.size === 0
        ? form.write(row)
        : writeJson(
            Object.fromEntries(Object.entries(shown(row)).filter(([property]) => named.has(property))),
          );
    const parts: string[] = [];
    for (const [rows, write] of [
      [entered, form.write],
      [left, name],
      [changed, form.write],
    ] as const) {
      parts.push(await printWhole(rows, { pretty: false, write }));
    }
    const [first = '[]', second = '[]', third = '[]'] = parts;
    return `{"entered":${first},"left":${second},"changed":${third}}`;
  }

  function identityOf(): readonly string[] {
    const field = source.keyField === null ? undefined : schema.root.fields.get(source.keyField);
    return field === undefined ? [] : [field.property];
  }

  async function printWhole(rows: readonly T[], form: ListForm<T>): Promise<string> {
    const printer = createPrinter(rows, form);
    await slices.run((isOver) => printer.print(Infinity, isOver), null);
    return printer.take();
  }

  /** Waits for a different result, and responds with its changes if they are requested and known. */
  async function replyWatched(
    asked: Asked<T>,
    after: number,
    head: RequestHead,
    known: string | null,
    signal: AbortSignal,
  ): Promise<ListReply> {
    const deadline = Date.now() + asked.request.wait;
    let current = asked;
    for (;;) {
      const own = current;
      const before = rights;
      const watch = await answers.watch(
        own,
        { ...waiter, key: watchKeyOf(own), after: BigInt(after) },
        signal,
      );
      const woken =
        watch === null ? 'result' : await waits.next(watch.until, after, deadline - Date.now(), signal);
      current = await ask(own.request, await callerOf(head, signal), signal);
      const isSameCaller = own.key !== null && current.key === own.key;
      // The permissions of another caller changed: keep waiting.
      if (woken === 'rights' && isSameCaller && deadline > Date.now()) continue;
      const isTold = own.request.isChanges && isSameCaller && before === rights && watch !== null;
      const at = stateNow();
      const changes = isTold ? await answers.changes(current, watch, at, signal) : null;
      if (changes === null) return replyNow(current, known, signal);
      const body = await printChanges(changes, current);
      return {
        status: 200,
        headers: withToken(headersOf(current, at, null), current.question, changes.nextToken),
        body,
      };
    }
  }

  async function reply(head: RequestHead, known: string | null, signal: AbortSignal): Promise<ListReply> {
    requireOpen();
    const who = await callerOf(head, signal);
    const request = readRequest(head.url, rules);
    const asked = await ask(request, who, signal);
    const { index, history } = request;
    const isOther = history !== '' && history !== historyOf(asked, stateNow());
    if (index === null || index <= 0 || isOther || watched === null) return replyNow(asked, known, signal);
    // A filter that fails on the current rows must not wait for a change.
    if (asked.question.plan?.mayFail === true) await answers.answer(asked, stateNow(), signal);
    if (request.isWatched) return replyWatched(asked, index, head, known, signal);
    const { version } = await core.waits();
    await version.until(index, request.wait, signal);
    return replyNow(await ask(request, await callerOf(head, signal), signal), known, signal);
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

/** Returns an explanation as clients get it: without timings, which differ each time. */
function explanationOf({
  clauses,
  filter,
  index,
  residual,
  sort,
  examined,
  matched,
  empty,
}: ListExplanation): object {
  const asked = clauses.map(({ filter: text, by, rows, matched: left }) => ({
    filter: text,
    by,
    rows,
    matched: left,
  }));
  return { filter, index, residual, sort, examined, matched, clauses: asked, empty };
}

/** Returns the viewer of a caller; its errors are the program's. Its key is prefixed, so that endpoints do not share cached results. */
function guardedSight<T>(visible: ((row: T) => boolean) | Viewer<T>, life: string): Query<T>['visible'] {
  if (typeof visible === 'function') return guarded(visible);
  const { key, sees } = guarded(readViewer<T>)('listEndpoint', visible);
  return { key: `${life} ${key}`, sees: guarded(sees) };
}
