import type { FastifyInstance } from 'fastify';
import type { AgentContext } from './agent-context.js';
import { addHealthRoute } from './agent-health.js';
import { addHostRoute } from './agent-host.js';
import { addMemberRoutes } from './agent-members.js';
import { addMonitorRoute } from './agent-monitor.js';
import { addProfileRoutes } from './agent-profiles.js';
import { addSchedulerRoutes } from './agent-schedulers.js';
import { addSelfRoute } from './agent-self.js';
import { addServerListRoutes } from './agent-servers.js';
import { addMetricsRoute } from './metrics-routes.js';
import { addOpenApiRoute } from './openapi/openapi-route.js';

/** Adds the routes that are about one agent and not about the cluster. They have no index: nobody can wait for them. */
export function addAgentRoutes(app: FastifyInstance, context: AgentContext): void {
  addMemberRoutes(app, context);
  addServerListRoutes(app, context);
  addSelfRoute(app, context);
  addHealthRoute(app, context);
  addHostRoute(app, context);
  addSchedulerRoutes(app, context);
  addMonitorRoute(app, context);
  addProfileRoutes(app, context);
  addMetricsRoute(app, context);
  addOpenApiRoute(app, context);
}
