import { aclPolicyRoutes } from './resources/acl/acl-policy-routes.js';
import { aclTokenRoutes } from './resources/acl/acl-token-routes.js';
import { healthRoute } from './agent/agent-health.js';
import { hostRoute } from './agent/agent-host.js';
import { memberRoutes } from './agent/agent-members.js';
import { monitorRoute } from './agent/agent-monitor.js';
import { profileRoute } from './agent/agent-profiles.js';
import { workerRoutes } from './agent/agent-schedulers.js';
import { selfRoute } from './agent/agent-self.js';
import { knownServerRoutes } from './agent/agent-servers.js';
import { allocationRoutes } from './resources/allocations/allocation-routes.js';
import { commandRoutes } from './resources/allocations/command-routes.js';
import type { ClusterRoute } from './kernel/context.js';
import { deploymentRoutes } from './resources/deployments/deployment-routes.js';
import { eventRoutes } from './resources/events/event-routes.js';
import { evaluationRoutes } from './resources/evaluations/evaluation-routes.js';
import { fileRoutes } from './resources/files/file-routes.js';
import { logRoute } from './resources/files/log-route.js';
import { jobRoutes } from './resources/jobs/job-routes.js';
import { metricsRoute } from './agent/metrics-routes.js';
import { namespaceRoutes } from './resources/namespaces/namespace-routes.js';
import { nodeRoutes } from './resources/nodes/node-routes.js';
import { exportRoute } from './resources/operator/export-route.js';
import { openApiRoute } from './document/openapi-route.js';
import type { RouteFacts } from './kernel/route.js';
import { statusRoutes } from './agent/status-routes.js';
import type { AgentRoute } from './kernel/agent-route.js';

/** The routes of a server about the cluster. */
export const clusterRoutes: readonly ClusterRoute[] = [
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
  exportRoute,
];

/** The routes of every agent about itself. */
export const agentRoutes: readonly AgentRoute[] = [
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

/** The whole interface, as described in the document. */
export const interfaceRoutes: readonly RouteFacts[] = [...clusterRoutes, ...agentRoutes];
