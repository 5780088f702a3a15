import { t } from 'tamis';
import type { Job } from './job.js';
import { jobOfRow } from './row-orders.js';
import { defineResource } from './resource.js';
import { interned, type Row } from './row-type.js';

const groupSummaryShape = t.struct({
  Queued: t.int,
  Complete: t.int,
  Failed: t.int,
  Running: t.int,
  Starting: t.int,
  Lost: t.int,
});

/** Counts of allocations by state for each task group. Stored next to the job with its own indexes. */
export const jobSummaryShape = t.struct({
  JobID: t.string,
  Namespace: interned,
  Summary: t.map(groupSummaryShape),
  Children: t.struct({ Pending: t.int, Running: t.int, Dead: t.int }),
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
});

export type JobSummary = Row<typeof jobSummaryShape>;
export type GroupSummary = Row<typeof groupSummaryShape>;

export const emptyGroupSummary: GroupSummary = Object.freeze({
  Queued: 0,
  Complete: 0,
  Failed: 0,
  Running: 0,
  Starting: 0,
  Lost: 0,
});

/** Names of counts by client status of an allocation. */
export const summaryStates: ReadonlyMap<string, keyof GroupSummary> = new Map([
  ['pending', 'Starting'],
  ['running', 'Running'],
  ['complete', 'Complete'],
  ['failed', 'Failed'],
  ['lost', 'Lost'],
] as const);

/** Names of counts by status of a child job. */
export const childStates: ReadonlyMap<string, keyof JobSummary['Children']> = new Map([
  ['pending', 'Pending'],
  ['running', 'Running'],
  ['dead', 'Dead'],
] as const);

export const jobSummaries = defineResource({
  name: 'JobSummary',
  shape: jobSummaryShape,
  key: jobOfRow,
  idField: 'JobID',
});

/** Returns the summary of a job written at `index`. Keeps counts of `previous`; new groups start at zero. */
export function summariseJob(job: Job, previous: JobSummary | null, index: number | bigint): JobSummary {
  const known = previous?.Summary ?? {};
  const groups = (job.TaskGroups ?? []).map((group) => [
    group.Name,
    Object.hasOwn(known, group.Name) ? known[group.Name] : emptyGroupSummary,
  ]);
  return {
    JobID: job.ID,
    Namespace: job.Namespace,
    Summary: { ...known, ...(Object.fromEntries(groups) as Record<string, GroupSummary>) },
    Children: previous?.Children ?? { Pending: 0, Running: 0, Dead: 0 },
    CreateIndex: previous?.CreateIndex ?? index,
    ModifyIndex: index,
  };
}
