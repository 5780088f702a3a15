import type { Access } from '../../acl/access.js';
import { deployments, type Deployment } from '../../model/deployment.js';
import { getRow } from 'tamis/table';
import { ifVisible } from '../access/access.js';
import { allocationsWhere, stubAllocations } from '../allocations/allocation-routes.js';
import type { HttpContext } from '../context.js';
import { selectCreated } from '../lists/creation-order.js';
import { deploymentWrites } from './deployment-writes.js';
import { listRoute } from '../lists/list-route.js';
import { foundRow, readRoute } from '../read-route.js';
import { rowsAnywhere, rowsOfNamespace } from '../access/rights.js';
import type { Route } from '../route.js';
import { rowList } from '../row-list.js';

const deployment = { tag: 'deployments', right: rowsAnywhere('read-job') } as const;

/** The routes of deployments. */
export const deploymentRoutes: readonly Route<HttpContext, Access>[] = [
  listRoute<Deployment>({
    path: '/v1/deployments',
    summary: 'List deployments',
    tag: 'deployments',
    right: rowsOfNamespace('read-job'),
    entry: 'Deployment',
    tables: ['deployments'],
    resource: deployments,
    parameters: ['namespace', 'reverse'],
    select: ({ tables }, query) => selectCreated(tables.deployments, query),
    stub: () => (row) => row,
  }),
  readRoute({
    ...deployment,
    path: '/v1/deployment/{deployment_id}',
    summary: 'Read a deployment',
    parameters: ['namespace'],
    answer: { kind: 'json', schema: 'Deployment' },
    tables: ['deployments'],
    missing: 'deployment not found',
    find:
      (_query, id) =>
      ({ tables }, isVisible) =>
        foundRow(ifVisible(getRow(tables.deployments, id), isVisible)),
  }),
  readRoute({
    ...deployment,
    path: '/v1/deployment/allocations/{deployment_id}',
    summary: 'List the allocations of a deployment',
    parameters: ['namespace', 'resources', 'task_states'],
    answer: { kind: 'list', schema: 'AllocationListStub', filtered: false },
    tables: ['allocations'],
    find(query, id) {
      const stub = stubAllocations(query);
      return (snapshot, isVisible) => ({
        rows: rowList(allocationsWhere(snapshot, 'DeploymentID', id), isVisible, stub),
      });
    },
  }),
  ...deploymentWrites,
];
