import type { Readable } from 'node:stream';
import { gzipText, inlineGzipLimit, jsonListText, wantsGzip, writeJson, type SharedList } from '@tamis/http';
import type { FastifyRequest } from 'fastify';
import type { Filter, FilterPlan, Pager, Schema } from 'tamis';
import type { Snapshot } from '../state/snapshot.js';
import {
  chooseAccessPath,
  readAccessPath,
  type RowPredicate,
  type Selection,
  countFacets,
  type FacetField,
  explainEmpty,
  type EmptyList,
  explainScan,
  type Held,
  createListScan,
  type ScanRequest,
  sortedToken,
  chooseSortedPath,
  type SortFields,
  selectionTest,
} from 'tamis/query';
import { prettyIndent, writeBody } from '../requests/answer.js';
import { type RouteResponse } from './response.js';
import { explanationBody, facetBody } from './told-bodies.js';
import type { ListQuery } from './list-sort.js';
import type { HttpContext } from './context.js';
import { inSlices } from 'tamis/pace';
import type { ListResponse } from './response-cache.js';

/** A list that is to be searched and printed: everything that its response is made of. */
export interface ListJob<T extends object> {
  readonly select: (snapshot: Snapshot, query: ListQuery) => Selection<T>;
  readonly context: Pick<HttpContext, 'lists' | 'slices'>;
  readonly snapshot: Snapshot;
  readonly visible: RowPredicate<T> | null;
  readonly held: Held;
  readonly query: ListQuery;
  readonly plan: FilterPlan<T> | null;
  readonly isExplained: boolean;
  /** The fields whose values are counted in place of the rows; null where rows are asked for. */
  readonly facets: readonly FacetField<T>[] | null;
  readonly stub: (row: T, snapshot: Snapshot) => unknown;
  /** The fields whose values may be told; all that filters see where it is left out. */
  readonly told: ReadonlySet<string> | undefined;
  /** How filters are read. */
  readonly diagnosis: EmptyList<T>['options'] & { readonly schema: Schema };
}

/** Searches and, where the list is short, prints: at once if that takes no longer than a slice. */
export function makeListResponse<T extends object>(
  job: ListJob<T>,
  signal: AbortSignal,
): ListResponse | Promise<ListResponse> {
  const { held, snapshot, query, stub, isExplained, facets } = job;
  const { lists, slices } = job.context;
  if (facets !== null) return makeFacets(job, facets, signal);
  const request = scanRequest(job);
  const { advance, pager } = createListScan(request);
  const indent = query.pretty ? prettyIndent : 0;
  const form = {
    pretty: query.pretty,
    write: (row: T): string => writeJson(stub(row, snapshot), indent, 1),
  };
  let text: string | null = null;
  // What is found is counted meanwhile; then it is for whoever reads it.
  const work = slices.run((isOver) => {
    const isFound = advance(isOver);
    held.grow(pager.found);
    if (!isFound) return false;
    if (!isExplained) text = jsonListText(pager.page().items, form);
    return true;
  }, signal);
  const finish = (): ListResponse | Promise<ListResponse> => {
    if (isExplained) return explain(request, pager, job, signal);
    const { items, nextToken } = pager.page();
    return { body: text ?? readsOf(lists.share(items, form), items.length, held), nextToken };
  };
  if (work !== null) return work.finally(held.release).then(finish);
  held.release();
  return finish();
}

/** Finds rows from the beginning of the page on: this many where there are as many. */
export async function findRows<T extends object>(
  job: ListJob<T>,
  count: number,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const { held, context } = job;
  const { advance, pager } = createListScan({ ...scanRequest(job), perPage: count });
  const work = context.slices.run((isOver) => {
    const isFound = advance(isOver);
    held.grow(pager.found);
    return isFound;
  }, signal);
  try {
    await work;
    return pager.page().items;
  } finally {
    held.release();
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

function scanRequest<T extends object>({
  select,
  snapshot,
  query,
  plan,
  visible,
}: ListJob<T>): ScanRequest<T> {
  const selection = select(snapshot, query);
  const { sorted } = selection;
  return {
    path:
      sorted === undefined ? chooseAccessPath(selection, plan) : chooseSortedPath(selection, sorted, plan),
    where: rowTestOf(selection, visible),
    perPage: query.perPage,
    reverse: query.reverse,
    nextToken: query.nextToken,
  };
}

/** Which rows of an access path count; null for all. In the order of a field, no stretch of it is all that begins so. */
function rowTestOf<T>(selection: Selection<T>, visible: RowPredicate<T> | null): RowPredicate<T> | null {
  const { where, sorted, keyPrefix } = selection;
  if (sorted !== undefined && keyPrefix !== '') return selectionTest(selection, visible);
  return visible === null || where === null ? (visible ?? where) : (row) => visible(row) && where(row);
}

/** Counts values, in place of the rows. */
async function makeFacets<T extends object>(
  job: ListJob<T>,
  fields: readonly FacetField<T>[],
  signal: AbortSignal,
): Promise<ListResponse> {
  const { context, select, snapshot, query } = job;
  const { path, where } = scanRequest(job);
  const selection = select(snapshot, query);
  const counting = countFacets({ selection, path, where, fields });
  const counts = await inSlices(counting, context.slices, signal);
  return { body: writeBody(facetBody(counts), query.pretty), nextToken: null };
}

/** Tells how the rows were found, in place of the rows. */
async function explain<T extends object>(
  request: ScanRequest<T>,
  pager: Pager<T>,
  job: ListJob<T>,
  signal: AbortSignal,
): Promise<ListResponse> {
  const { context, plan, query } = job;
  const page = pager.page();
  const told = await explainScan(
    {
      ...{ request, pager, page, plan, sort: query.sort, slices: context.slices },
      explainEmpty: () => explainEmpty(unfiltered(job, plan?.clauses ?? [])),
    },
    signal,
  );
  return {
    body: writeBody(explanationBody(told, job.diagnosis.schema), query.pretty),
    nextToken: page.nextToken,
  };
}

/** The list without its filter. */
function unfiltered<T extends object>(job: ListJob<T>, clauses: readonly Filter<T>[]): EmptyList<T> {
  const { told, diagnosis } = job;
  const { path, where } = scanRequest({ ...job, plan: null, query: { ...job.query, sort: null } });
  return { clauses, pieces: readAccessPath(path, null, false), where, told, options: diagnosis };
}

/** A response stays for as long as one of its streams does. */
const readResponses = new WeakMap<Readable, ListResponse>();

/** Compressing costs more than all the rest of a page, so a response that is kept is kept compressed too. */
const compressedBodies = new WeakMap<ListResponse, Buffer>();

/** The response to one of those who have asked for the list. */
export function sendable(
  request: Pick<FastifyRequest, 'headers'>,
  response: ListResponse,
  { sort }: Pick<ListQuery, 'sort'>,
  sorts: SortFields,
): RouteResponse {
  const { body } = response;
  const nextToken = sortedToken(sort, response.nextToken, sorts);
  const common = { nextToken, type: 'application/json' } as const;
  if (typeof body !== 'string') {
    const stream = body();
    readResponses.set(stream, response);
    return { ...common, body: stream };
  }
  if (!wantsGzip(request) || body.length > inlineGzipLimit) return { ...common, body };
  const compressed = compressedBodies.get(response) ?? gzipText(body);
  compressedBodies.set(response, compressed);
  return { ...common, headers: { 'content-encoding': 'gzip' }, body: compressed };
}
