import type { FastifyInstance } from 'fastify';
import type { AgentContext } from './kernel/agent-context.js';
import { refusedWorkerRoutes } from './agent/agent-schedulers.js';
import { sendText } from './kernel/requests/response-body.js';
import { docsRoutes } from './pages/docs/docs-routes.js';
import { frontPageRoutes } from './pages/front-page/front-page-routes.js';
import { agentRoutes } from './routes.js';
import { openRoutes } from './kernel/routing.js';
import { openApp, type AppContext } from './server.js';

/**
 * Builds the HTTP server of a client agent, not yet listening. It handles requests about itself and forwards all others to
 * servers.
 */
export function buildClientServer(context: AppContext, agent: AgentContext): FastifyInstance {
  const { accessOf, client, name } = agent;
  const gate = { accessOf, region: name.region, forwarder: null, leaderRouting: null };
  const routes = [...agentRoutes, ...refusedWorkerRoutes, ...frontPageRoutes(null), ...docsRoutes];
  return openApp(context, {
    routes: openRoutes(routes, agent, gate),
    otherwise(request, reply) {
      const { url } = request;
      const isForServers = url.startsWith('/v1/') && !url.startsWith('/v1/agent/');
      return isForServers && client !== null ? client.forward(request, reply) : sendText(reply, 404, '');
    },
    release: () => undefined,
  });
}
