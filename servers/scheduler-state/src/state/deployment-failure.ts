import { needsProgress, type Deployment } from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { isSameSpec } from '@tamis/scheduler-model/same-spec.js';
import { settleJobStatus } from './job-status.js';
import { evaluateDeployment } from './evaluation-writes.js';
import { writeVersion } from './job-writes.js';
import { markStable, stableVersion } from './stable-version.js';
import { jobOf } from './lookups.js';
import type { Transaction } from './transaction.js';
import { deploymentTexts, writeDeployment } from './write-deployment.js';

/**
 * Marks a deployment as failed. If a group is configured for it, reverts the job to its last stable version. Returns the ID of
 * the evaluation that cleans up, if the job still exists.
 */
export function failDeployment(
  transaction: Transaction,
  deployment: Deployment,
  description: string,
): string[] {
  // A version that only changed counts was marked as stable from the start.
  markStable(transaction, deployment, false);
  const job = jobOf(transaction.tables, deployment);
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
    writeVersion(transaction, { ...target, VersionTag: null, Stable: true }, job, transaction.stamp());
  }
  writeDeployment(transaction, { ...ending, StatusDescription: text });
  if (job === null) return [];
  const current = transaction.get('jobs', jobKey(job)) ?? job;
  const evalId = evaluateDeployment(transaction, current, deployment);
  settleJobStatus(transaction, deployment);
  return [evalId];
}

/** Fails each deployment that missed a progress deadline. Returns IDs of evaluations. */
export function failOverdue(transaction: Transaction, deploymentId: string, now: number): string[] {
  const deployment = transaction.get('deployments', deploymentId);
  if (deployment === null || !isActiveDeployment(deployment) || deployment.Status === 'paused') return [];
  const deadline = progressDeadline(deployment);
  if (deadline === null || deadline > now) return [];
  return failDeployment(transaction, deployment, deploymentTexts.progressDeadline);
}

/** Returns the earliest progress deadline of the unfinished groups, in ms since 1970; null if none exists. */
export function progressDeadline(deployment: Deployment): number | null {
  let first: number | null = null;
  for (const group of Object.values(deployment.TaskGroups ?? {})) {
    if (group === null || group.RequireProgressBy === null || !needsProgress(group)) continue;
    const due = Date.parse(group.RequireProgressBy);
    if (Number.isFinite(due) && (first === null || due < first)) first = due;
  }
  return first;
}
