import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import {
  childStates,
  emptyGroupSummary,
  summariseJob,
  summaryStates,
  type GroupSummary,
  type JobSummary,
} from '@tamis/scheduler-model/job-summary.js';
import { jobOfRow } from '@tamis/scheduler-model/row-orders.js';
import type { Rows, TableName } from '../state/tables.js';

/** Counts for the summary of one job. */
interface Counts {
  job: Job | null;
  /** Counts by group and by creation index of the job. Allocations of a purged job do not count. */
  readonly groups: {
    readonly name: string;
    readonly created: number | bigint | null;
    readonly counts: Counted;
  }[];
  readonly children: Record<keyof JobSummary['Children'], number>;
  /** The last evaluation that placed the job. */
  placed: Evaluation | null;
  index: number;
}

type Counted = Partial<Record<keyof GroupSummary, number>>;

/** Computes the summaries of imported jobs. Rows may come in any order. */
export function createSummaryCounter() {
  const jobs = new Map<string, Counts>();

  function countsOf(key: string): Counts {
    const known = jobs.get(key);
    if (known !== undefined) return known;
    const children = { Pending: 0, Running: 0, Dead: 0 };
    const counts: Counts = { job: null, groups: [], children, placed: null, index: 0 };
    jobs.set(key, counts);
    return counts;
  }

  function addJob(job: Job): void {
    countsOf(jobKey(job)).job = job;
    const state = childStates.get(job.Status);
    if (job.ParentID === '' || state === undefined) return;
    countsOf(jobKey({ Namespace: job.Namespace, ID: job.ParentID })).children[state] += 1;
  }

  function addAllocation(row: Allocation): void {
    const state = summaryStates.get(row.ClientStatus);
    if (state === undefined) return;
    const counts = countsOf(jobOfRow(row));
    const created = row.Job?.CreateIndex ?? null;
    let group = counts.groups.find((each) => each.name === row.TaskGroup && each.created === created);
    if (group === undefined) counts.groups.push((group = { name: row.TaskGroup, created, counts: {} }));
    group.counts[state] = (group.counts[state] ?? 0) + 1;
    counts.index = Math.max(counts.index, Number(row.ModifyIndex));
  }

  function addEvaluation(row: Evaluation): void {
    if ((row.Status !== 'complete' && row.Status !== 'blocked') || row.QueuedAllocations === null) return;
    const counts = countsOf(jobOfRow(row));
    if (counts.placed === null || row.ModifyIndex > counts.placed.ModifyIndex) counts.placed = row;
  }

  return {
    add(table: TableName, row: Rows[TableName]): void {
      if (table === 'jobs') addJob(row as Job);
      else if (table === 'allocations') addAllocation(row as Allocation);
      else if (table === 'evaluations') addEvaluation(row as Evaluation);
    },
    *summaries(): Generator<JobSummary> {
      for (const { job, ...counts } of jobs.values()) if (job !== null) yield summaryOf(job, counts);
    },
  };
}

function summaryOf(job: Job, { groups, children, placed, index }: Omit<Counts, 'job'>): JobSummary {
  const empty = summariseJob(job, null, Math.max(index, Number(job.ModifyIndex)));
  const counted = new Map<string, GroupSummary>(Object.entries(empty.Summary ?? {}));
  for (const { name, created, counts } of groups) {
    if (created !== null && created !== job.CreateIndex) continue;
    const group = { ...(counted.get(name) ?? emptyGroupSummary) };
    for (const [state, count] of Object.entries(counts)) {
      group[state as keyof GroupSummary] = Number(group[state as keyof GroupSummary]) + count;
    }
    counted.set(name, group);
  }
  for (const [name, Queued] of Object.entries(job.Stop ? {} : (placed?.QueuedAllocations ?? {}))) {
    const group = counted.get(name);
    if (group !== undefined) counted.set(name, { ...group, Queued });
  }
  return { ...empty, Summary: Object.fromEntries(counted), Children: children, CreateIndex: job.CreateIndex };
}
