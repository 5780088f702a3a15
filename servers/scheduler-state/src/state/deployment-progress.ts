import { healthOf, isCanary, isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import {
  groupsOfDeployment,
  isGroupComplete,
  isUnpromoted,
  needsProgress,
  restartDeadline,
  type Deployment,
} from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { failDeployment } from './deployment-failure.js';
import { evaluateDeployment } from './evaluation-writes.js';
import { allocationsOfJob, jobOf } from './lookups.js';
import type { Tables } from './tables.js';
import { markStable } from './stable-version.js';
import type { Transaction } from './transaction.js';
import { deploymentTexts, writeDeployment } from './write-deployment.js';

/** Updates deployments after changes of their allocations. Returns IDs of evaluations. */
export function followDeployments(
  transaction: Transaction,
  changed: readonly Pick<Allocation, 'DeploymentID'>[],
): string[] {
  const ids = new Set(changed.map(({ DeploymentID }) => DeploymentID));
  ids.delete('');
  return [...ids].flatMap((id) => {
    const deployment = transaction.get('deployments', id);
    return deployment === null ? [] : followDeployment(transaction, deployment);
  });
}

/**
 * Counts the allocations of a deployment and updates it. The result may be a promotion, success, failure, or one more step, which
 * needs an evaluation.
 */
export function followDeployment(transaction: Transaction, stored: Deployment): string[] {
  if (!isActiveDeployment(stored)) return [];
  const now = Number(transaction.stamp() / 1_000_000n);
  const counted = { ...stored, TaskGroups: countGroups(transaction.tables, stored, now) };
  if (failsAtOnce(counted)) {
    return failDeployment(transaction, counted, deploymentTexts.unhealthy);
  }
  const promoted = isToBePromoted(counted) ? promoteGroups(counted, null, now) : counted;
  const isDone = stored.Status === 'running' && isComplete(promoted);
  const next = isDone
    ? { ...promoted, Status: 'successful', StatusDescription: deploymentTexts.successful }
    : promoted;
  const isPromoted = promoted !== counted;
  const hasProgress = healthyCount(next) > healthyCount(stored);
  writeDeployment(transaction, next);
  if (isDone) markStable(transaction, next, true);
  const job = jobOf(transaction.tables, next);
  if (job === null || next.Status === 'paused') return [];
  // Allocations replaced by canaries must be stopped even if everything is placed.
  if (!isPromoted && (isDone || !hasProgress)) return [];
  return [evaluateDeployment(transaction, job, next)];
}

function countGroups(tables: Tables, deployment: Deployment, now: number): Deployment['TaskGroups'] {
  const byGroup = new Map<string, Allocation[]>();
  for (const allocation of allocationsOfJob(tables, deployment)) {
    if (allocation.DeploymentID !== deployment.ID) continue;
    const list = byGroup.get(allocation.TaskGroup) ?? [];
    list.push(allocation);
    byGroup.set(allocation.TaskGroup, list);
  }
  const counted = groupsOfDeployment(deployment).map(([name, group]) => {
    const allocations = byGroup.get(name) ?? [];
    const HealthyAllocs = allocations.filter((row) => !isTerminal(row) && healthOf(row) === true).length;
    const UnhealthyAllocs = allocations.filter((row) => healthOf(row) === false).length;
    const isFirst = group.RequireProgressBy === null && allocations.length > 0;
    const next = { ...group, PlacedAllocs: allocations.length, HealthyAllocs, UnhealthyAllocs };
    // A group that is complete or waits for promotion may lose allocations long after its deadline.
    const hasLost = !needsProgress(group) && needsProgress(next);
    const restarts = isFirst || hasLost || HealthyAllocs > group.HealthyAllocs;
    return [name, restarts ? restartDeadline(next, now) : next] as const;
  });
  return Object.fromEntries(counted);
}

function healthyCount(deployment: Deployment): number {
  return groupsOfDeployment(deployment).reduce((sum, [, group]) => sum + Number(group.HealthyAllocs), 0);
}

/** Whether the first unhealthy allocation fails the deployment: it has no deadline. */
function failsAtOnce(deployment: Deployment): boolean {
  return groupsOfDeployment(deployment).some(
    ([, group]) => Number(group.ProgressDeadline) === 0 && group.UnhealthyAllocs > 0,
  );
}

function isComplete(deployment: Deployment): boolean {
  return groupsOfDeployment(deployment).every(([, group]) => isGroupComplete(group));
}

function isToBePromoted(deployment: Deployment): boolean {
  if (deployment.Status !== 'running') return false;
  const waiting = groupsOfDeployment(deployment).filter(([, group]) => isUnpromoted(group));
  return (
    waiting.length > 0 &&
    waiting.every(([, group]) => group.AutoPromote && group.HealthyAllocs >= group.DesiredCanaries)
  );
}

/**
 * Promotes the canaries of some groups and restarts their progress deadlines.
 *
 * @param names null for all groups.
 */
export function promoteGroups(
  deployment: Deployment,
  names: readonly string[] | null,
  now: number,
): Deployment {
  const groups = groupsOfDeployment(deployment).map(([name, group]) => {
    const isPromoted = isUnpromoted(group) && (names === null || names.includes(name));
    return [name, isPromoted ? restartDeadline({ ...group, Promoted: true }, now) : group] as const;
  });
  const isWaiting = groups.some(([, group]) => isUnpromoted(group));
  const StatusDescription = isWaiting ? deployment.StatusDescription : deploymentTexts.running;
  return { ...deployment, TaskGroups: Object.fromEntries(groups), StatusDescription };
}

/** Returns the number of healthy running canaries of a group, for errors of a promotion. */
export function healthyCanaries(tables: Tables, deployment: Deployment, group: string): number {
  let count = 0;
  for (const row of allocationsOfJob(tables, deployment)) {
    const isOf = row.DeploymentID === deployment.ID && row.TaskGroup === group && isCanary(row);
    if (isOf && !isTerminal(row) && healthOf(row) === true) count += 1;
  }
  return count;
}
