import type { WaitCondition } from 'tamis/query';
import { changedAfter } from '@tamis/scheduler-state/state/blocking-query.js';
import { indexOf, type Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import type { TableName } from '@tamis/scheduler-state/state/tables.js';
import { accessOf } from '../kernel/access.js';
import type { ReadHeaders, RouteResponse } from '../kernel/response.js';
import type { HttpContext } from '../kernel/context.js';
import type { ReadQuery } from '../kernel/query.js';
import type { GrantedRows, RowsGrant, RowsRight } from '../kernel/rights.js';
import type { Call } from '../kernel/route.js';

/** A read that can wait for a change. `G` is the result of its right. */
export interface BlockingReadPlan<G extends RowsGrant> {
  readonly query: ReadQuery;
  /** The tables that affect the result. */
  readonly tables: readonly TableName[];
  readonly right: RowsRight<G>;
  /** The event to wait for; default: the next change of the tables. */
  readonly until?: WaitCondition<Finding> | null | undefined;
  /** Looks up the requested data without building the response. `index` is that of the tables. */
  readonly look: (snapshot: Snapshot, index: number, granted: GrantedRows<G>) => Finding;
}

/** The data found by a read. */
export interface Finding {
  readonly index: number;
  readonly respond: (
    headers: () => ReadHeaders,
    signal: AbortSignal,
  ) => RouteResponse | Promise<RouteResponse>;
}

/** Handles a read. Looks up the data before it waits, so that an invalid request is rejected immediately. */
export async function blockingRead<G extends RowsGrant>(
  context: HttpContext,
  { request, id, signal }: Call,
  {
    query,
    tables,
    right,
    look,
    until = changedAfter(context.state, tables, query.index),
  }: BlockingReadPlan<G>,
  granted: GrantedRows<G>,
): Promise<RouteResponse> {
  const { blocking, leader } = context;
  let isFirst = true;

  /** Looks up the data in a snapshot. Rights may be revoked while a request waits, so they are checked again. */
  function lookNow(snapshot: Snapshot): Finding {
    if (isFirst) {
      isFirst = false;
      return look(snapshot, indexOf(snapshot, tables), granted);
    }
    const access = accessOf(request, context, snapshot);
    return look(snapshot, indexOf(snapshot, tables), { access, rows: right.grant(access, query, id) });
  }

  const { wait } = query;
  const { index, respond } = await blocking.query({ look: lookNow, until, wait, signal });
  const headers = (): ReadHeaders => ({ index, ...leader.contact() });
  const response = await respond(headers, signal);
  return { ...response, read: headers() };
}
