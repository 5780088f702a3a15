import type { FastifyInstance } from 'fastify';
import { deploymentFilterSchema, type Deployment } from '../model/deployment.js';
import { defaultNamespace } from '../model/namespace.js';
import { getRow } from '../state/table.js';
import type { HttpContext } from './context.js';
import { addListRoute, type ListResource } from './list-route.js';
import { addReadRoute, type ReadResource } from './read-route.js';

const deploymentList: ListResource<Deployment> = {
  path: '/v1/deployments',
  tables: ['deployments'],
  schema: deploymentFilterSchema,
  filteringParameters: ['prefix'],
  canReverse: true,
  select({ tables }, { namespace, prefix }) {
    const name = namespace || defaultNamespace;
    const where = namespace === '*' ? null : (deployment: Deployment) => deployment.Namespace === name;
    const { primary, indexes } = tables.deployments;
    return { rows: prefix === '' ? indexes.created : primary, keyPrefix: prefix, where };
  },
  stub: () => (deployment) => deployment,
};

const deploymentRead: ReadResource<Deployment> = {
  prefix: '/v1/deployment/',
  table: 'deployments',
  find: ({ tables }, id) => getRow(tables.deployments, id),
  show: (deployment) => deployment,
  missing: 'deployment not found',
  otherSuffixes: [],
};

/** Adds the routes of deployments. */
export function addDeploymentRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, deploymentList);
  addReadRoute(app, context, deploymentRead);
}
