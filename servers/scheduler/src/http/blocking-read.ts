import { indexOf, type Snapshot } from '../state/snapshot.js';
import type { TableName } from '../state/tables.js';
import { accessOf } from './access.js';
import { textResponse, type ReadHeaders, type RouteResponse } from './response.js';
import type { Access } from '../acl/access.js';
import type { HttpContext } from './context.js';
import type { Plan } from './pipeline.js';
import type { ReadQuery } from '../requests/query.js';
import type { Call } from './route.js';

/** A read that waits for a change if the client wants that. `G` is what its right gives. */
export interface BlockingReadPlan<G> {
  readonly query: ReadQuery;
  /** The tables whose changes can change the answer. */
  readonly tables: readonly TableName[];
  /** What the right gives, in the snapshot of the access. @throws SchedulerError `permission-denied` */
  readonly grant: (access: Access) => G;
  /** Looks for what is asked, without making the answer. Null where there is no such thing. */
  readonly look: (snapshot: Snapshot, granted: G) => Finding | null;
  /** The text of the 404. */
  readonly missing: string;
}

/** What a read has found. */
export interface Finding {
  /** Its own index; null for that of the tables. */
  readonly index: number | bigint | null;
  readonly respond: (headers: ReadHeaders, signal: AbortSignal) => RouteResponse | Promise<RouteResponse>;
}

/**
 * Plans a read. It looks before anything waits, so that what is refused is refused at once; its index is that of what it
 * finds, or of the tables while there is none: so one can wait for an object that does not exist yet.
 */
export function blockingRead<G>(
  context: HttpContext,
  { request, signal }: Call,
  { query, tables, grant, look, missing }: BlockingReadPlan<G>,
  granted: G,
): Plan {
  const { blocking, leader, state } = context;
  const before = state.snapshot();
  const lookIn = (snapshot: Snapshot, given: G): Indexed => {
    const finding = look(snapshot, given);
    return { finding, index: Number(finding?.index ?? indexOf(snapshot, tables)) };
  };
  let early: Indexed | null = lookIn(before, granted);

  /** Rights may be taken away while a request waits: this is the one place where they are asked for once more. */
  function lookNow(snapshot: Snapshot): Indexed {
    const known = snapshot === before ? early : null;
    early = null;
    return known ?? lookIn(snapshot, grant(accessOf(request, context, snapshot)));
  }

  return {
    isStale: query.stale,
    async run() {
      const { index: after, wait } = query;
      const { finding, index } = await blocking.query({ tables, look: lookNow, after, wait, signal });
      const headers = { index, ...leader.contact() };
      const response = await (finding?.respond(headers, signal) ?? textResponse(404, missing));
      return { read: headers, ...response };
    },
  };
}

interface Indexed {
  readonly finding: Finding | null;
  readonly index: number;
}
