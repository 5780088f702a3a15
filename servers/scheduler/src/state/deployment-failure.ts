import { isGroupComplete, type Deployment } from '../model/deployment.js';
import { isActiveDeployment } from '../model/deployment-status.js';
import { jobKey } from '../model/job.js';
import { isSameSpec } from '../model/same-spec.js';
import { settleJobStatus } from './job-status.js';
import { writeEvaluation } from './evaluation-writes.js';
import { writeVersion, type JobWriteDependencies } from './job-writes.js';
import { markStable, stableVersion } from './stable-version.js';
import type { Transaction } from './transaction.js';
import { deploymentTexts, writeDeployment } from './write-deployment.js';

/**
 * Ends a deployment as failed and, where a group asks for it, returns the job to its last stable version. Returns the
 * ID of the evaluation that cleans up, if the job is still there.
 */
export function failDeployment(
  transaction: Transaction,
  deployment: Deployment,
  description: string,
  dependencies: JobWriteDependencies,
): string[] {
  // A version that was only scaled is stable from its beginning.
  markStable(transaction, deployment, false);
  const job = transaction.get('jobs', jobKey({ Namespace: deployment.Namespace, ID: deployment.JobID }));
  const reverts = Object.values(deployment.TaskGroups ?? {}).some((group) => group?.AutoRevert === true);
  const isCurrent = job !== null && job.Version === deployment.JobVersion && !job.Stop;
  const target = reverts && isCurrent ? stableVersion(transaction.tables, job) : null;
  const ending = { ...deployment, Status: 'failed' };
  let text = description;
  if (reverts && isCurrent && target === null) text += ' - no stable job version to auto revert to';
  else if (target !== null && job !== null && isSameSpec(target, job)) {
    text += ` - not rolling back to stable job version ${target.Version} as current job has same specification`;
  } else if (target !== null && job !== null) {
    text += ` - rolling back to job version ${target.Version}`;
    writeVersion(transaction, { ...target, VersionTag: null, Stable: true }, job, dependencies.stamp());
  }
  writeDeployment(transaction, { ...ending, StatusDescription: text }, dependencies.stamp());
  if (job === null) return [];
  const current = transaction.get('jobs', jobKey(job)) ?? job;
  const cause = {
    triggeredBy: 'deployment-watcher',
    priority: deployment.EvalPriority || null,
    more: { DeploymentID: deployment.ID },
  };
  const evalId = writeEvaluation(transaction, current, cause, dependencies);
  settleJobStatus(transaction, deployment);
  return [evalId];
}

/** Fails every deployment whose groups have made no progress by the time they had to. Returns IDs of evaluations. */
export function failOverdue(
  transaction: Transaction,
  deploymentId: string,
  now: number,
  dependencies: JobWriteDependencies,
): string[] {
  const deployment = transaction.get('deployments', deploymentId);
  if (deployment === null || !isActiveDeployment(deployment) || deployment.Status === 'paused') return [];
  const deadline = progressDeadline(deployment);
  if (deadline === null || deadline > now) return [];
  return failDeployment(transaction, deployment, deploymentTexts.progressDeadline, dependencies);
}

/** When the first group that is not done must have made progress, in milliseconds; null for no deadline. */
export function progressDeadline(deployment: Deployment): number | null {
  let first: number | null = null;
  for (const group of Object.values(deployment.TaskGroups ?? {})) {
    if (group === null || group.RequireProgressBy === null) continue;
    const awaitsPromotion =
      group.DesiredCanaries > 0 && !group.Promoted && group.HealthyAllocs >= group.DesiredCanaries;
    if (isGroupComplete(group) || awaitsPromotion) continue;
    const due = Date.parse(group.RequireProgressBy);
    if (Number.isFinite(due) && (first === null || due < first)) first = due;
  }
  return first;
}
