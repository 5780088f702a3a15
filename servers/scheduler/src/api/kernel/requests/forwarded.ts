import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '@tamis/scheduler-state/cluster/leadership.js';
import type { AgentResponse } from '@tamis/scheduler-model/host/agent-service.js';

/** Header that marks a request from another region. Such a request is handled where it arrives, so that it cannot loop. */
export const forwardedHeader = 'x-scheduler-forwarded';

/**
 * Header that marks a request from another server of the region. Such a request is handled where it arrives, or rejected with
 * 421, so that it cannot loop.
 */
export const fromServerHeader = 'x-scheduler-from-server';

/** Headers that may contain a token, in order of precedence: that of this scheduler, then that of the original one. */
export const tokenHeaders = ['x-scheduler-token', 'x-nomad-token'] as const;

/** The headers that identify a caller. */
export const callerHeaders = [...tokenHeaders, 'authorization'] as const;

/** A request to forward. */
export interface ForwardedCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client disconnects before the response. */
  readonly signal: AbortSignal;
  /** Whether the response is read as fast as the client reads, and may never end. If so, it does not count as a short request. */
  readonly isLong?: boolean;
}

/**
 * Lets the leader handle a request: with `here` if this server leads, otherwise the leader's response is streamed to the client
 * and null returned. A request that no server has processed waits until there is a leader.
 *
 * @throws SchedulerError `no-leader` on timeout, `unknown-outcome`, `client-gone`, `too-many-requests`
 */
export type CallLeader = <R>(call: ForwardedCall, here: () => Promise<R>) => Promise<R | null>;

/**
 * Forwards a request to another server of the region; false if nothing was done, because the server is unreachable or not
 * responsible.
 *
 * @throws SchedulerError `unreachable` if the connection is lost before the response, `client-gone`
 */
export type ForwardToServer = (server: Server, call: ForwardedCall) => Promise<boolean>;

/** A request to another server of the region on behalf of a client. */
export interface ForwardedQuery {
  /** The request whose token is sent along. */
  readonly request: Pick<FastifyRequest, 'headers'>;
  /** Path and query of the HTTP API. */
  readonly target: string;
  readonly isLong: boolean;
  readonly signal: AbortSignal;
}

/**
 * Calls another server of the region; null if it is not responsible or unreachable.
 *
 * @throws SchedulerError `unreachable`, `client-gone`
 */
export type ForwardOnBehalf = (server: Server, params: ForwardedQuery) => Promise<AgentResponse | null>;

/** Returns the given headers of a request that occur exactly once. */
export function pickHeaders(
  headers: FastifyRequest['headers'],
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
}
