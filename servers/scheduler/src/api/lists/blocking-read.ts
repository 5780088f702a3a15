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

/** A read that waits for a change if the client wants that. `G` is what its right gives. */
export interface BlockingReadPlan<G extends RowsGrant> {
  readonly query: ReadQuery;
  /** The tables whose changes can change the answer. */
  readonly tables: readonly TableName[];
  readonly right: RowsRight<G>;
  /** What is waited for; the next change of the tables where it is left out. */
  readonly until?: WaitCondition<Finding> | null | undefined;
  /** Looks for what is asked, without making the answer. `index` is that of the tables. */
  readonly look: (snapshot: Snapshot, index: number, granted: GrantedRows<G>) => Finding;
}

/** What a read has found. */
export interface Finding {
  readonly index: number;
  readonly respond: (
    headers: () => ReadHeaders,
    signal: AbortSignal,
  ) => RouteResponse | Promise<RouteResponse>;
}

/** Answers a read. It looks before anything waits, so that what is refused is refused at once. */
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

  /** Rights may be taken away while a request waits: this is the one place where they are asked for once more. */
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
