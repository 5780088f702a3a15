import { Readable } from 'node:stream';
import type { HttpLimits } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../services/metrics/metrics.js';
import { sendText } from './requests/response-body.js';
import { sendResponse } from './response.js';
import { decodedPathOf, disconnectSignal, queryOf } from './request.js';
import type { Gate, Respond, Route, RouteFacts } from './route.js';
import { createRouter } from './router.js';
import { explainMissing } from './unsupported-routes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The matching route; null if unknown or missing. */
    route: RouteFacts | null;
  }
}

/** A route of one listener. */
export interface OpenRoute extends RouteFacts {
  readonly respond: Respond;
}

/** Opens routes for a listener. */
export function openRoutes<C, A>(
  routes: readonly Route<C, A>[],
  context: C,
  gate: Gate<A>,
): readonly OpenRoute[] {
  return routes.map(({ open, ...facts }) => ({ ...facts, respond: open(context, gate) }));
}

/** Handles a path without a route. */
export type Otherwise = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** The dependencies of all request handlers. */
export interface RoutingContext {
  readonly limits: HttpLimits;
  readonly metrics: Pick<Metrics, 'streaming'>;
}

/** Adds routes to an app; the framework does not match paths itself. */
export function handleRoutes(
  app: FastifyInstance,
  routes: readonly OpenRoute[],
  { limits, metrics }: RoutingContext,
  otherwise: Otherwise = (_request, reply) => sendText(reply, 404, ''),
): void {
  const router = createRouter(routes);
  app.decorateRequest('route', null);

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = decodedPathOf(request);
    const found = router.find(request.method, path);
    if (found === 'wrong-method') return sendText(reply, 405, 'Invalid method');
    if (found === 'missing') {
      const missing = explainMissing(path);
      return missing === '' ? otherwise(request, reply) : sendText(reply, 404, missing);
    }
    const { route, id } = found;
    request.route = route;
    if (route.isSecret) reply.header('cache-control', 'no-store');
    const parameters = queryOf(request, limits);
    const response = await route.respond({ request, reply, id, parameters, signal: disconnectSignal(reply) });
    if (response === null) return reply;
    if (response.isLive === true && response.body instanceof Readable) {
      response.body.once('close', metrics.streaming(route.path));
    }
    return sendResponse(reply, response);
  }

  app.route({ method: app.supportedMethods, url: '*', handler: handle });
  // Methods that the framework does not know.
  app.setNotFoundHandler(handle);
}
