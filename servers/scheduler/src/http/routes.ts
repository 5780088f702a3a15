import type { Access } from '../acl/access.js';
import { aclPolicyRoutes } from './acl-policy-routes.js';
import { aclTokenRoutes } from './acl-token-routes.js';
import type { AgentAccess, AgentContext } from './agent-context.js';
import { healthRoute } from './agent-health.js';
import { hostRoute } from './agent-host.js';
import { memberRoutes } from './agent-members.js';
import { monitorRoute } from './agent-monitor.js';
import { profileRoute } from './agent-profiles.js';
import { workerRoutes } from './agent-schedulers.js';
import { selfRoute } from './agent-self.js';
import { knownServerRoutes } from './agent-servers.js';
import { allocationRoutes } from './allocation-routes.js';
import { commandRoutes } from './command-routes.js';
import type { HttpContext } from './context.js';
import { deploymentRoutes } from './deployment-routes.js';
import { eventRoutes } from './event-routes.js';
import { evaluationRoutes } from './evaluation-routes.js';
import { fileRoutes } from './files/file-routes.js';
import { logRoute } from './files/log-route.js';
import { jobRoutes } from './job-routes.js';
import { metricsRoute } from './metrics-routes.js';
import { namespaceRoutes } from './namespace-routes.js';
import { nodeRoutes } from './node-routes.js';
import { openApiRoute } from './openapi/openapi-route.js';
import type { Route, RouteFacts } from './route.js';
import { statusRoutes } from './status-routes.js';

/** The routes of a server, about the cluster. */
export const clusterRoutes: readonly Route<HttpContext, Access>[] = [
  ...jobRoutes,
  ...nodeRoutes,
  ...allocationRoutes,
  ...commandRoutes,
  logRoute,
  ...fileRoutes,
  ...evaluationRoutes,
  ...deploymentRoutes,
  ...namespaceRoutes,
  ...aclTokenRoutes,
  ...aclPolicyRoutes,
  ...eventRoutes,
  ...statusRoutes,
];

/** The routes of every agent, about itself. */
export const agentRoutes: readonly Route<AgentContext, AgentAccess>[] = [
  ...memberRoutes,
  ...knownServerRoutes,
  selfRoute,
  healthRoute,
  hostRoute,
  ...workerRoutes,
  monitorRoute,
  profileRoute,
  metricsRoute,
  openApiRoute(() => interfaceRoutes),
];

/** The whole interface: what the document describes. */
export const interfaceRoutes: readonly RouteFacts[] = [...clusterRoutes, ...agentRoutes];
