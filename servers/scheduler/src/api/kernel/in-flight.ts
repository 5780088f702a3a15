import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestInFlight } from '../../services/profiles/active-work.js';

/** The requests in progress. */
export interface InFlight {
  readonly requests: () => readonly RequestInFlight[];
  /** Adds a request that arrived at a time, in ms since 1970, until its response is sent or its client disconnects. */
  add(request: FastifyRequest, reply: FastifyReply, since: number): void;
}

export function createInFlight(): InFlight {
  const open = new Map<string, RequestInFlight>();
  return {
    requests: () => [...open.values()],
    add({ id, method, url }, reply, since) {
      const [path = ''] = url.split('?', 1);
      open.set(id, { method, path, since });
      reply.raw.once('close', () => void open.delete(id));
    },
  };
}
