import type { QueryParameters } from '@tamis/http';
import type { FastifyRequest } from 'fastify';
import type { ReadBarrier } from '@tamis/scheduler-state/cluster/read-barrier.js';
import type { CallLeader, ForwardedCall } from './requests/forwarded.js';
import { type RouteResponse } from './response.js';
import type { Forwarder } from './forwarder.js';
import type { ParameterName } from './parameters.js';
import type { NeededRight } from './rights.js';

/** The static facts of a route. */
export interface RouteFacts {
  /** `put` includes POST, which is equivalent; `any` accepts every method. */
  readonly method: 'get' | 'put' | 'delete' | 'any';
  /**
   * The path, with a placeholder in braces for the ID. IDs may contain slashes, so the part after the placeholder distinguishes
   * routes.
   */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly right: { readonly name: NeededRight };
  /** The query parameters. */
  readonly parameters: readonly ParameterName[];
  /** The sortable fields, if it accepts `sort`. */
  readonly sorts?: readonly string[];
  /** The request body: the name of its schema, and whether it is required. */
  readonly body: { readonly schema: string; readonly required: boolean } | null;
  /** The body of a successful response. */
  readonly response: ResponseBody;
  /**
   * Additional headers of a successful response: `write` has an index, `read` also has leader information, and `page` also has
   * the token of the next page.
   */
  readonly headers: 'none' | 'write' | 'read' | 'page';
  /** Failure statuses in addition to those of every route. */
  readonly failures: readonly (404 | 429 | 501 | 503)[];
  /**
   * Which agent handles it: `none` this one; `region` any server of the request's region; `current` any that has caught up with
   * all acknowledged writes, unless stale data is accepted; `leader` that region's leader.
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

/** A route. `C` is the context of its handler; `A` is the type of the callers' rights. */
export interface Route<C, A> extends RouteFacts {
  /** Creates the request handler of one listener. */
  readonly open: (context: C, gate: Gate<A>) => Respond;
}

/** Handles a request; null if it was forwarded. */
export type Respond = (call: Call) => Promise<RouteResponse | null>;

/** A request to a route. */
export interface Call extends Omit<ForwardedCall, 'isLong'> {
  /** The decoded value of the placeholder; empty if the path has none. */
  readonly id: string;
  readonly parameters: QueryParameters;
}

/** Routes requests to the leader of a region, or waits until this server has caught up with it. */
export interface LeaderRouting {
  /** Whether this is the only server, so that it knows everything in the region. */
  readonly isAlone: boolean;
  readonly knowsLeader: () => boolean;
  readonly catchUp: ReadBarrier;
  readonly callLeader: CallLeader;
}

/** The checks for all requests of a listener: access rights, and forwarding to other agents. */
export interface Gate<A> {
  /** Name of this agent's region. */
  readonly region: string;
  /** Forwards requests to other regions; null on an agent without server mode. */
  readonly forwarder: Forwarder | null;
  /** Null on an agent without server mode. */
  readonly leaderRouting: LeaderRouting | null;
  /** Returns the rights of the sender of a request. @throws SchedulerError `permission-denied` */
  readonly accessOf: (request: FastifyRequest) => A | Promise<A>;
}
