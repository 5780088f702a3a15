import { firstParameter } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import { refuse, requireAgent } from './access.js';
import type { AgentContext } from './agent-context.js';
import { badRequest } from './agent-members.js';
import { askTarget } from './agent-target.js';
import { queryOf } from '../requests/request.js';

/** Adds the data about the machine of an agent, this one or another. */
export function addHostRoute(app: FastifyInstance, context: AgentContext): void {
  app.get('/v1/agent/host', async (request, reply) => {
    // Without access control there is nobody to ask, and the environment of a process is not for everybody.
    if (!context.acl && !context.debug) return refuse();
    requireAgent(await context.accessOf(request), 'read');
    const parameters = queryOf(request, context.limits);
    if (firstParameter(parameters, 'node_id') !== '' && firstParameter(parameters, 'server_id') !== '') {
      throw badRequest('Can only forward to either client node or server');
    }
    return askTarget(context, request, reply, 'host');
  });
}
