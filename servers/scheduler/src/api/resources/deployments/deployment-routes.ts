import type { Access } from '../../../services/acl/access.js';
import { deployments, type Deployment } from '@tamis/scheduler-model/deployment.js';
import { getRow } from 'tamis/table';
import { ifVisible } from '../../kernel/access.js';
import { allocationsOf } from '../allocations/allocation-routes.js';
import type { HttpContext } from '../../kernel/context.js';
import { selectCreated } from '../../lists/creation-order.js';
import { deploymentWrites } from './deployment-writes.js';
import { listRoute } from '../../lists/list-route.js';
import { foundRow, readRoute } from '../../lists/read-route.js';
import { rowsAnywhere, rowsOfNamespace } from '../../kernel/rights.js';
import type { Route } from '../../kernel/route.js';

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
    tag: 'deployments',
    right: rowsAnywhere('read-job'),
    path: '/v1/deployment/{deployment_id}',
    summary: 'Read a deployment',
    parameters: ['namespace'],
    response: { kind: 'json', schema: 'Deployment' },
    tables: ['deployments'],
    missing: 'deployment not found',
    find:
      (_query, id) =>
      ({ tables }, isVisible) =>
        foundRow(ifVisible(getRow(tables.deployments, id), isVisible)),
  }),
  allocationsOf('DeploymentID', {
    path: '/v1/deployment/allocations/{deployment_id}',
    summary: 'List the allocations of a deployment',
    tag: 'deployments',
  }),

  ...deploymentWrites,
];
