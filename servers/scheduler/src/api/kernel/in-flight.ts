import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestInFlight } from '../../services/profiles/active-work.js';

/** The requests that have come and are not answered. */
export interface InFlight {
  readonly requests: () => readonly RequestInFlight[];
  /** Adds a request that comes at a time, milliseconds since 1970, until its answer is sent or its client has left. */
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
