import { firstParameter, parseGoBool } from '@tamis/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { listErrors } from '../model/job-rules/findings.js';
import { requireAgent, requireNode } from './access.js';
import type { AgentContext } from './agent-context.js';
import { sendJson, sendText } from '../requests/answer.js';
import { parsePretty, parseReadQuery } from '../requests/query.js';
import { queryOf } from '../requests/request.js';

/** Adds the routes of the gossip pool: its members, joining others, and declaring members gone. */
export function addMemberRoutes(app: FastifyInstance, context: AgentContext): void {
  const { client, limits, name, server } = context;

  app.get('/v1/agent/members', async (request, reply) => {
    const { pretty } = parseReadQuery(queryOf(request, limits));
    // A client is no member itself: a server knows who is.
    if (server === null) return requireClient(client).forward(request, reply);
    requireNode(await context.accessOf(request), 'read');
    const Members = await server.membership.members();
    const { node: ServerName, region: ServerRegion, datacenter: ServerDC } = name;
    return sendJson(reply, { ServerName, ServerRegion, ServerDC, Members }, pretty);
  });

  for (const method of ['PUT', 'POST'] as const) {
    app.route({
      method,
      url: '/v1/agent/join',
      async handler(request, reply) {
        const { membership } = requireServer(context);
        const parameters = queryOf(request, limits);
        const addresses = givenAddresses(request, context);
        if (addresses.length === 0) throw badRequest('missing address to join');
        const { joined, failures } = await membership.join(addresses);
        // Whoever has reached one agent is in; the failures are worth a word only where there is nothing else.
        const error = joined > 0 || failures.length === 0 ? '' : listErrors(failures);
        return sendJson(reply, { error, num_joined: joined }, parsePretty(parameters));
      },
    });
    app.route({
      method,
      url: '/v1/agent/force-leave',
      async handler(request, reply) {
        const { membership } = requireServer(context);
        requireAgent(await context.accessOf(request), 'write');
        const parameters = queryOf(request, limits);
        const node = firstParameter(parameters, 'node');
        if (node === '') throw badRequest('missing node to force leave');
        await membership.forceLeave(node, parsePrune(firstParameter(parameters, 'prune')));
        return sendText(reply, 200, '');
      },
    });
  }
}

function parsePrune(text: string): boolean {
  const prune = text === '' ? false : parseGoBool(text);
  if (prune === null) throw badRequest('invalid prune value');
  return prune;
}

/** All values of `address`, without the empty ones. */
export function givenAddresses(request: FastifyRequest, { limits }: AgentContext): readonly string[] {
  return (queryOf(request, limits).get('address') ?? []).filter((address) => address !== '');
}

/** @throws SchedulerError `wrong-mode` on an agent that is no server. */
export function requireServer({ server }: AgentContext): NonNullable<AgentContext['server']> {
  return server ?? refuseMode();
}

/** @throws SchedulerError `wrong-mode` on an agent that is no client. */
export function requireClient(client: AgentContext['client']): NonNullable<AgentContext['client']> {
  return client ?? refuseMode();
}

function refuseMode(): never {
  throw new SchedulerError('wrong-mode', 'Invalid method');
}

/** A parameter or a body that cannot be followed. */
export function badRequest(message: string): SchedulerError {
  return new SchedulerError('bad-agent-request', message);
}
