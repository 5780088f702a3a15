import type { FastifyInstance } from 'fastify';
import { deploymentFilterSchema, type Deployment } from '../model/deployment.js';
import { getRow } from '../state/table.js';
import { allocationsWhere, stubAllocations } from './allocation-routes.js';
import type { HttpContext } from './context.js';
import { selectCreated } from './created-rows.js';
import { addListRoute, type ListResource } from './list-route.js';
import { addReadRoute, rowPart, rowsPart, type ReadResource } from './read-route.js';

const deploymentList: ListResource<Deployment> = {
  path: '/v1/deployments',
  tables: ['deployments'],
  schema: deploymentFilterSchema,
  filteringParameters: ['prefix'],
  canReverse: true,
  select: ({ tables }, query) => selectCreated(tables.deployments, query),
  stub: () => (deployment) => deployment,
};

const deploymentRead: ReadResource = {
  prefix: '/v1/deployment/',
  parts: [
    rowPart(
      'deployments',
      ({ tables }, id) => getRow(tables.deployments, id),
      (deployment: Deployment) => deployment,
      'deployment not found',
    ),
  ],
  otherSuffixes: [],
};

/** Here the word stands before the id. */
const deploymentAllocations: ReadResource = {
  prefix: '/v1/deployment/allocations/',
  parts: [
    rowsPart('', 'allocations', (query) => {
      const show = stubAllocations(query);
      return (snapshot, id) => show(allocationsWhere(snapshot, ({ DeploymentID }) => DeploymentID === id));
    }),
  ],
  otherSuffixes: [],
};

/** Adds the routes of deployments. */
export function addDeploymentRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, deploymentList);
  addReadRoute(app, context, deploymentRead);
  addReadRoute(app, context, deploymentAllocations);
}
