import type { Access } from '../../services/acl/access.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import type { TableName } from '@tamis/scheduler-state/state/tables.js';
import { printObject } from '../kernel/requests/response-body.js';
import { textResponse, type ReadHeaders, type RouteResponse } from '../kernel/response.js';
import { blockingRead, type Finding } from './blocking-read.js';
import type { HttpContext, ClusterRoute } from '../kernel/context.js';
import type { ParameterName } from '../kernel/parameters.js';
import { defineRoute } from '../kernel/pipeline.js';
import { parseReadQuery, type ReadQuery } from '../kernel/query.js';
import { rightToRows, type GrantedRows, type RowsGrant, type RowsRight } from '../kernel/rights.js';
import type { RouteFacts } from '../kernel/route.js';
import type { RowList } from './row-list.js';

/** The parameters of every read. */
export const readParameters = ['region', 'stale', 'index', 'wait', 'pretty'] as const;

/** Declaration of a read of one object or its related data. `G` is the result of the right. */
export interface ReadDefinition<G extends RowsGrant>
  extends Pick<RouteFacts, 'path' | 'summary' | 'tag' | 'response'>, Partial<Pick<RouteFacts, 'isSecret'>> {
  readonly right: RowsRight<G>;
  readonly requires?: (context: HttpContext) => void;
  /** Parameters in addition to those of every read. */
  readonly parameters?: readonly ParameterName[];
  /** The tables that affect the result. */
  readonly tables: readonly TableName[];
  /** The message of the 404. */
  readonly missing?: string;
  /** Parses the parameters and rejects invalid ones before blocking. */
  readonly find: (query: ReadQuery, id: string) => Find<G>;
}

/** Returns what the caller may see of it in a snapshot; null if it does not exist or is not visible to the caller. */
export type Find<G> = (snapshot: Snapshot, granted: G) => FoundResource | FoundRows | null;

export interface FoundResource {
  /** The object's own index; null for that of the tables. */
  readonly index: number | bigint | null;
  /** Returns the object as the client sees it; may repeat values of the response headers. */
  readonly project: (headers: () => ReadHeaders) => unknown;
}

/** Rows related to the object. They are looked up in slices when the response is built. */
export interface FoundRows {
  /** The index of the tables. */
  readonly index?: null;
  readonly rows: RowList;
}

/** Returns a row with its own index, as clients see it. */
export function foundRow<T extends { readonly ModifyIndex: number | bigint }>(
  row: T | null,
  project: (row: T) => unknown = (whole) => whole,
): FoundResource | null {
  return row === null ? null : { index: row.ModifyIndex, project: () => project(row) };
}

/**
 * Creates a read route. Its index is that of the object, or of the tables if it is missing. So clients can wait for an object
 * that does not exist yet, and the 404 has the headers of a read.
 */
export function readRoute<G extends RowsGrant>({
  right,
  tables,
  missing = '',
  find,
  parameters: more = [],
  ...facts
}: ReadDefinition<G>): ClusterRoute {
  return defineRoute<HttpContext, Access, ReadInput<G>, GrantedRows<G>>({
    ...facts,
    headers: 'read',
    failures: [404, 429, 503],
    parameters: [...readParameters, ...more],
    right: rightToRows(right),
    open: (context) => ({
      parse({ parameters, id }) {
        const query = parseReadQuery(parameters);
        return { query, id, find: find(query, id) };
      },
      isStale: ({ query }) => query.stale,
      handle({ query, find: findIn }, granted, call) {
        const look = (snapshot: Snapshot, index: number, { rows }: GrantedRows<G>): Finding => {
          const found = findIn(snapshot, rows);
          return {
            index: Number(found?.index ?? index),
            respond: (headers, signal) =>
              found === null
                ? textResponse(404, missing)
                : respondWith(found, query, context, headers, signal),
          };
        };
        return blockingRead(context, call, { query, tables, right, look }, granted);
      },
    }),
  });
}

interface ReadInput<G> {
  readonly query: ReadQuery;
  readonly id: string;
  readonly find: Find<G>;
}

async function respondWith(
  found: FoundResource | FoundRows,
  { pretty }: ReadQuery,
  { slices }: HttpContext,
  headers: () => ReadHeaders,
  signal: AbortSignal,
): Promise<RouteResponse> {
  const body =
    'rows' in found
      ? await found.rows.print(pretty, slices, signal)
      : await printObject(found.project(headers), pretty, slices, signal);
  return { type: 'application/json', body };
}
