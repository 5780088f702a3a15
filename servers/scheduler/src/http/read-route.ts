import type { FastifyInstance } from 'fastify';
import { indexOf, type Snapshot } from '../state/snapshot.js';
import type { TableName } from '../state/tables.js';
import { sendJson, sendText, setReadHeaders } from './answer.js';
import type { HttpContext } from './context.js';
import { parseReadQuery, type ReadQuery } from './query.js';
import { hangUpSignal, pathAfter, queryOf, requireRegion } from './request.js';

/** The read of one object, declared. */
export interface ReadResource<T extends { readonly ModifyIndex: number | bigint }> {
  /** What the path begins with; the rest of it is the id. */
  readonly prefix: string;
  readonly table: TableName;
  readonly find: (snapshot: Snapshot, id: string, query: ReadQuery) => T | null;
  /** What the client sees of it. */
  readonly show: (row: T) => unknown;
  /** The text of the 404. */
  readonly missing: string;
  /** Words that end the path of something else, which is not built: their 404 is empty. */
  readonly otherSuffixes: readonly string[];
}

/**
 * Adds the route of a single read. Its index is the object's own, or the table's while there is none: so one can wait
 * for an object that does not exist yet, and the 404 carries the headers of a read.
 */
export function addReadRoute<T extends { readonly ModifyIndex: number | bigint }>(
  app: FastifyInstance,
  context: HttpContext,
  resource: ReadResource<T>,
): void {
  app.get(`${resource.prefix}*`, async (request, reply) => {
    const id = pathAfter(request, resource.prefix);
    if (resource.otherSuffixes.some((suffix) => id.endsWith(suffix))) return sendText(reply, 404, '');
    const query = parseReadQuery(queryOf(request, context.limits));
    requireRegion(query.region, context.region);
    const find = (snapshot: Snapshot): T | null => resource.find(snapshot, id, query);
    const { index, result } = await context.blocking.query({
      tables: [resource.table],
      index: (snapshot) => Number(find(snapshot)?.ModifyIndex ?? indexOf(snapshot, [resource.table])),
      run: find,
      after: query.index,
      wait: query.wait,
      signal: hangUpSignal(reply),
    });
    setReadHeaders(reply, index, null);
    if (result === null) return sendText(reply, 404, resource.missing);
    return sendJson(reply, resource.show(result), query.pretty);
  });
}
