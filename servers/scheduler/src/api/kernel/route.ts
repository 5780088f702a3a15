import type { QueryParameters } from '@tamis/http';
import type { FastifyRequest } from 'fastify';
import type { ReadBarrier } from '@tamis/scheduler-state/cluster/read-barrier.js';
import type { CallLeader, ForwardedCall } from './requests/forwarded.js';
import { type RouteResponse } from './response.js';
import type { Forwarder } from './forwarder.js';
import type { ParameterName } from './parameters.js';
import type { NeededRight } from './rights.js';

/** Facts of a route: all that can be said of it without a request. */
export interface RouteFacts {
  /** `put` stands for PUT and POST, which mean the same; `any` for every method. */
  readonly method: 'get' | 'put' | 'delete' | 'any';
  /** The path, with a name in braces where an ID stands. IDs may hold slashes: the end of the path decides. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly right: { readonly name: NeededRight };
  /** The parameters of the query. */
  readonly parameters: readonly ParameterName[];
  /** The fields by which it sorts, where it takes `sort`. */
  readonly sorts?: readonly string[];
  /** The body that it takes: the name of a schema, and whether there must be one. */
  readonly body: { readonly schema: string; readonly required: boolean } | null;
  /** The body of success. */
  readonly response: ResponseBody;
  /** Which headers success has: an index, what a read tells about the leader, the token of a next page. */
  readonly headers: 'none' | 'write' | 'read' | 'page';
  /** Statuses of failures that are its own, beside those that every route has. */
  readonly failures: readonly (404 | 429 | 501 | 503)[];
  /**
   * Who answers: this agent; any server of the region that the request names; any of them that has caught up with what was
   * acknowledged before, unless the request takes stale data; or that region's leader.
   */
  readonly forward: 'none' | 'region' | 'current' | 'leader';
  /** Whether answers hold secrets, which nobody on the way is to keep. */
  readonly isSecret: boolean;
}

/** A body of success: a schema by its name, a list of them, or a form of its own. */
export type ResponseBody =
  | { readonly kind: 'json' | 'maybe'; readonly schema: string }
  | { readonly kind: 'list'; readonly schema: string; readonly filtered: boolean }
  | {
      readonly kind:
        | 'texts'
        | 'text'
        | 'empty'
        | 'bytes'
        | 'lines'
        | 'frames'
        | 'events'
        | 'metrics'
        | 'document'
        | 'page';
    };

/** A route of listeners whose routes work with a `C`, and whose callers have rights in the form of an `A`. */
export interface Route<C, A> extends RouteFacts {
  /** Makes what answers the requests of one listener. */
  readonly open: (context: C, gate: Gate<A>) => Respond;
}

/** Answers a request; null when that has been done on another way: it was passed on. */
export type Respond = (call: Call) => Promise<RouteResponse | null>;

/** A request to a route. */
export interface Call extends Omit<ForwardedCall, 'isLong'> {
  /** What stands in the place of the name in braces, decoded; empty where the path has none. */
  readonly id: string;
  readonly parameters: QueryParameters;
}

/** How the servers of a region are of one mind. */
export interface LeaderRouting {
  /** Whether there are no others, so that nothing is known elsewhere that is not known here. */
  readonly isAlone: boolean;
  readonly knowsLeader: () => boolean;
  readonly catchUp: ReadBarrier;
  readonly callLeader: CallLeader;
}

/** The gate of a listener, through which all of its requests come: who may ask, and who else answers. */
export interface Gate<A> {
  /** The name of this agent's region. */
  readonly region: string;
  /** Passes requests on to other regions; null on an agent that is no server. */
  readonly forwarder: Forwarder | null;
  /** Null on an agent that is no server. */
  readonly leaderRouting: LeaderRouting | null;
  /** What the sender of a request may do. @throws SchedulerError `permission-denied` */
  readonly accessOf: (request: FastifyRequest) => A | Promise<A>;
}
