import { Readable } from 'node:stream';
import type { HttpLimits } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../services/metrics/metrics.js';
import { sendText } from './requests/response-body.js';
import { sendResponse } from './response.js';
import { decodedPathOf, disconnectSignal, queryOf, idOfPath } from './request.js';
import type { Gate, Respond, Route, RouteFacts } from './route.js';
import { explainMissing, unbuiltRoute } from './unsupported-routes.js';

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

/** Finds the route of a request by method and the path from `decodedPathOf`. */
interface Router<R> {
  find(method: string, path: string): Found<R>;
}

/** `wrong-method`: the path exists, but not with this method. */
type Found<R> = { readonly route: R; readonly id: string } | 'wrong-method' | 'missing';

/** All routes of one path, by method. */
interface PathRoutes<R> {
  readonly prefix: string;
  readonly suffix: string;
  readonly methods: Map<string, R>;
}

const methodsOf = { get: ['GET'], put: ['PUT', 'POST'], delete: ['DELETE'], any: ['*'] } as const;

/**
 * Creates a router. Of several matching paths with an ID, the one with the most words wins: `/v1/job/{id}/summary` before
 * `/v1/job/{id}`.
 */
export function createRouter<R extends Pick<RouteFacts, 'method' | 'path'>>(routes: readonly R[]): Router<R> {
  const exact = new Map<string, PathRoutes<R>>();
  const open = new Map<string, PathRoutes<R>>();
  for (const route of routes) {
    const [prefix = '', suffix] = route.path.split(/\{\w+\}/);
    const paths = suffix === undefined ? exact : open;
    const known = paths.get(route.path) ?? { prefix, suffix: suffix ?? '', methods: new Map<string, R>() };
    paths.set(route.path, known);
    for (const method of methodsOf[route.method]) known.methods.set(method, route);
  }
  const wordsOf = ({ prefix, suffix }: PathRoutes<R>): number => prefix.length + suffix.length;
  const ordered = [...open.values()].sort((a, b) => wordsOf(b) - wordsOf(a));

  return {
    find(method, path) {
      const fits = ({ prefix, suffix }: PathRoutes<R>): boolean =>
        path.length >= prefix.length + suffix.length && path.startsWith(prefix) && path.endsWith(suffix);
      const found = exact.get(path) ?? ordered.find(fits);
      if (found === undefined) return 'missing';
      const { prefix, suffix, methods } = found;
      // The apparent ID may belong to a route that is not implemented.
      if (suffix === '' && path !== prefix && unbuiltRoute(path) !== null) return 'missing';
      const route = methods.get(method) ?? methods.get('*');
      if (route === undefined) return 'wrong-method';
      return { route, id: idOfPath(path.slice(prefix.length, path.length - suffix.length)) };
    },
  };
}
