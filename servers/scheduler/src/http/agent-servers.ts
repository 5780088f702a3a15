import type { FastifyInstance } from 'fastify';
import { requireAgent } from './access.js';
import type { AgentContext } from './agent-context.js';
import { badRequest, givenAddresses, requireClient } from './agent-members.js';
import { sendJson, sendText } from '../requests/answer.js';
import { parsePretty } from '../requests/query.js';
import { queryOf } from '../requests/request.js';

const path = '/v1/agent/servers';

/** Adds the list of servers that a client knows, and its replacement. */
export function addServerListRoutes(app: FastifyInstance, context: AgentContext): void {
  app.get(path, async (request, reply) => {
    const { servers } = requireClient(context.client);
    requireAgent(await context.accessOf(request), 'read');
    return sendJson(reply, servers.addresses(), parsePretty(queryOf(request, context.limits)));
  });

  for (const method of ['PUT', 'POST'] as const) {
    app.route({
      method,
      url: path,
      async handler(request, reply) {
        const { servers } = requireClient(context.client);
        const addresses = givenAddresses(request, context);
        if (addresses.length === 0) throw badRequest('missing server address');
        requireAgent(await context.accessOf(request), 'write');
        await servers.replace(addresses);
        return sendText(reply, 200, '');
      },
    });
  }
}
