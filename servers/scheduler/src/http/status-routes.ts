import type { FastifyInstance } from 'fastify';
import { firstParameter } from '@tamis/http';
import { knownRegions } from '../membership/known-regions.js';
import { sendJson } from '../requests/answer.js';
import type { HttpContext } from './context.js';
import { parsePretty } from '../requests/query.js';
import { queryOf, requireRegion } from '../requests/request.js';

/** Adds the routes that tell about the cluster itself. They have no index, so nobody can wait for them. */
export function addStatusRoutes(app: FastifyInstance, context: HttpContext): void {
  const { forwarder, leader, rpcAddress, region } = context;

  function addRoute(path: string, answer: () => unknown): void {
    app.get(path, async (request, reply) => {
      const parameters = queryOf(request, context.limits);
      requireRegion(firstParameter(parameters, 'region'), region);
      return sendJson(reply, answer(), parsePretty(parameters));
    });
  }

  addRoute('/v1/status/leader', () => {
    const current = leader.current();
    return current.location === 'nobody' ? '' : current.server.address;
  });
  addRoute('/v1/status/peers', () => [rpcAddress()]);
  // Each agent tells what it knows itself, so nobody is asked elsewhere.
  app.get('/v1/regions', async (request, reply) => {
    const { names } = forwarder.regions;
    const { server } = context.agent;
    const known = server === null ? names : await knownRegions(names, server.membership);
    return sendJson(reply, known, parsePretty(queryOf(request, context.limits)));
  });
}
