import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Job } from '@tamis/scheduler-model/job.js';

/** The fields of an allocation that show its job's progress. */
export interface WorkRow {
  readonly ID: string;
  readonly ClientStatus: string;
  readonly DesiredStatus?: string;
  readonly NextAllocation?: string;
  readonly JobVersion?: number | bigint;
  readonly TaskStates?: Allocation['TaskStates'];
}

/** A job without an active rollout, and its allocations. */
export interface Work {
  /** Null for a purged job. */
  readonly job: Pick<Job, 'Type' | 'Stop' | 'Status' | 'Version'> | null;
  /** The last deployment of the job; null if none exists. */
  readonly deployment: Deployment | null;
  readonly allocations: readonly WorkRow[];
}

/** The progress of a job, and a failed allocation; null if none exists. */
export interface WorkState {
  /** Null while allocations still have to start, or batch work to end. */
  readonly outcome: 'done' | 'deployment-failed' | 'work-failed' | null;
  readonly failed: string | null;
}

const batchTypes: ReadonlySet<string> = new Set(['batch', 'sysbatch']);

/** Whether jobs of this type end by themselves. */
export function endsByItself({ job }: Pick<Work, 'job'>): boolean {
  return batchTypes.has(job?.Type ?? '');
}

/** Whether an allocation must still progress before the outcome of the job is known. */
export function isAwaited({ ClientStatus }: Pick<WorkRow, 'ClientStatus'>, isBatch: boolean): boolean {
  return ClientStatus === 'pending' || (isBatch && ClientStatus === 'running');
}

/** Evaluates allocations without a deployment: batch jobs by how they ended, others by whether they run. */
export function stateOfWork(work: Work): WorkState {
  const { job, deployment, allocations } = work;
  if (job === null || job.Stop) return { outcome: 'done', failed: null };
  const isBatch = endsByItself(work);
  const current = allocations.filter(
    ({ JobVersion, NextAllocation = '' }) =>
      NextAllocation === '' && Number(JobVersion ?? job.Version) === Number(job.Version),
  );
  const failed = current.find((row) => hasFailed(row, isBatch))?.ID ?? null;
  if (deployment?.Status === 'failed' && Number(deployment.JobVersion) === Number(job.Version))
    return { outcome: 'deployment-failed', failed };
  const shouldYield = isBatch ? job.Status === 'dead' : true;
  if (!shouldYield || current.some((row) => isAwaited(row, isBatch))) return { outcome: null, failed };
  return { outcome: failed === null ? 'done' : 'work-failed', failed };
}

/** Lost batch allocations without a replacement have failed, wanted or not. */
function hasFailed({ ClientStatus, DesiredStatus }: WorkRow, isBatch: boolean): boolean {
  return (ClientStatus === 'failed' && DesiredStatus !== 'stop') || (isBatch && ClientStatus === 'lost');
}
