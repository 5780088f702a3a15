import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestInFlight } from '../../services/profiles/active-work.js';

/** The requests in progress. */
export type InFlight = ReturnType<typeof createInFlight>;

export function createInFlight() {
  const open = new Map<string, RequestInFlight>();
  return {
    requests: (): readonly RequestInFlight[] => [...open.values()],
    /** Adds a request that arrived at a time, in ms since 1970, until its response is sent or its client disconnects. */
    add({ id, method, url }: FastifyRequest, reply: FastifyReply, since: number): void {
      const [path = ''] = url.split('?', 1);
      open.set(id, { method, path, since });
      reply.raw.once('close', () => void open.delete(id));
    },
  };
}
