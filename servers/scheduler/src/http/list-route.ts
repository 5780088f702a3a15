import type { Readable } from 'node:stream';
import {
  gzipText,
  inlineGzipLimit,
  jsonListText,
  wantsGzip,
  writeJson,
  type SharedList,
  type SharedLists,
  type Slices,
  type Step,
} from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FieldIndex, FilterPlan, OrderedIndex, Page, Pager, Schema } from 'tamis';
import type { Access } from '../acl/access.js';
import { SchedulerError } from '../errors.js';
import { indexOf, type Snapshot } from '../state/snapshot.js';
import type { TableName } from '../state/tables.js';
import { accessOf } from './access.js';
import { prettyIndent, setReadHeaders, writeBody } from '../requests/answer.js';
import { createAnswerCache, type ListAnswer } from './answer-cache.js';
import type { HttpContext } from './context.js';
import { explainScan } from './explain-scan.js';
import { createHeldRows, type Held, type HeldRows } from './held-rows.js';
import { createFilterCache } from './filters.js';
import { createListScan, type ScanRequest } from './list-scan.js';
import { parseReadQuery, parseSwitch, type ReadQuery } from '../requests/query.js';
import { hangUpSignal, queryOf, requireRegion } from '../requests/request.js';
import { chooseSource, type RowTest, type Selection } from './row-source.js';

export type { RowTest, Selection } from './row-source.js';

/** One list, declared. What a list does is the same for all of them and written once, below. */
export interface ListResource<T extends object> {
  readonly path: string;
  /** The tables whose changes can change the list. Its index is the greatest of theirs. */
  readonly tables: readonly TableName[];
  /** The full object, which filters see. */
  readonly schema: Schema;
  /** The fields by which filters find rows; left out where there are none. */
  readonly indexes?: readonly (FieldIndex<T> | OrderedIndex<T>)[];
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

/** A list request that has been understood and refused nothing. */
interface Understood<T> {
  readonly query: ReadQuery;
  readonly plan: FilterPlan<T> | null;
  readonly isExplained: boolean;
  readonly stub: (row: T, snapshot: Snapshot) => unknown;
}

/** Adds the route of a list: plan, block, page, headers. */
export function addListRoute<T extends object>(
  app: FastifyInstance,
  context: HttpContext,
  resource: ListResource<T>,
): void {
  const { unresolved } = context;
  const { schema, indexes = [] } = resource;
  const now = (): Date => new Date(context.clock.now());
  const filters = createFilterCache<T>({ schema, indexes, unresolved, now }, context.filters);
  context.metrics.watchFilters(resource.path, filters);
  const answers = createAnswerCache(context.answers);
  const held = heldRowsOf(context);

  function understand(request: FastifyRequest): Understood<T> {
    const query = parseReadQuery(queryOf(request, context.limits));
    requireRegion(query.region, context.region);
    const stub = resource.stub(query);
    const isExplained = parseSwitch(query.parameters, 'explain');
    // Who may not read the list learns nothing about filters either.
    resource.authorise(accessOf(request, context), query);
    refuseMixedFilters(query, resource.filteringParameters);
    return { query, stub, isExplained, plan: query.filter === '' ? null : filters.plan(query.filter) };
  }

  app.get(resource.path, async (request: FastifyRequest, reply: FastifyReply) => {
    const understood = understand(request);
    const { query, plan } = understood;
    const question = questionOf(query);
    const signal = hangUpSignal(reply);
    const run = (snapshot: Snapshot): ListAnswer | Promise<ListAnswer> => {
      // Rights may have been taken away while the request waited.
      const access = accessOf(request, context, snapshot);
      const visible = resource.authorise(access, query);
      const index = indexOf(snapshot, resource.tables);
      // One instant for one answer. What depends on it is nobody else's answer, and none for later.
      const bound = { ...understood, plan: plan?.at() ?? null };
      const make = (all: AbortSignal): ListAnswer | Promise<ListAnswer> =>
        makeAnswer({ resource, context, held: held.hold(), snapshot, visible, ...bound }, all);
      if (plan?.usesNow === true) return make(signal);
      return answers.answer(`${access.key} ${question}`, index, signal, make);
    };
    // A filter that fails on the rows there are now must not wait for others.
    if (query.index !== null && plan?.mayFail === true) await run(context.state.snapshot());
    if (!query.stale) await context.leader.require(signal);
    const { index, result } = await context.blocking.query({
      tables: resource.tables,
      index: (snapshot) => indexOf(snapshot, resource.tables),
      run,
      after: query.index,
      wait: query.wait,
      signal,
    });
    // Only when all rows are found is it known that none of them fails the request.
    return sendAnswer(request, reply, context, index, result instanceof Promise ? await result : result);
  });
}

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { leader }: HttpContext,
  index: number,
  answer: ListAnswer,
): FastifyReply {
  setReadHeaders(reply, { index, ...leader.contact() }, answer.nextToken);
  reply.type('application/json');
  const { body } = answer;
  if (typeof body !== 'string') return reply.send(keepWhileRead(body(), answer));
  if (!wantsGzip(request) || body.length > inlineGzipLimit) return reply.send(body);
  return reply.header('content-encoding', 'gzip').send(packed(answer, body));
}

/** Everything that an answer is made of. */
interface Making<T extends object> extends Understood<T> {
  readonly resource: ListResource<T>;
  readonly context: HttpContext;
  readonly snapshot: Snapshot;
  readonly visible: RowTest<T> | null;
  readonly held: Held;
}

/** Searches and, where the answer is short, prints: at once if that takes no longer than a slice. */
function makeAnswer<T extends object>(
  making: Making<T>,
  signal: AbortSignal,
): ListAnswer | Promise<ListAnswer> {
  const { context, held, snapshot, query, stub, isExplained } = making;
  const { lists, slices } = context;
  const request = scanRequest(making);
  const scan = createListScan(request);
  const indent = query.pretty ? prettyIndent : 0;
  const form = {
    pretty: query.pretty,
    write: (row: T): string => writeJson(stub(row, snapshot), indent, 1),
  };
  let text: string | null = null;
  const work = searching(held, signal, slices, (isOver) => {
    const isFound = scan.advance(isOver);
    held.grow(scan.pager.found);
    if (!isFound) return false;
    if (!isExplained) text = jsonListText(scan.pager.page().items, form);
    return true;
  });
  const finish = (): ListAnswer | Promise<ListAnswer> => {
    const page = scan.pager.page();
    if (isExplained) return explain(request, scan.pager, page, making, signal);
    const body = text ?? readsOf(lists.share(page.items, form), page.items.length, held);
    return { body, nextToken: page.nextToken };
  };
  return work === null ? finish() : work.then(finish);
}

/** Searches in slices. What is found is counted meanwhile; then it is for whoever reads it. */
function searching(held: Held, signal: AbortSignal, slices: Slices, step: Step): Promise<void> | null {
  let work: Promise<void> | null = null;
  try {
    work = slices.run(step, signal);
    return work === null ? null : work.finally(held.release);
  } finally {
    if (work === null) held.release();
  }
}

/** Reads of a long list: its rows count from the first who reads it to the last. */
function readsOf(list: SharedList, count: number, held: Held): () => Readable {
  let readers = 0;
  return () => {
    if (readers === 0) held.grow(count);
    readers += 1;
    return list.read().once('close', () => {
      readers -= 1;
      if (readers === 0) held.release();
    });
  };
}

/** An answer stays for as long as one of its streams does. */
const readAnswers = new WeakMap<Readable, ListAnswer>();

function keepWhileRead(stream: Readable, answer: ListAnswer): Readable {
  readAnswers.set(stream, answer);
  return stream;
}

/** The rows of all lists count together. */
const heldRows = new WeakMap<SharedLists, HeldRows>();

function heldRowsOf({ lists }: HttpContext): HeldRows {
  const known = heldRows.get(lists) ?? createHeldRows();
  heldRows.set(lists, known);
  return known;
}

function scanRequest<T extends object>(making: Making<T>): ScanRequest<T> {
  const { resource, snapshot, query, plan, visible } = making;
  const selection = resource.select(snapshot, query);
  return {
    source: chooseSource(selection, plan),
    where: both(visible, selection.where),
    perPage: query.perPage,
    reverse: query.reverse && resource.canReverse,
    nextToken: query.nextToken,
  };
}

/** Tells how the rows were found, in place of the rows. */
async function explain<T extends object>(
  request: ScanRequest<T>,
  pager: Pager<T>,
  page: Page<T>,
  { context, plan, query }: Making<T>,
  signal: AbortSignal,
): Promise<ListAnswer> {
  const told = await explainScan({ request, pager, page, plan, slices: context.slices }, signal);
  return { body: writeBody(told, query.pretty), nextToken: page.nextToken };
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

/** One test after the other. */
function both<T>(first: RowTest<T> | null, second: RowTest<T> | null): RowTest<T> | null {
  if (first === null || second === null) return first ?? second;
  return (row) => first(row) && second(row);
}
