import {
  agentRoute,
  givenAddresses,
  nothingToParse,
  requireClient,
  type AgentRoute,
} from '../kernel/agent-route.js';
import { jsonResponse } from '../kernel/response.js';
import { agentRight } from '../kernel/rights.js';

const path = '/v1/agent/servers';

/** The routes of the servers that a client knows. */
export const knownServerRoutes: readonly AgentRoute[] = [
  agentRoute({
    path,
    summary: 'List the servers that a client knows',
    requires: requireClient,
    right: agentRight('read'),
    failures: [501],
    response: { kind: 'texts' },
    parse: nothingToParse,
    run: (_input, context, call) => jsonResponse(call, requireClient(context).servers.addresses()),
  }),
  agentRoute({
    method: 'put',
    path,
    summary: 'Replace the servers that a client knows',
    requires: requireClient,
    right: agentRight('write'),
    parameters: ['address'],
    failures: [501],
    response: { kind: 'empty' },
    parse: (call) => givenAddresses(call, 'missing server address'),
    async run(addresses, context) {
      await requireClient(context).servers.replace(addresses);
      return {};
    },
  }),
];
