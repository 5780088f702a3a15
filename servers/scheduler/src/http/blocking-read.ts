import type { Snapshot } from '../state/snapshot.js';
import type { TableName } from '../state/tables.js';
import { accessOf } from './access.js';
import type { ReadHeaders, RouteResponse } from './response.js';
import type { Access } from '../acl/access.js';
import type { HttpContext } from './context.js';
import type { PlannedResponse } from './pipeline.js';
import type { ReadQuery } from './query.js';
import type { Call } from './route.js';

/** A read that waits for a change if the client wants that. `G` is what its right gives. */
export interface BlockingReadPlan<G> {
  readonly query: ReadQuery;
  /** The tables whose changes can change the answer. */
  readonly tables: readonly TableName[];
  /** What the right gives, in the snapshot of the access. @throws SchedulerError `permission-denied` */
  readonly grant: (access: Access) => G;
  /** Looks for what is asked, without making the answer. */
  readonly look: (snapshot: Snapshot, granted: G) => Finding;
}

/** What a read has found. */
export interface Finding {
  readonly index: number;
  readonly respond: (headers: ReadHeaders, signal: AbortSignal) => RouteResponse | Promise<RouteResponse>;
}

/** Plans a read. It looks before anything waits, so that what is refused is refused at once. */
export function blockingRead<G>(
  context: HttpContext,
  { request, signal }: Call,
  { query, tables, grant, look }: BlockingReadPlan<G>,
  granted: G,
): PlannedResponse {
  const { blocking, leader, state } = context;
  const before = state.snapshot();
  let early: Finding | null = look(before, granted);

  /** Rights may be taken away while a request waits: this is the one place where they are asked for once more. */
  function lookNow(snapshot: Snapshot): Finding {
    const known = snapshot === before ? early : null;
    early = null;
    return known ?? look(snapshot, grant(accessOf(request, context, snapshot)));
  }

  return {
    isStale: query.stale,
    async run() {
      const { index: after, wait } = query;
      const { index, respond } = await blocking.query({ tables, look: lookNow, after, wait, signal });
      const headers = { index, ...leader.contact() };
      return { read: headers, ...(await respond(headers, signal)) };
    },
  };
}
