import { SchedulerError } from '../errors.js';
import type { Allocation } from '../model/allocation.js';
import type { Deployment, DeploymentGroup } from '../model/deployment.js';
import { isActiveDeployment } from '../model/deployment-status.js';
import { jobKey } from '../model/job.js';
import { listErrors } from '../model/job-rules/findings.js';
import { quote } from '../model/quote.js';
import { failDeployment } from './deployment-failure.js';
import { evaluateDeployment, followDeployment, healthyCanaries } from './deployment-progress.js';
import type { JobWriteDependencies } from './job-writes.js';
import type { Transaction } from './transaction.js';
import { writeAllocations } from './write-allocations.js';
import { deploymentTexts, writeDeployment } from './write-deployment.js';

/** What a command to a deployment answers. */
export interface DeploymentWritten {
  /** Empty when nothing is evaluated. */
  readonly evalId: string;
  readonly evalCreateIndex: number;
  readonly deploymentModifyIndex: number;
  /** The version that the job has returned to. */
  readonly revertedJobVersion: number | bigint | null;
  readonly index: number;
}

/** @throws SchedulerError `not-found`, or `bad-deployment` for one that has ended. */
function requireActive(transaction: Transaction, id: string, command: string): Deployment {
  const deployment = transaction.get('deployments', id);
  if (deployment === null) throw new SchedulerError('not-found', 'deployment not found');
  if (isActiveDeployment(deployment)) return deployment;
  throw new SchedulerError('bad-deployment', `can't ${command} terminal deployment`);
}

function written(
  transaction: Transaction,
  evalId: string | undefined,
  revertedJobVersion: number | bigint | null = null,
): DeploymentWritten {
  const { index } = transaction;
  const evalCreateIndex = evalId === undefined ? 0 : index;
  return { evalId: evalId ?? '', evalCreateIndex, deploymentModifyIndex: index, revertedJobVersion, index };
}

/** Evaluates the job of a deployment that has changed, if it is still there. */
function evaluate(
  transaction: Transaction,
  deployment: Deployment,
  dependencies: JobWriteDependencies,
): string | undefined {
  const key = jobKey({ Namespace: deployment.Namespace, ID: deployment.JobID });
  const job = transaction.get('jobs', key);
  return job === null ? undefined : evaluateDeployment(transaction, job, deployment, dependencies);
}

/**
 * Lets the canaries of some groups, or of all that have any, become the new version.
 *
 * @param groups null for all.
 * @throws SchedulerError `not-found` or `bad-deployment`.
 */
export function promoteDeployment(
  transaction: Transaction,
  id: string,
  groups: readonly string[] | null,
  dependencies: JobWriteDependencies,
): DeploymentWritten {
  const deployment = requireActive(transaction, id, 'promote');
  const waiting = Object.entries(deployment.TaskGroups ?? {}).filter(
    (entry): entry is [string, DeploymentGroup] =>
      entry[1] !== null &&
      entry[1].DesiredCanaries > 0 &&
      !entry[1].Promoted &&
      (groups === null || groups.includes(entry[0])),
  );
  if (waiting.length === 0) throw new SchedulerError('bad-deployment', 'no canaries to promote');
  const unready = waiting.flatMap(([name, { DesiredCanaries }]) => {
    const healthy = healthyCanaries(transaction.tables, deployment, name);
    const text = `Task group ${JSON.stringify(name)} has ${healthy}/${DesiredCanaries} healthy allocations`;
    return healthy >= DesiredCanaries ? [] : [text];
  });
  if (unready.length > 0) throw new SchedulerError('bad-deployment', listErrors(unready));
  const promoted = waiting.map(([name, group]) => [name, { ...group, Promoted: true }] as const);
  const TaskGroups = { ...deployment.TaskGroups, ...Object.fromEntries(promoted) };
  const StatusDescription = hasUnpromoted(TaskGroups)
    ? deployment.StatusDescription
    : deploymentTexts.running;
  const changed = { ...deployment, TaskGroups, StatusDescription };
  writeDeployment(transaction, changed, dependencies.stamp());
  followDeployment(transaction, changed, dependencies);
  return written(transaction, evaluate(transaction, changed, dependencies));
}

function hasUnpromoted(groups: Readonly<Record<string, DeploymentGroup | null>>): boolean {
  return Object.values(groups).some(
    (group) => group !== null && group.DesiredCanaries > 0 && !group.Promoted,
  );
}

/** Holds a deployment, or lets it go on. @throws SchedulerError `not-found` or `bad-deployment`. */
export function pauseDeployment(
  transaction: Transaction,
  id: string,
  pause: boolean,
  dependencies: JobWriteDependencies,
): DeploymentWritten {
  const deployment = requireActive(transaction, id, pause ? 'pause' : 'resume');
  const Status = pause ? 'paused' : 'running';
  const StatusDescription = pause ? deploymentTexts.paused : deploymentTexts.running;
  const changed = { ...deployment, Status, StatusDescription };
  writeDeployment(transaction, changed, dependencies.stamp());
  if (pause) return written(transaction, undefined);
  followDeployment(transaction, changed, dependencies);
  return written(transaction, evaluate(transaction, changed, dependencies));
}

/** Ends a deployment as failed. @throws SchedulerError `not-found` or `bad-deployment`. */
export function failDeploymentByUser(
  transaction: Transaction,
  id: string,
  dependencies: JobWriteDependencies,
): DeploymentWritten {
  const deployment = requireActive(transaction, id, 'fail');
  return fail(transaction, deployment, deploymentTexts.failedByUser, dependencies);
}

function fail(
  transaction: Transaction,
  deployment: Deployment,
  description: string,
  dependencies: JobWriteDependencies,
): DeploymentWritten {
  const key = jobKey({ Namespace: deployment.Namespace, ID: deployment.JobID });
  const before = transaction.get('jobs', key)?.Version ?? null;
  const [evalId] = failDeployment(transaction, deployment, description, dependencies);
  const after = transaction.get('jobs', key)?.Version ?? null;
  return written(transaction, evalId, after === before ? null : after);
}

/**
 * Says which allocations of a deployment are well and which are not. One that is not ends the deployment.
 *
 * @throws SchedulerError `not-found` or `bad-deployment`.
 */
export function setAllocationHealth(
  transaction: Transaction,
  id: string,
  healthy: readonly string[],
  unhealthy: readonly string[],
  dependencies: JobWriteDependencies,
): DeploymentWritten {
  if (healthy.length + unhealthy.length === 0) {
    throw new SchedulerError('bad-deployment', 'must specify at least one healthy/unhealthy allocation ID');
  }
  const deployment = requireActive(transaction, id, 'set health of allocations for a');
  const Timestamp = new Date(Number(dependencies.stamp() / 1_000_000n)).toISOString();
  const mark = (ids: readonly string[], Healthy: boolean): Allocation[] =>
    ids.map((allocationId) => {
      const row = requireAllocation(transaction, deployment, allocationId);
      const Canary = row.DeploymentStatus?.Canary ?? false;
      return { ...row, DeploymentStatus: { Healthy, Timestamp, Canary, ModifyIndex: transaction.index } };
    });
  writeAllocations(transaction, [...mark(healthy, true), ...mark(unhealthy, false)]);
  if (unhealthy.length > 0) return fail(transaction, deployment, deploymentTexts.unhealthy, dependencies);
  const [evalId] = followDeployment(transaction, deployment, dependencies);
  return written(transaction, evalId);
}

function requireAllocation(transaction: Transaction, deployment: Deployment, id: string): Allocation {
  const row = transaction.get('allocations', id);
  const name = quote(id);
  if (row === null) throw new SchedulerError('bad-deployment', `unknown alloc ${name}`);
  if (row.DeploymentID === deployment.ID) return row;
  const other = JSON.stringify(deployment.ID);
  throw new SchedulerError('bad-deployment', `alloc ${name} is not part of deployment ${other}`);
}
