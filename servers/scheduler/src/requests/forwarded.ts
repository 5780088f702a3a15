import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Marks a request that a server has passed on to another region, or to the leader of its own: so it cannot circle. One for
 * another region is answered in the region where it arrives, one for the leader by the server where it arrives.
 */
export const forwardedHeader = 'x-scheduler-forwarded';

/** A request to pass on. */
export interface ForwardedCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client hangs up before it has its answer. */
  readonly signal: AbortSignal;
}
