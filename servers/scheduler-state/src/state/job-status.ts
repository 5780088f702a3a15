import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { isTerminalEvaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { childStates } from '@tamis/scheduler-model/job-summary.js';
import { allocationsOfJob, deploymentsOfJob, evaluationsOfJob, type JobName } from './lookups.js';
import type { Tables } from './tables.js';
import type { Transaction } from './transaction.js';

/** Sets the status of a job from its allocations, deployments and evaluations. */
export function settleJobStatus(transaction: Transaction, { Namespace, JobID }: JobName): void {
  const job = transaction.get('jobs', jobKey({ Namespace, ID: JobID }));
  if (job === null) return;
  const Status = statusOf(transaction.tables, job);
  if (Status === job.Status) return;
  transaction.put('jobs', { ...job, Status, ModifyIndex: transaction.index });
  countChild(transaction, job, job.Status, Status);
}

function statusOf(tables: Tables, job: Job): string {
  if (job.Stop) return 'dead';
  if (job.Type === 'system' || isStartedLater(job)) return 'running';
  const name = { Namespace: job.Namespace, JobID: job.ID };
  for (const allocation of allocationsOfJob(tables, name)) {
    if (!isTerminal(allocation)) return 'running';
  }
  for (const deployment of deploymentsOfJob(tables, name)) {
    if (deployment.JobVersion === job.Version && hasStarted(deployment)) return 'running';
  }
  for (const evaluation of evaluationsOfJob(tables, name)) {
    if (!isTerminalEvaluation(evaluation)) return 'pending';
  }
  return 'dead';
}

/** Whether a rollout that has placed allocations is in progress. A job whose first allocations cannot be placed is pending. */
function hasStarted(deployment: Deployment): boolean {
  const groups = Object.values(deployment.TaskGroups ?? {});
  return isActiveDeployment(deployment) && groups.some((group) => group !== null && group.PlacedAllocs > 0);
}

/** Updates the child counts in the summary of a parent job. Null means that the child did not exist before, or was deleted. */
export function countChild(
  transaction: Transaction,
  { Namespace, ParentID }: Pick<Job, 'Namespace' | 'ParentID'>,
  before: string | null,
  after: string | null,
): void {
  if (ParentID === '') return;
  const summary = transaction.get('job_summaries', jobKey({ Namespace, ID: ParentID }));
  if (summary === null) return;
  const Children = { ...summary.Children };
  const left = childStates.get(before ?? '');
  const entered = childStates.get(after ?? '');
  if (left !== undefined) Children[left] = Math.max(0, Number(Children[left]) - 1);
  if (entered !== undefined) Children[entered] = Number(Children[entered]) + 1;
  transaction.put('job_summaries', { ...summary, Children, ModifyIndex: transaction.index });
}
