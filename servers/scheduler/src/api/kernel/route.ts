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
  /** `put` means PUT and POST, which are equivalent; `any` means every method. */
  readonly method: 'get' | 'put' | 'delete' | 'any';
  /**
   * The path, with a placeholder in braces for the ID. IDs may contain slashes, so the part after the placeholder distinguishes
   * routes.
   */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly right: { readonly name: NeededRight };
  /** The parameters of the query. */
  readonly parameters: readonly ParameterName[];
  /** The sortable fields, if it accepts `sort`. */
  readonly sorts?: readonly string[];
  /** The body that it takes: the name of a schema, and whether there must be one. */
  readonly body: { readonly schema: string; readonly required: boolean } | null;
  /** The body of a successful response. */
  readonly response: ResponseBody;
  /**
   * The headers of a successful response, besides those of every response: `write` has an index, `read` also has facts about the
   * leader, and `page` also has the token of the next page.
   */
  readonly headers: 'none' | 'write' | 'read' | 'page';
  /** Failure statuses in addition to those of every route. */
  readonly failures: readonly (404 | 429 | 501 | 503)[];
  /**
   * Where it is handled: by this agent; by any server of the request's region; by any of them that has caught up with all
   * acknowledged writes, unless the request accepts stale data; or by that region's leader.
   */
  readonly forward: 'none' | 'region' | 'current' | 'leader';
  /** Whether responses contain secrets, which proxies must not cache. */
  readonly isSecret: boolean;
}

/** The body of a successful response: one value of a named schema, a list of such values, or a special format. */
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

/** A route. `C` is the context that its handler needs; `A` is the type of the access rights of callers. */
export interface Route<C, A> extends RouteFacts {
  /** Creates the request handler of one listener. */
  readonly open: (context: C, gate: Gate<A>) => Respond;
}

/** Handles a request; null if it was forwarded. */
export type Respond = (call: Call) => Promise<RouteResponse | null>;

/** A request to a route. */
export interface Call extends Omit<ForwardedCall, 'isLong'> {
  /** The value of the name in braces, decoded; empty if the path has none. */
  readonly id: string;
  readonly parameters: QueryParameters;
}

/** How requests reach the leader of a region, or wait until this server has caught up with it. */
export interface LeaderRouting {
  /** Whether this is the only server, so that all that is known of the region is known here. */
  readonly isAlone: boolean;
  readonly knowsLeader: () => boolean;
  readonly catchUp: ReadBarrier;
  readonly callLeader: CallLeader;
}

/** The checks for all requests of a listener: access rights, and forwarding to other agents. */
export interface Gate<A> {
  /** The name of this agent's region. */
  readonly region: string;
  /** Passes requests on to other regions; null on an agent that is no server. */
  readonly forwarder: Forwarder | null;
  /** Null on an agent that is no server. */
  readonly leaderRouting: LeaderRouting | null;
  /** Returns the rights of the sender of a request. @throws SchedulerError `permission-denied` */
  readonly accessOf: (request: FastifyRequest) => A | Promise<A>;
}
