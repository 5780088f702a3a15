import { notFound } from '@tamis/scheduler-model/base/errors.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { jobOfRow, type JobName } from '@tamis/scheduler-model/row-orders.js';
import { getRow, lookupRows } from 'tamis/table';
import type { Tables } from './tables.js';

export type { JobName } from '@tamis/scheduler-model/row-orders.js';

export function allocationsOfJob({ allocations }: Tables, job: JobName): Iterable<Allocation> {
  return lookupRows(allocations.indexes.job, jobOfRow(job));
}

export function evaluationsOfJob({ evaluations }: Tables, job: JobName): Iterable<Evaluation> {
  return lookupRows(evaluations.indexes.job, jobOfRow(job));
}

export function deploymentsOfJob({ deployments }: Tables, job: JobName): Iterable<Deployment> {
  return lookupRows(deployments.indexes.job, jobOfRow(job));
}

export function allocationsOnNode({ allocations }: Tables, nodeId: string): Iterable<Allocation> {
  return lookupRows(allocations.indexes.NodeID, nodeId);
}

/** Returns the job of a row; null if it was purged. */
export function jobOf({ jobs }: Pick<Tables, 'jobs'>, row: JobName): Job | null {
  return getRow(jobs, jobOfRow(row));
}

/** Returns the existing jobs of rows, by key. */
export function jobsOf({ jobs }: Pick<Tables, 'jobs'>, rows: Iterable<JobName>): Map<string, Job> {
  const found = [...rows].flatMap((row) => jobOf({ jobs }, row) ?? []);
  return new Map(found.map((job) => [jobKey(job), job]));
}

/** @throws SchedulerError `not-found` */
export function requireJob({ jobs }: Pick<Tables, 'jobs'>, name: Pick<Job, 'Namespace' | 'ID'>): Job {
  const job = getRow(jobs, jobKey(name));
  if (job === null) throw notFound('job not found');
  return job;
}
