import type { FastifyInstance } from 'fastify';
import { deployments, type Deployment } from '../model/deployment.js';
import { getRow } from '../state/table.js';
import { ifVisible, visibleAnywhere, visibleRows } from './access.js';
import { allocationsWhere, stubAllocations } from './allocation-routes.js';
import type { HttpContext } from './context.js';
import { selectCreated } from './created-rows.js';
import { addDeploymentWrites } from './deployment-writes.js';
import { addListRoute, type ListResource } from './list-route.js';
import { addReadRoute, rowPart, rowsPart, type ReadResource } from './read-route.js';
import { rowList } from './row-list.js';

const deploymentList: ListResource<Deployment> = {
  path: '/v1/deployments',
  tables: ['deployments'],
  schema: deployments.schema,
  indexes: deployments.filterIndexes,
  filteringParameters: ['prefix'],
  canReverse: true,
  authorise: (access, query) => visibleRows(access, 'read-job', query),
  select: ({ tables }, query) => selectCreated(tables.deployments, query),
  stub: () => (deployment) => deployment,
};

const deploymentRead: ReadResource = {
  prefix: '/v1/deployment/',
  authorise: (access, query) => visibleAnywhere(access, 'read-job', query),
  parts: [
    rowPart(
      'deployments',
      ({ tables }, id, _query, isVisible) => ifVisible(getRow(tables.deployments, id), isVisible),
      (deployment: Deployment) => deployment,
      'deployment not found',
    ),
  ],
  writes: /^(?:promote|pause|fail|allocation-health)\//,
};

/** Here the word stands before the id. */
const deploymentAllocations: ReadResource = {
  prefix: '/v1/deployment/allocations/',
  authorise: (access, query) => visibleAnywhere(access, 'read-job', query),
  parts: [
    rowsPart('', 'allocations', (query) => {
      const stub = stubAllocations(query);
      return (snapshot, id, isVisible) => {
        return rowList(allocationsWhere(snapshot, 'DeploymentID', id), isVisible, stub);
      };
    }),
  ],
};

/** Adds the routes of deployments. */
export function addDeploymentRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, deploymentList);
  addReadRoute(app, context, deploymentRead);
  addReadRoute(app, context, deploymentAllocations);
  addDeploymentWrites(app, context);
}
