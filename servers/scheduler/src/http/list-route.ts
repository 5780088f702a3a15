import { gzipText, inlineGzipLimit, jsonList, wantsGzip, writeJson } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { list, type Filter, type Order, type Page, type Schema } from 'tamis';
import type { Access } from '../acl/access.js';
import { SchedulerError } from '../errors.js';
import { compareKeys, textKey, type Key } from '../state/key.js';
import { prefixRange, scanRows, type Ordered, type Range } from '../state/ordered.js';
import { indexOf, type Snapshot } from '../state/snapshot.js';
import type { TableName } from '../state/tables.js';
import { accessOf } from './access.js';
import { prettyIndent, setReadHeaders } from './answer.js';
import { createAnswerCache, type ListAnswer } from './answer-cache.js';
import type { HttpContext } from './context.js';
import { createFilterCache } from './filters.js';
import { parseReadQuery, type ReadQuery } from './query.js';
import { hangUpSignal, queryOf, requireRegion } from './request.js';

/** Whether a row counts. */
export type RowTest<T> = (row: T) => boolean;

/** One list, declared. What a list does is the same for all of them and written once, below. */
export interface ListResource<T extends object> {
  readonly path: string;
  /** The tables whose changes can change the list. Its index is the greatest of theirs. */
  readonly tables: readonly TableName[];
  /** The full object, which filters see. */
  readonly schema: Schema;
  /** Parameters that select rows themselves and so exclude a filter. */
  readonly filteringParameters: readonly string[];
  readonly canReverse: boolean;
  /**
   * Which rows the caller may see, decided before anything else sees them; null for all.
   *
   * @throws SchedulerError `permission-denied` when it is none.
   */
  readonly authorise: (access: Access, query: ReadQuery) => RowTest<T> | null;
  /** Which rows, in which order. */
  readonly select: (snapshot: Snapshot, query: ReadQuery) => Selection<T>;
  /** What an entry shows. `query` is looked at before anything blocks, so a bad switch is refused at once. */
  readonly stub: (query: ReadQuery) => (row: T, snapshot: Snapshot) => unknown;
}

/** A stretch of an ordered table, and which of its rows count. */
export interface Selection<T> {
  readonly rows: Ordered<T>;
  /** Only rows whose key begins with this text. */
  readonly keyPrefix: string;
  /** Only rows that pass, decided before any filter sees them; null for all. */
  readonly where: RowTest<T> | null;
}

/** A list request that has been understood and refused nothing. */
interface Plan<T> {
  readonly query: ReadQuery;
  readonly filter: Filter<T> | null;
  readonly stub: (row: T, snapshot: Snapshot) => unknown;
}

/** Adds the route of a list: plan, block, page, headers. */
export function addListRoute<T extends object>(
  app: FastifyInstance,
  context: HttpContext,
  resource: ListResource<T>,
): void {
  const { unresolved } = context;
  const filters = createFilterCache<T>({ schema: resource.schema, unresolved }, context.filters);
  const answers = createAnswerCache(context.answers);

  function plan(request: FastifyRequest): Plan<T> {
    const query = parseReadQuery(queryOf(request, context.limits));
    requireRegion(query.region, context.region);
    const stub = resource.stub(query);
    // Who may not read the list learns nothing about filters either.
    resource.authorise(accessOf(request, context), query);
    refuseMixedFilters(query, resource.filteringParameters);
    return { query, stub, filter: query.filter === '' ? null : filters.compile(query.filter) };
  }

  app.get(resource.path, async (request: FastifyRequest, reply: FastifyReply) => {
    const { query, filter, stub } = plan(request);
    const question = questionOf(query);
    const run = (snapshot: Snapshot): ListAnswer => {
      // Rights may have been taken away while the request waited.
      const access = accessOf(request, context, snapshot);
      const visible = resource.authorise(access, query);
      return answers.answer(`${access.key} ${question}`, indexOf(snapshot, resource.tables), () => {
        const { items, nextToken } = readPage(resource, snapshot, query, visible, filter);
        const indent = query.pretty ? prettyIndent : 0;
        const write = (row: T): string => writeJson(stub(row, snapshot), indent, 1);
        return { body: jsonList(items, write, query.pretty), nextToken };
      });
    };
    // A filter that fails on the rows there are now must not wait for others.
    if (query.index !== null && filter !== null) run(context.state.snapshot());
    const signal = hangUpSignal(reply);
    if (!query.stale) await context.leader.require(signal);
    const { index, result } = await context.blocking.query({
      tables: resource.tables,
      index: (snapshot) => indexOf(snapshot, resource.tables),
      run,
      after: query.index,
      wait: query.wait,
      signal,
    });
    setReadHeaders(reply, { index, ...context.leader.contact() }, result.nextToken);
    reply.type('application/json');
    const { body } = result;
    if (!wantsGzip(request) || typeof body !== 'string' || body.length > inlineGzipLimit)
      return reply.send(body);
    return reply.header('content-encoding', 'gzip').send(packed(result, body));
  });
}

/** Compressing costs more than all the rest of a page, so an answer that is kept is kept compressed too. */
const packedBodies = new WeakMap<ListAnswer, Buffer>();

function packed(answer: ListAnswer, body: string): Buffer {
  const known = packedBodies.get(answer);
  if (known !== undefined) return known;
  const made = gzipText(body);
  packedBodies.set(answer, made);
  return made;
}

/** Parameters that decide when an answer comes, not what it says. */
const aboutWaiting: ReadonlySet<string> = new Set(['index', 'wait', 'stale', 'region']);

/** What is asked, so that the same question asked twice is one text. All that an answer depends on must be in it. */
function questionOf({ parameters }: ReadQuery): string {
  return JSON.stringify([...parameters].filter(([name]) => !aboutWaiting.has(name)));
}

function refuseMixedFilters(query: ReadQuery, filteringParameters: readonly string[]): void {
  if (query.filter === '') return;
  if (filteringParameters.some((name) => (query.parameters.get(name)?.[0] ?? '') !== '')) {
    throw new SchedulerError(
      'filter-with-parameter',
      'Filter expression cannot be used with other filter parameters',
    );
  }
}

function readPage<T extends object>(
  resource: ListResource<T>,
  snapshot: Snapshot,
  query: ReadQuery,
  visible: RowTest<T> | null,
  filter: Filter<T> | null,
): Page<T> {
  const { rows, keyPrefix, where } = resource.select(snapshot, query);
  const reverse = query.reverse && resource.canReverse;
  const range = narrow(prefixRange(keyPrefix), seekKey(rows.order, query.nextToken), reverse);
  return list(scanRows(rows, range, reverse), {
    filter: combine(both(visible, where), filter),
    order: rows.order,
    sorted: true,
    reverse,
    perPage: query.perPage,
    nextToken: query.nextToken,
  });
}

/** What decides about a row: first whether it counts at all, then the filter. */
function combine<T>(where: RowTest<T> | null, filter: Filter<T> | null): { test: RowTest<T> } | undefined {
  if (where === null) return filter ?? undefined;
  if (filter === null) return { test: where };
  const { test } = filter;
  return { test: (row) => where(row) && test(row) };
}

/** One test after the other. */
function both<T>(first: RowTest<T> | null, second: RowTest<T> | null): RowTest<T> | null {
  if (first === null || second === null) return first ?? second;
  return (row) => first(row) && second(row);
}

/** The key that a token names; null for one that no row has produced, which only the pager can place. */
function seekKey<T>(order: Order<T>, token: string): Key | null {
  if (token === '') return null;
  if (order.index === undefined) return textKey(token);
  const match = /^(\d{1,20})\.(.*)$/s.exec(token);
  const index = match?.[1];
  return index === undefined ? null : textKey(match?.[2] ?? '', BigInt(index));
}

/** The part of a range that a page beginning at `key` can need. */
function narrow(range: Range, key: Key | null, reverse: boolean): Range {
  if (key === null) return range;
  const { from, to } = range;
  if (reverse) return to === null || compareKeys(key, to) < 0 ? { from, to: key } : range;
  return from === null || compareKeys(key, from) > 0 ? { from: key, to } : range;
}
