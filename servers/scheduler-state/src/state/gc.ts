import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { isFinished, isStopped } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { isTerminalEvaluation, type Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { placedJobKey } from '@tamis/scheduler-model/jobs.js';
import { countChild } from './job-status.js';
import { purgeJob } from './job-writes.js';
import { scanRows, fullRange } from 'tamis/table';
import { allocationsOfJob, deploymentsOfJob, evaluationsOfJob, jobOf } from './lookups.js';
import type { TableName, Tables } from './tables.js';
import type { Transaction } from './transaction.js';

/** Retention of ended objects, in ms. */
export type GarbageAges = Readonly<Record<keyof typeof defaultGarbageAges, number>>;

export const defaultGarbageAges = Object.freeze({
  evaluation: 3_600_000,
  deployment: 3_600_000,
  job: 4 * 3_600_000,
});

/** Objects that are no longer needed, by key. */
export interface Garbage {
  readonly table: Extract<TableName, 'jobs' | 'evaluations' | 'allocations' | 'deployments' | 'placed_jobs'>;
  readonly key: string;
}

export interface GarbageSearch {
  readonly ages: GarbageAges;
  /** Current time in ms since 1970. */
  readonly now: number;
  /** The last index of an import. Rows up to this index are never collected. */
  readonly imported: number;
}

/** Number of rows to check between two pauses. */
const stride = 256;

/** Finds objects that ended long ago. Yields regularly, so that other requests are served. */
export function* findGarbage(
  tables: Tables,
  search: GarbageSearch,
): Generator<undefined, Garbage[], undefined> {
  const { ages, now, imported } = search;
  const garbage: Garbage[] = [];
  /** IDs of evaluations and deployments that kept allocations refer to. */
  const needed = new Set<string>();
  const placed = new Set<Job | null>();
  let looks = 0;
  const isOld = (row: { readonly ModifyTime: number | bigint }, age: number): boolean =>
    Number(row.ModifyTime) / 1_000_000 < now - age;
  for (const row of scanRows(tables.allocations.primary, fullRange, false)) {
    if ((looks += 1) % stride === 0) yield;
    const isMine = row.CreateIndex > imported;
    placed.add(row.Job);
    if (isMine && isOld(row, ages.evaluation) && hasEnded(tables, row)) {
      garbage.push({ table: 'allocations', key: row.ID });
    } else {
      needed.add(row.EvalID);
      needed.add(row.DeploymentID);
    }
  }
  for (const row of scanRows(tables.evaluations.primary, fullRange, false)) {
    if ((looks += 1) % stride === 0) yield;
    const isMine = row.CreateIndex > imported && !needed.has(row.ID);
    if (isMine && isTerminalEvaluation(row) && isOld(row, ages.evaluation)) {
      garbage.push({ table: 'evaluations', key: row.ID });
    }
  }
  for (const row of scanRows(tables.deployments.primary, fullRange, false)) {
    if ((looks += 1) % stride === 0) yield;
    const isMine = row.CreateIndex > imported && !needed.has(row.ID);
    if (isMine && isOld(row, ages.deployment) && isPast(tables, row)) {
      garbage.push({ table: 'deployments', key: row.ID });
    }
  }
  for (const row of scanRows(tables.jobs.primary, fullRange, false)) {
    if ((looks += 1) % stride === 0) yield;
    const isMine = row.JobModifyIndex > imported;
    const isAged = Number(row.SubmitTime) / 1_000_000 < now - ages.job;
    if (isMine && isAged && isDone(tables, row)) garbage.push({ table: 'jobs', key: jobKey(row) });
  }
  for (const row of scanRows(tables.placed_jobs.primary, fullRange, false)) {
    if ((looks += 1) % stride === 0) yield;
    if (!placed.has(row)) garbage.push({ table: 'placed_jobs', key: placedJobKey(row) });
  }
  return garbage;
}

/** Whether an allocation has ended and no longer affects any decision. */
function hasEnded(tables: Tables, row: Allocation): boolean {
  if (!isFinished(row)) return false;
  const job = jobOf(tables, row);
  if (job === null || job.Stop || isStopped(row) || row.NextAllocation !== '') return true;
  // Ended allocations of the current version prevent workers from repeating the work of a batch job.
  return row.Job !== null && (row.Job.Version !== job.Version || row.Job.CreateIndex !== job.CreateIndex);
}

/** Whether a deployment has ended and does not describe the current version of its job. */
function isPast(tables: Tables, row: Deployment): boolean {
  if (isActiveDeployment(row)) return false;
  const job = jobOf(tables, row);
  return job === null || job.Version !== row.JobVersion || job.CreateIndex !== row.JobCreateIndex;
}

/** Whether a job and everything that belongs to it has ended. Service jobs end only when they are stopped. */
function isDone(tables: Tables, job: Job): boolean {
  if (job.Status !== 'dead') return false;
  const endsByItself = (job.Type === 'batch' || job.Type === 'sysbatch') && !isStartedLater(job);
  if (!job.Stop && !endsByItself) return false;
  const name = { Namespace: job.Namespace, JobID: job.ID };
  for (const row of allocationsOfJob(tables, name)) if (!isFinished(row)) return false;
  for (const row of evaluationsOfJob(tables, name)) if (!isTerminalEvaluation(row)) return false;
  for (const row of deploymentsOfJob(tables, name)) if (isActiveDeployment(row)) return false;
  return true;
}

/** Deletes the objects, unless they have changed meanwhile. */
export function deleteGarbage(transaction: Transaction, garbage: readonly Garbage[]): void {
  for (const { table, key } of garbage) {
    if (table === 'jobs') deleteJob(transaction, key);
    else if (table === 'placed_jobs') deletePlacedJob(transaction, key);
    else if (!isNeededAgain(transaction.get(table, key))) transaction.delete(table, key);
  }
}

/** Whether an ended object is in use again. It never restarts, but this check is cheap. */
function isNeededAgain(row: Allocation | Evaluation | Deployment | null): boolean {
  if (row === null) return true;
  if ('ClientStatus' in row) return !isFinished(row);
  return 'TriggeredBy' in row ? !isTerminalEvaluation(row) : isActiveDeployment(row);
}

/** Deletes a placed job that no allocation refers to any more. */
function deletePlacedJob(transaction: Transaction, key: string): void {
  const job = transaction.get('placed_jobs', key);
  if (job === null) return;
  const name = { Namespace: job.Namespace, JobID: job.ID };
  for (const { Job } of allocationsOfJob(transaction.tables, name)) if (Job === job) return;
  transaction.delete('placed_jobs', key);
}

function deleteJob(transaction: Transaction, key: string): void {
  const job = transaction.get('jobs', key);
  if (job === null || !isDone(transaction.tables, job)) return;
  const name = { Namespace: job.Namespace, JobID: job.ID };
  const { tables } = transaction;
  for (const { ID } of allocationsOfJob(tables, name)) transaction.delete('allocations', ID);
  for (const { ID } of evaluationsOfJob(tables, name)) transaction.delete('evaluations', ID);
  for (const { ID } of deploymentsOfJob(tables, name)) transaction.delete('deployments', ID);
  purgeJob(transaction, job);
  countChild(transaction, job, job.Status, null);
}
