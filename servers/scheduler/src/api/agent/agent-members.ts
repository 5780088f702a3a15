import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { firstParameter, parseGoBool } from '@tamis/http';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';
import { requireNode } from '../kernel/access.js';
import {
  agentRoute,
  givenAddresses,
  nothingToParse,
  requireServer,
  type AgentRoute,
} from '../kernel/agent-route.js';
import { forwardToServer } from '../kernel/agent-target.js';
import { jsonResponse } from '../kernel/response.js';
import { parseReadQuery } from '../kernel/query.js';
import { readParameters } from '../lists/read-route.js';
import { agentRight, noRight } from '../kernel/rights.js';

/** The routes about the gossip pool: list members, join others, and mark members as gone. */
export const memberRoutes: readonly AgentRoute[] = [
  agentRoute({
    path: '/v1/agent/members',
    summary: 'List the members of the gossip pool',
    right: {
      name: 'node:read',
      // The request is forwarded to a server: a client is not a member, and only servers know who may list the members.
      async grant(getAccess, _input, { server }) {
        if (server !== null) requireNode(await getAccess(), 'read');
      },
    },
    parameters: readParameters,
    response: { kind: 'json', schema: 'Members' },
    parse: ({ parameters }) => parseReadQuery(parameters),
    async run(_query, context, call) {
      const { name, server } = context;
      if (server === null) return forwardToServer(context, call);
      const Members = await server.membership.members();
      const { node: ServerName, region: ServerRegion, datacenter: ServerDC } = name;
      return jsonResponse(call, { ServerName, ServerRegion, ServerDC, Members });
    },
  }),
  agentRoute({
    method: 'put',
    path: '/v1/agent/join',
    summary: 'Join other agents',
    requires: requireServer,
    right: noRight,
    parameters: ['address', 'pretty'],
    failures: [501],
    response: { kind: 'json', schema: 'Joined' },
    parse: (call) => givenAddresses(call, 'missing address to join'),
    async run(addresses, context, call) {
      const { joined, failures } = await requireServer(context).membership.join(addresses);
      // An agent that reached one other agent has joined. Failures are reported only if all attempts failed.
      const error = joined > 0 || failures.length === 0 ? '' : listErrors(failures);
      return jsonResponse(call, { error, num_joined: joined });
    },
  }),
  agentRoute({
    method: 'put',
    path: '/v1/agent/force-leave',
    summary: 'Declare a member gone',
    requires: requireServer,
    right: agentRight('write'),
    parameters: ['node', 'prune'],
    failures: [501],
    response: { kind: 'empty' },
    parse: nothingToParse,
    // Clients expect rights to be checked before parameters.
    async run(_input, context, { parameters }) {
      const node = firstParameter(parameters, 'node');
      if (node === '') throw badRequest('missing node to force leave');
      const prune = parsePrune(firstParameter(parameters, 'prune'));
      await requireServer(context).membership.forceLeave(node, prune);
      return {};
    },
  }),
];

function parsePrune(text: string): boolean {
  const prune = text === '' ? false : parseGoBool(text);
  if (prune === null) throw badRequest('invalid prune value');
  return prune;
}
