import { badRequest, notFound } from '@tamis/scheduler-model/base/errors.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import {
  groupsOfDeployment,
  isUnpromoted,
  restartDeadline,
  type Deployment,
} from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { evaluateDeployment } from './evaluation-writes.js';
import { failDeployment } from './deployment-failure.js';
import { followDeployment, healthyCanaries, promoteGroups } from './deployment-progress.js';
import { jobOf } from './lookups.js';
import type { Transaction } from './transaction.js';
import { writeAllocations } from './write-allocations.js';
import { deploymentTexts, writeDeployment } from './write-deployment.js';

/** Result of a deployment command, as clients see it. */
export type DeploymentWritten = ReturnType<typeof written>;

/** @throws SchedulerError `not-found`, or `bad-request` if the deployment has ended. */
function requireActive(transaction: Transaction, id: string, command: string): Deployment {
  const deployment = transaction.get('deployments', id);
  if (deployment === null) throw notFound('deployment not found');
  if (isActiveDeployment(deployment)) return deployment;
  throw badRequest(`can't ${command} terminal deployment`);
}

/** @param RevertedJobVersion the version that the job was reverted to. */
function written(
  { index: Index }: Transaction,
  evalId: string | undefined,
  RevertedJobVersion: number | bigint | null = null,
) {
  const EvalCreateIndex = evalId === undefined ? 0 : Index;
  return { EvalID: evalId ?? '', EvalCreateIndex, DeploymentModifyIndex: Index, RevertedJobVersion, Index };
}

/** Evaluates the job of a changed deployment, if the job still exists. */
function evaluate(transaction: Transaction, deployment: Deployment): string | undefined {
  const job = jobOf(transaction.tables, deployment);
  return job === null ? undefined : evaluateDeployment(transaction, job, deployment);
}

/**
 * Promotes the canaries of the given groups, or of all groups with canaries.
 *
 * @param groups null for all groups.
 * @throws SchedulerError `not-found` or `bad-request`.
 */
export function promoteDeployment(
  transaction: Transaction,
  id: string,
  groups: readonly string[] | null,
): DeploymentWritten {
  const deployment = requireActive(transaction, id, 'promote');
  const waiting = groupsOfDeployment(deployment).filter(
    ([name, group]) => isUnpromoted(group) && (groups === null || groups.includes(name)),
  );
  if (waiting.length === 0) throw badRequest('no canaries to promote');
  const unready = waiting.flatMap(([name, { DesiredCanaries }]) => {
    const healthy = healthyCanaries(transaction.tables, deployment, name);
    const text = `Task group ${JSON.stringify(name)} has ${healthy}/${DesiredCanaries} healthy allocations`;
    return healthy >= DesiredCanaries ? [] : [text];
  });
  if (unready.length > 0) throw badRequest(listErrors(unready));
  const changed = promoteGroups(deployment, groups, nowOf(transaction));
  writeDeployment(transaction, changed);
  followDeployment(transaction, changed);
  return written(transaction, evaluate(transaction, changed));
}

/** Pauses a deployment, or resumes it with full progress deadlines. @throws SchedulerError `not-found` or `bad-request`. */
export function pauseDeployment(transaction: Transaction, id: string, pause: boolean): DeploymentWritten {
  const deployment = requireActive(transaction, id, pause ? 'pause' : 'resume');
  const Status = pause ? 'paused' : 'running';
  const StatusDescription = pause ? deploymentTexts.paused : deploymentTexts.running;
  const hasResumed = !pause && deployment.Status === 'paused';
  const changed = {
    ...(hasResumed ? restartAll(deployment, nowOf(transaction)) : deployment),
    Status,
    StatusDescription,
  };
  writeDeployment(transaction, changed);
  if (pause) return written(transaction, undefined);
  followDeployment(transaction, changed);
  return written(transaction, evaluate(transaction, changed));
}

function restartAll(deployment: Deployment, now: number): Deployment {
  const groups = groupsOfDeployment(deployment).map(([name, group]) => [
    name,
    // The deadline does not start before the first allocation.
    group.RequireProgressBy === null ? group : restartDeadline(group, now),
  ]);
  return { ...deployment, TaskGroups: Object.fromEntries(groups) as Deployment['TaskGroups'] };
}

/** Returns the time in ms since 1970. */
function nowOf(transaction: Transaction): number {
  return Number(transaction.stamp() / 1_000_000n);
}

/** Marks a deployment as failed. @throws SchedulerError `not-found` or `bad-request`. */
export function failDeploymentByUser(transaction: Transaction, id: string): DeploymentWritten {
  const deployment = requireActive(transaction, id, 'fail');
  return fail(transaction, deployment, deploymentTexts.failedByUser);
}

function fail(transaction: Transaction, deployment: Deployment, description: string): DeploymentWritten {
  const before = jobOf(transaction.tables, deployment)?.Version ?? null;
  const [evalId] = failDeployment(transaction, deployment, description);
  const after = jobOf(transaction.tables, deployment)?.Version ?? null;
  return written(transaction, evalId, after === before ? null : after);
}

/**
 * Sets the health of allocations of a deployment. An unhealthy one fails the deployment.
 *
 * @throws SchedulerError `not-found` or `bad-request`.
 */
export function setAllocationHealth(
  transaction: Transaction,
  id: string,
  healthy: readonly string[],
  unhealthy: readonly string[],
): DeploymentWritten {
  if (healthy.length + unhealthy.length === 0) {
    throw badRequest('must specify at least one healthy/unhealthy allocation ID');
  }
  const deployment = requireActive(transaction, id, 'set health of allocations for a');
  const Timestamp = new Date(nowOf(transaction)).toISOString();
  const mark = (ids: readonly string[], Healthy: boolean): Allocation[] =>
    ids.map((allocationId) => {
      const row = requireAllocation(transaction, deployment, allocationId);
      const Canary = row.DeploymentStatus?.Canary ?? false;
      return { ...row, DeploymentStatus: { Healthy, Timestamp, Canary, ModifyIndex: transaction.index } };
    });
  writeAllocations(transaction, [...mark(healthy, true), ...mark(unhealthy, false)]);
  if (unhealthy.length > 0) return fail(transaction, deployment, deploymentTexts.unhealthy);
  const [evalId] = followDeployment(transaction, deployment);
  return written(transaction, evalId);
}

function requireAllocation(transaction: Transaction, deployment: Deployment, id: string): Allocation {
  const row = transaction.get('allocations', id);
  const name = quote(id);
  if (row === null) throw badRequest(`unknown alloc ${name}`);
  if (row.DeploymentID === deployment.ID) return row;
  const other = JSON.stringify(deployment.ID);
  throw badRequest(`alloc ${name} is not part of deployment ${other}`);
}
