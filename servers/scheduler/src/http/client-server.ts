import type { FastifyInstance } from 'fastify';
import type { AgentContext } from './agent-context.js';
import { addAgentRoutes } from './agent-routes.js';
import { addFrontPage } from './front-page/front-page-routes.js';
import { sendText } from '../requests/answer.js';
import { pathOf } from '../requests/request.js';
import { openApp, type AppContext } from './server.js';
import { explainMissing } from './unbuilt-routes.js';

/**
 * Builds the HTTP server of an agent that is no server, not yet listening: it answers what is about itself, and lets
 * servers answer everything else.
 */
export function buildClientServer(context: AppContext, agent: AgentContext): FastifyInstance {
  return openApp(context, {
    addRoutes(app) {
      addAgentRoutes(app, agent);
      addFrontPage(app, agent, null);
    },
    otherwise(request, reply) {
      const { url } = request;
      const isForServers = url.startsWith('/v1/') && !url.startsWith('/v1/agent/');
      return isForServers && agent.client !== null
        ? agent.client.forward(request, reply)
        : sendText(reply, 404, explainMissing(pathOf(request)));
    },
    release: () => undefined,
  });
}
