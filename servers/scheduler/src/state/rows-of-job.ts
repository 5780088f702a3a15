import type { Allocation } from '../model/allocation.js';
import type { Deployment } from '../model/deployment.js';
import type { Evaluation } from '../model/evaluation.js';
import { prefixRange, scanRows } from './sorted-rows.js';
import { ofJobPrefix, onNodePrefix, type Tables } from './tables.js';

/** What names a job in the rows that belong to it. */
export interface JobName {
  readonly Namespace: string;
  readonly JobID: string;
}

export function allocationsOfJob({ allocations }: Tables, job: JobName): Iterable<Allocation> {
  return scanRows(allocations.indexes.job, prefixRange(ofJobPrefix(job)), false);
}

export function evaluationsOfJob({ evaluations }: Tables, job: JobName): Iterable<Evaluation> {
  return scanRows(evaluations.indexes.job, prefixRange(ofJobPrefix(job)), false);
}

export function deploymentsOfJob({ deployments }: Tables, job: JobName): Iterable<Deployment> {
  return scanRows(deployments.indexes.job, prefixRange(ofJobPrefix(job)), false);
}

export function allocationsOnNode({ allocations }: Tables, nodeId: string): Iterable<Allocation> {
  return scanRows(allocations.indexes.node, prefixRange(onNodePrefix(nodeId)), false);
}
