import { firstParameter } from '@tamis/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HttpContext } from './context.js';
import { forwardedHeader } from './forwarder.js';
import { queryOf } from '../requests/request.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The region that a request is for, where the query alone does not say; empty for that of the agent. */
    regionOf?: (request: FastifyRequest) => string;
  }
}

/** Routes about the agent that is asked, and about what all agents know. */
const ofThisAgent = /^\/v1\/(?:agent\/(?!monitor$|host$|pprof\/)|regions$|metrics$)/;

/**
 * Passes on what is for another region that is known. All else goes on here, and routes refuse regions that they do
 * not serve: one that is not known, and one that a request was passed on for, which would be its second way.
 */
export function passOnToRegions(
  app: FastifyInstance,
  { forwarder, limits, region: own }: Pick<HttpContext, 'forwarder' | 'limits' | 'region'>,
): void {
  const { regions } = forwarder;
  if (regions.names.length === 1) return;
  app.addHook('preHandler', async (request, reply) => {
    const { url = '', config } = request.routeOptions;
    if (!url.startsWith('/v1/') || ofThisAgent.test(url)) return undefined;
    if (request.headers[forwardedHeader] !== undefined) return undefined;
    const region = config.regionOf?.(request) ?? firstParameter(queryOf(request, limits), 'region');
    if (region === own || regions.peersOf(region) === null) return undefined;
    await forwarder.forward(region, request, reply);
    return reply;
  });
  app.addHook('preClose', async () => forwarder.stop());
}
