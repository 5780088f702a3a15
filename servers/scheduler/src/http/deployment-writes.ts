import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { s } from '../model/shape.js';
import {
  failDeploymentByUser,
  pauseDeployment,
  promoteDeployment,
  setAllocationHealth,
  type DeploymentWritten,
} from '../state/deployment-commands.js';
import { getRow } from '../state/table.js';
import type { Transaction } from '../state/transaction.js';
import { accessOf, ifVisible, visibleAnywhere } from './access.js';
import { readBody } from '../requests/body.js';
import type { HttpContext } from './context.js';
import { pathAfter } from '../requests/request.js';
import { answerWrite, hasBody } from './write-route.js';

export const promotionShape = s.struct({ DeploymentID: s.string, All: s.bool, Groups: s.list(s.string) });
export const pauseShape = s.struct({ DeploymentID: s.string, Pause: s.bool });
export const failureShape = s.struct({ DeploymentID: s.string });
export const healthShape = s.struct({
  DeploymentID: s.string,
  HealthyAllocationIDs: s.list(s.string),
  UnhealthyAllocationIDs: s.list(s.string),
});

type Action = (transaction: Transaction) => DeploymentWritten;

/** Reads what a command says beside its path. */
type Reader = (request: FastifyRequest, id: string, context: HttpContext) => Action;

/** The commands by the words before the id. */
const commands: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'promote',
    ({ body }, id, context) => {
      const { DeploymentID, All, Groups } = readBody(promotionShape, body);
      requireSame(DeploymentID, id);
      const groups = All === true ? null : (Groups ?? []);
      if (groups?.length === 0) {
        throw new SchedulerError('bad-deployment', 'either All or Groups must say what to promote');
      }
      if (All === true && (Groups ?? []).length > 0) {
        throw new SchedulerError('bad-deployment', 'All and Groups exclude each other');
      }
      return (transaction) => promoteDeployment(transaction, id, groups, context);
    },
  ],
  [
    'pause',
    ({ body }, id, context) => {
      const { DeploymentID, Pause } = readBody(pauseShape, body);
      requireSame(DeploymentID, id);
      return (transaction) => pauseDeployment(transaction, id, Pause === true, context);
    },
  ],
  [
    'fail',
    (request, id, context) => {
      if (hasBody(request)) requireSame(readBody(failureShape, request.body).DeploymentID, id);
      return (transaction) => failDeploymentByUser(transaction, id, context);
    },
  ],
  [
    'allocation-health',
    ({ body }, id, context) => {
      const { DeploymentID, ...ids } = readBody(healthShape, body);
      requireSame(DeploymentID, id);
      const healthy = ids.HealthyAllocationIDs ?? [];
      const unhealthy = ids.UnhealthyAllocationIDs ?? [];
      return (transaction) => setAllocationHealth(transaction, id, healthy, unhealthy, context);
    },
  ],
]);

function requireSame(given: string | undefined, id: string): void {
  if (given !== undefined && given !== '' && given !== id) {
    throw new SchedulerError('bad-deployment', 'Deployment ID does not match');
  }
}

/** Adds the commands to deployments. */
export function addDeploymentWrites(app: FastifyInstance, context: HttpContext): void {
  for (const [word, read] of commands) {
    const prefix = `/v1/deployment/${word}/`;
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const id = pathAfter(request, prefix);
      const access = accessOf(request, context);
      const stored = getRow(context.state.snapshot().tables.deployments, id);
      const visible = ifVisible(stored, visibleAnywhere(access, 'submit-job'));
      const action = read(request, id, context);
      if (visible === null) throw new SchedulerError('not-found', 'deployment not found');
      return answerWrite(context, request, reply, { action, show });
    };
    for (const method of ['PUT', 'POST'] as const) app.route({ method, url: `${prefix}*`, handler });
  }
}

function show(written: DeploymentWritten): object {
  return {
    EvalID: written.evalId,
    EvalCreateIndex: written.evalCreateIndex,
    DeploymentModifyIndex: written.deploymentModifyIndex,
    RevertedJobVersion: written.revertedJobVersion,
  };
}
