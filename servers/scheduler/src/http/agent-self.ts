import type { FastifyInstance } from 'fastify';
import { noMember } from '../membership/member.js';
import { requireAgent } from './access.js';
import type { AgentContext } from './agent-context.js';
import { sendJson } from '../requests/answer.js';
import { parsePretty } from '../requests/query.js';
import { queryOf } from '../requests/request.js';

/** Adds what an agent tells about itself: its configuration, its member and its figures. */
export function addSelfRoute(app: FastifyInstance, context: AgentContext): void {
  app.get('/v1/agent/self', async (request, reply) => {
    requireAgent(await context.accessOf(request), 'read');
    const self = {
      config: context.describeConfig(),
      member: context.server?.membership.self() ?? noMember,
      stats: await context.stats(),
    };
    return sendJson(reply, self, parsePretty(queryOf(request, context.limits)));
  });
}
