import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { firstParameter } from '@tamis/http';
import { refuse, requireAgent } from '../kernel/access.js';
import { agentRoute, nothingToParse } from '../kernel/agent-route.js';
import { callTarget } from '../kernel/agent-target.js';

/** Data about the machine of this or another agent. */
export const hostRoute = agentRoute({
  path: '/v1/agent/host',
  summary: 'Read about the machine of an agent',
  right: {
    name: 'agent:read',
    async grant(getAccess, _input, { acl, debug }) {
      // Without ACLs no caller can be authorised, and the environment of a process is not public.
      if (!acl && !debug) refuse();
      requireAgent(await getAccess(), 'read');
    },
  },
  parameters: ['region', 'server_id', 'node_id', 'pretty'],
  failures: [404],
  forward: 'region',
  response: { kind: 'json', schema: 'AgentHost' },
  parse: nothingToParse,
  // Clients expect rights to be checked before parameters.
  run(_input, context, call) {
    const { parameters } = call;
    if (firstParameter(parameters, 'node_id') !== '' && firstParameter(parameters, 'server_id') !== '') {
      throw badRequest('Can only forward to either client node or server');
    }
    return callTarget(context, call, 'host');
  },
});
