import type { Allocation } from '../model/allocation.js';
import type { Deployment } from '../model/deployment.js';
import type { Evaluation } from '../model/evaluation.js';
import { jobOfRow, type JobName } from '../model/row-orders.js';
import { rowsWith } from 'tamis/table';
import type { Tables } from './tables.js';

export type { JobName } from '../model/row-orders.js';

export function allocationsOfJob({ allocations }: Tables, job: JobName): Iterable<Allocation> {
  return rowsWith(allocations.indexes.job, jobOfRow(job));
}

export function evaluationsOfJob({ evaluations }: Tables, job: JobName): Iterable<Evaluation> {
  return rowsWith(evaluations.indexes.job, jobOfRow(job));
}

export function deploymentsOfJob({ deployments }: Tables, job: JobName): Iterable<Deployment> {
  return rowsWith(deployments.indexes.job, jobOfRow(job));
}

export function allocationsOnNode({ allocations }: Tables, nodeId: string): Iterable<Allocation> {
  return rowsWith(allocations.indexes.NodeID, nodeId);
}
