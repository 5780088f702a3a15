import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '@tamis/scheduler-state/cluster/leadership.js';
import type { AgentResponse } from '@tamis/scheduler-model/host/agent-service.js';

/** Marks a request from another region: it is answered in the region where it arrives, so it cannot circle. */
export const forwardedHeader = 'x-scheduler-forwarded';

/** Marks a request from another server of the region: it is answered where it arrives, or by a 421, so it cannot circle. */
export const fromServerHeader = 'x-scheduler-from-server';

/** A request to pass on. */
export interface ForwardedCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client hangs up before it has its answer. */
  readonly signal: AbortSignal;
  /** Whether the answer is read at the pace of the client, perhaps without an end: it takes no place of a short one. */
  readonly isLong?: boolean;
}

/**
 * Lets the leader answer a request: by `here` where this server leads, else the leader's answer is passed back as it comes, and
 * null returned. A request that nobody has acted on is held until there is a leader.
 *
 * @throws SchedulerError `no-leader` when there is none in time, `unknown-outcome`, `client-gone`, `too-many-waiters`
 */
export type CallLeader = <R>(call: ForwardedCall, here: () => Promise<R>) => Promise<R | null>;

/**
 * Lets another server of the region answer; false where nothing was done: it cannot be reached, or has nothing to do with it.
 *
 * @throws SchedulerError `agent-unreachable` when it is lost before it answers, `client-gone`
 */
export type ForwardToServer = (server: Server, call: ForwardedCall) => Promise<boolean>;

/** A question for another server of the region in the name of whoever has sent a request. */
export interface ForwardedQuery {
  /** The request, whose token goes along. */
  readonly request: Pick<FastifyRequest, 'headers'>;
  /** Path and query of the HTTP API. */
  readonly target: string;
  readonly isLong: boolean;
  readonly signal: AbortSignal;
}

/**
 * Asks another server of the region; null where it has nothing to do with it or cannot be reached.
 *
 * @throws SchedulerError `agent-unreachable`, `client-gone`
 */
export type ForwardOnBehalf = (server: Server, params: ForwardedQuery) => Promise<AgentResponse | null>;

/** Those headers of a request that are there once. */
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
