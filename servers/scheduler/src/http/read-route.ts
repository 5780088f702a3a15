import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Access } from '../acl/access.js';
import { indexOf, type Snapshot } from '../state/snapshot.js';
import type { TableName } from '../state/tables.js';
import { accessOf, type Visible } from './access.js';
import { printObject, sendText, setReadHeaders, type ReadHeaders } from '../requests/answer.js';
import type { HttpContext } from './context.js';
import { parseReadQuery, type ReadQuery } from '../requests/query.js';
import { hangUpSignal, pathAfter, queryOf, requireRegion } from '../requests/request.js';
import type { RowList } from './row-list.js';
import { explainMissing, unbuiltRoute } from './unbuilt-routes.js';

/** Reads of one object and of what belongs to it, declared. */
export interface ReadResource {
  /** What the path begins with; the id follows. */
  readonly prefix: string;
  /**
   * Which rows the caller may see, whatever the part.
   *
   * @throws SchedulerError `permission-denied` when the caller may not even ask.
   */
  readonly authorise: (access: Access, query: ReadQuery, id: string) => Visible;
  /** The object itself, and what the words behind its id stand for. */
  readonly parts: readonly ReadPart[];
  /** Tells the paths of writes, which cannot be read, from ids. */
  readonly writes?: RegExp;
}

/** One read under the id of an object. */
export interface ReadPart {
  /** What follows the id; empty for the object itself. Ids may hold slashes, so the end of the path decides. */
  readonly suffix: string;
  /** The tables whose changes can change the answer. */
  readonly tables: readonly TableName[];
  /** Null when there is no such thing, or none that the caller may see. Bad parameters are refused here, before anything blocks. */
  readonly find: (
    snapshot: Snapshot,
    id: string,
    query: ReadQuery,
    isVisible: Visible,
  ) => FoundResource | FoundRows | null;
  /** The text of the 404. */
  readonly missing: string;
}

export interface FoundResource {
  /** The object's own index; null for that of the tables. */
  readonly index: number | bigint | null;
  /** What the client sees of it, given the headers of the answer. */
  readonly show: (headers: ReadHeaders) => unknown;
}

/** Rows that belong to the object. They are looked for when it is time to answer, in slices. */
export interface FoundRows {
  /** That of the tables. */
  readonly index: null;
  readonly rows: RowList;
}

/** A read that finds a row and shows it under the row's own index. */
export function rowPart<T extends { readonly ModifyIndex: number | bigint }>(
  table: TableName,
  find: (snapshot: Snapshot, id: string, query: ReadQuery, isVisible: Visible) => T | null,
  show: (row: T) => unknown,
  missing: string,
  suffix = '',
): ReadPart {
  return {
    suffix,
    tables: [table],
    missing,
    find(snapshot, id, query, isVisible) {
      const row = find(snapshot, id, query, isVisible);
      return row === null ? null : { index: row.ModifyIndex, show: () => show(row) };
    },
  };
}

/** A read that lists what belongs to the object, under the index of the table; empty when there is no such object. */
export function rowsPart(
  suffix: string,
  table: TableName,
  plan: (query: ReadQuery) => (snapshot: Snapshot, id: string, isVisible: Visible) => RowList,
): ReadPart {
  return {
    suffix,
    tables: [table],
    missing: '',
    find(snapshot, id, query, isVisible) {
      const list = plan(query);
      return { index: null, rows: list(snapshot, id, isVisible) };
    },
  };
}

/** The part that the rest of a path names, and the id before its suffix; null for what is not built. */
export function partOf(
  { parts, prefix, writes }: Omit<ReadResource, 'authorise'>,
  rest: string,
): { readonly part: ReadPart; readonly id: string } | null {
  if (writes?.test(rest) === true) return null;
  const named = parts.find(({ suffix }) => suffix !== '' && rest.endsWith(suffix));
  if (named === undefined && unbuiltRoute(prefix + rest) !== null) return null;
  const part = named ?? parts.find(({ suffix }) => suffix === '');
  return part === undefined ? null : { part, id: rest.slice(0, rest.length - part.suffix.length) };
}

/**
 * Adds the reads of an object. Their index is the object's own, or the table's while there is none: so one can wait
 * for an object that does not exist yet, and the 404 carries the headers of a read.
 */
export function addReadRoute(app: FastifyInstance, context: HttpContext, resource: ReadResource): void {
  app.get(`${resource.prefix}*`, async (request, reply) => {
    const path = pathAfter(request, resource.prefix);
    if (resource.writes?.test(path) === true) return sendText(reply, 405, 'Invalid method');
    const target = partOf(resource, path);
    if (target === null) return sendText(reply, 404, explainMissing(resource.prefix + path));
    const { part, id } = target;
    const query = parseReadQuery(queryOf(request, context.limits));
    requireRegion(query.region, context.region);
    const find = (snapshot: Snapshot): FoundResource | FoundRows | null => {
      // Rights may be taken away while the request waits.
      const isVisible = resource.authorise(accessOf(request, context, snapshot), query, id);
      return part.find(snapshot, id, query, isVisible);
    };
    return answerRead(context, reply, query, { ...part, find });
  });
}

/** Answers a read of one object: when it changes, if the client wants to wait for that, else at once. */
export async function answerRead(
  context: HttpContext,
  reply: FastifyReply,
  query: ReadQuery,
  {
    tables,
    missing,
    find,
  }: Pick<ReadPart, 'tables' | 'missing'> & {
    find(snapshot: Snapshot): FoundResource | FoundRows | null;
  },
): Promise<FastifyReply> {
  // Bad parameters and missing rights are refused before anything waits.
  find(context.state.snapshot());
  const signal = hangUpSignal(reply);
  if (!query.stale) await context.leader.require(signal);
  const { index, result } = await context.blocking.query({
    tables,
    index: (snapshot) => Number(find(snapshot)?.index ?? indexOf(snapshot, tables)),
    run: find,
    after: query.index,
    wait: query.wait,
    signal,
  });
  const headers = { index, ...context.leader.contact() };
  setReadHeaders(reply, headers, null);
  if (result === null) return sendText(reply, 404, missing);
  if (!('rows' in result)) {
    const object = await printObject(result.show(headers), query.pretty, context.slices, signal);
    return reply.type('application/json').send(object);
  }
  const body = await result.rows.print(query.pretty, context.slices, signal);
  return reply.type('application/json').send(body);
}
