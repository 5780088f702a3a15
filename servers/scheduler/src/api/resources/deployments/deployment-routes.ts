import type { Access } from '../../../services/acl/access.js';
import { deployments, type Deployment } from '@tamis/scheduler-model/deployment.js';
import { getRow } from 'tamis/table';
import { ifVisible, visibleAnywhere } from '../../kernel/access.js';
import { allocationsOf } from '../allocations/allocation-routes.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { selectCreated } from '../../lists/creation-order.js';
import { listRoute } from '../../lists/list-route.js';
import { foundRow, readRoute } from '../../lists/read-route.js';
import { rowsAnywhere, rowsOfNamespace, type Right } from '../../kernel/rights.js';
import type { Call, RouteFacts } from '../../kernel/route.js';
import { t } from 'tamis';
import { badRequest, notFound } from '@tamis/scheduler-model/base/errors.js';
import {
  failDeploymentByUser,
  pauseDeployment,
  promoteDeployment,
  setAllocationHealth,
  type DeploymentWritten,
} from '@tamis/scheduler-state/state/deployment-commands.js';
import type { Transaction } from '@tamis/scheduler-state/state/transaction.js';
import { readBody } from '../../kernel/requests/body.js';
import { hasBody, sameId, writeRoute } from '../../lists/write-route.js';

export const promotionShape = t.struct({ DeploymentID: t.string, All: t.bool, Groups: t.list(t.string) });
export const pauseShape = t.struct({ DeploymentID: t.string, Pause: t.bool });
export const failureShape = t.struct({ DeploymentID: t.string });
export const healthShape = t.struct({
  DeploymentID: t.string,
  HealthyAllocationIDs: t.list(t.string),
  UnhealthyAllocationIDs: t.list(t.string),
});

const requireSame = sameId('Deployment ID does not match');

interface CommandInput {
  readonly id: string;
  readonly action: (transaction: Transaction) => DeploymentWritten;
}

/** A deployment in a forbidden namespace is reported as missing. */
const submitRight: Right<Access, CommandInput, void, HttpContext> = {
  name: 'namespace:submit-job',
  async grant(getAccess, { id }, { state }) {
    const isVisible = visibleAnywhere(await getAccess(), 'submit-job');
    if (ifVisible(getRow(state.snapshot().tables.deployments, id), isVisible) === null) {
      throw notFound('deployment not found');
    }
  },
};

/** Creates a deployment command. The path contains the deployment ID, and the body may. */
function command(
  word: string,
  summary: string,
  body: NonNullable<RouteFacts['body']>,
  parse: (call: Call) => CommandInput['action'],
): ClusterRoute {
  return writeRoute({
    path: `/v1/deployment/${word}/{deployment_id}`,
    summary,
    tag: 'deployments',
    right: submitRight,
    failures: [404],
    body,
    response: { kind: 'json', schema: 'DeploymentWritten' },
    parse: (call): CommandInput => ({ id: call.id, action: parse(call) }),
    write: ({ action }, { state }) => state.write(action),
    project: (written) => ({ index: written.Index, body: written }),
  });
}

/** Deployment commands, by the path segment before the ID. */
const deploymentWrites: readonly ClusterRoute[] = [
  command(
    'promote',
    'Promote the canaries of a deployment',
    { schema: 'DeploymentPromotion', required: true },
    ({ request, id }) => {
      const { DeploymentID, All, Groups } = readBody(promotionShape, request.body);
      requireSame(DeploymentID, id);
      const groups = All === true ? null : (Groups ?? []);
      if (groups?.length === 0) throw badRequest('either All or Groups must say what to promote');
      if (All === true && (Groups ?? []).length > 0) throw badRequest('All and Groups exclude each other');
      return (transaction) => promoteDeployment(transaction, id, groups);
    },
  ),
  command(
    'pause',
    'Hold a deployment, or let it go on',
    { schema: 'DeploymentPause', required: true },
    ({ request, id }) => {
      const { DeploymentID, Pause } = readBody(pauseShape, request.body);
      requireSame(DeploymentID, id);
      return (transaction) => pauseDeployment(transaction, id, Pause === true);
    },
  ),
  command(
    'fail',
    'End a deployment as failed',
    { schema: 'DeploymentFailure', required: false },
    ({ request, id }) => {
      if (hasBody(request)) requireSame(readBody(failureShape, request.body).DeploymentID, id);
      return (transaction) => failDeploymentByUser(transaction, id);
    },
  ),
  command(
    'allocation-health',
    'Say which allocations of a deployment are well',
    { schema: 'AllocationHealth', required: true },
    ({ request, id }) => {
      const { DeploymentID, ...ids } = readBody(healthShape, request.body);
      requireSame(DeploymentID, id);
      const healthy = ids.HealthyAllocationIDs ?? [];
      const unhealthy = ids.UnhealthyAllocationIDs ?? [];
      return (transaction) => setAllocationHealth(transaction, id, healthy, unhealthy);
    },
  ),
];

/** The routes of deployments. */
export const deploymentRoutes: readonly ClusterRoute[] = [
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
