import type { FastifyInstance } from 'fastify';
import type { RequestInFlight } from '../profiles/active-work.js';

/** The requests that have come and are not answered. */
export interface InFlight {
  readonly requests: () => readonly RequestInFlight[];
  /** Begins to watch an app. */
  watch(app: FastifyInstance, now: () => number): void;
}

export function createInFlight(): InFlight {
  const open = new Map<string, RequestInFlight>();
  return {
    requests: () => [...open.values()],
    watch(app, now) {
      app.addHook('onRequest', async (request, reply) => {
        const [path = ''] = request.url.split('?', 1);
        open.set(request.id, { method: request.method, path, since: now() });
        // Also when the client leaves before its answer.
        reply.raw.once('close', () => void open.delete(request.id));
      });
    },
  };
}
