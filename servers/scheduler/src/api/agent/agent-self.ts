import { noMember } from '@tamis/scheduler-model/wire/member.js';
import { agentRoute, nothingToParse } from '../kernel/agent-route.js';
import { jsonResponse } from '../kernel/response.js';
import { agentRight } from '../kernel/rights.js';

/** Returns the configuration, member and statistics of an agent. */
export const selfRoute = agentRoute({
  path: '/v1/agent/self',
  summary: 'Read what the agent reports about itself',
  right: agentRight('read'),
  response: { kind: 'json', schema: 'AgentSelf' },
  parse: nothingToParse,
  run: async (_input, { describeConfig, server, stats }, call) =>
    jsonResponse(call, {
      config: describeConfig(),
      member: server?.membership.self() ?? noMember,
      stats: await stats(),
    }),
});
