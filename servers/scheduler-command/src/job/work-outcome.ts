import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Job } from '@tamis/scheduler-model/job.js';

/** The fields of an allocation that show the progress of its job. */
export interface WorkRow {
  readonly ID: string;
  readonly ClientStatus: string;
  readonly DesiredStatus?: string;
  readonly NextAllocation?: string;
  readonly JobVersion?: number | bigint;
  readonly TaskStates?: Allocation['TaskStates'];
}

/** A job without an active deployment, and its allocations. */
export interface Work {
  /** Null for a job that has been purged. */
  readonly job: Pick<Job, 'Type' | 'Stop' | 'Status' | 'Version'> | null;
  /** The last deployment of the job; null if it has never had one. */
  readonly deployment: Deployment | null;
  readonly allocations: readonly WorkRow[];
}

/** The progress of a job, and the ID of a failed allocation; null if none has failed. */
export interface WorkState {
  /** Null while allocations have still to start or, for batch jobs, to end. */
  readonly outcome: 'done' | 'deployment-failed' | 'work-failed' | null;
  readonly failed: string | null;
}

const batchTypes: ReadonlySet<string> = new Set(['batch', 'sysbatch']);

/** Whether work of this type ends by itself. */
export function endsByItself({ job }: Pick<Work, 'job'>): boolean {
  return batchTypes.has(job?.Type ?? '');
}

/** Whether the outcome of the job still depends on this allocation. */
export function isAwaited({ ClientStatus }: Pick<WorkRow, 'ClientStatus'>, isBatch: boolean): boolean {
  return ClientStatus === 'pending' || (isBatch && ClientStatus === 'running');
}

/** Returns the state of a job without an active deployment: for batch jobs how they ended, for others whether they run. */
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

/** Whether an allocation has failed. A lost batch allocation without a replacement has, even if it was to be stopped. */
function hasFailed({ ClientStatus, DesiredStatus }: WorkRow, isBatch: boolean): boolean {
  return (ClientStatus === 'failed' && DesiredStatus !== 'stop') || (isBatch && ClientStatus === 'lost');
}
