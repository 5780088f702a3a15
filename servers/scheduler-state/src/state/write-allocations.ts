import { jobOfRow } from '@tamis/scheduler-model/row-orders.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import { emptyGroupSummary, summaryStates, type GroupSummary } from '@tamis/scheduler-model/job-summary.js';
import { createFlag } from '@tamis/scheduler-model/cluster-flag.js';
import { settleJobStatus } from './job-status.js';
import type { JobName } from './lookups.js';
import type { Transaction } from './transaction.js';

/**
 * Writes new and changed allocations. Also updates the summaries and statuses of their jobs, and the capacity freed by ended
 * ones.
 */
export function writeAllocations(transaction: Transaction, rows: readonly Allocation[]): void {
  const counts = new Map<string, SummaryChange>();
  const freed = new Set<string>();
  const touched = new Set<string>();
  for (const row of rows) {
    const stored = transaction.get('allocations', row.ID);
    const { index } = transaction;
    const AllocModifyIndex = concernsNode(row, stored) ? index : row.AllocModifyIndex;
    const CreateIndex = stored?.CreateIndex ?? index;
    transaction.put('allocations', { ...row, CreateIndex, ModifyIndex: index, AllocModifyIndex });
    count(counts, row, stored);
    touched.add(row.NodeID);
    if (stored !== null && !isTerminal(stored) && isTerminal(row)) freed.add(stored.NodeID);
  }
  for (const change of counts.values()) {
    summarise(transaction, change);
    settleJobStatus(transaction, change.job);
  }
  for (const nodeId of freed) markCapacity(transaction, nodeId);
  for (const nodeId of touched) transaction.put('load_marks', createFlag(nodeId, transaction.index));
}

/** Allocation fields that the node uses: it is notified when one of them changes. */
const reportedToNode = ['DesiredStatus', 'Job', 'DeploymentID', 'AllocatedResources', 'NodeID'] as const;

function concernsNode(row: Allocation, stored: Allocation | null): boolean {
  return stored === null || reportedToNode.some((name) => row[name] !== stored[name]);
}

/** Records that a node may have new capacity. */
export function markCapacity(transaction: Transaction, nodeId: string): void {
  const node = transaction.get('nodes', nodeId);
  if (node === null) return;
  transaction.put('capacity_marks', createFlag(node.ComputedClass, transaction.index));
}

interface SummaryChange {
  readonly job: JobName;
  /** Count changes by group, then state. */
  readonly groups: Map<string, Map<keyof GroupSummary, number>>;
}

function count(changes: Map<string, SummaryChange>, row: Allocation, stored: Allocation | null): void {
  const key = jobOfRow(row);
  const change = changes.get(key) ?? { job: row, groups: new Map<string, Map<keyof GroupSummary, number>>() };
  changes.set(key, change);
  const states = change.groups.get(row.TaskGroup) ?? new Map<keyof GroupSummary, number>();
  change.groups.set(row.TaskGroup, states);
  const add = (status: string | undefined, amount: number): void => {
    const state = summaryStates.get(status ?? '');
    if (state !== undefined) states.set(state, (states.get(state) ?? 0) + amount);
  };
  add(stored?.ClientStatus, -1);
  add(row.ClientStatus, 1);
}

function summarise(transaction: Transaction, { job, groups }: SummaryChange): void {
  const summary = transaction.get('job_summaries', jobOfRow(job));
  if (summary === null) return;
  const counted = [...groups].map(([name, states]) => {
    const known = summary.Summary ?? {};
    const group = { ...((Object.hasOwn(known, name) ? known[name] : undefined) ?? emptyGroupSummary) };
    for (const [state, amount] of states) group[state] = Math.max(0, Number(group[state]) + amount);
    return [name, group] as const;
  });
  const Summary = { ...summary.Summary, ...Object.fromEntries(counted) };
  if (counted.every(([name, group]) => isSameSummary(group, summary.Summary?.[name]))) return;
  transaction.put('job_summaries', { ...summary, Summary, ModifyIndex: transaction.index });
}

function isSameSummary(a: GroupSummary, b: GroupSummary | undefined): boolean {
  return b !== undefined && summaryFields.every((field) => a[field] === b[field]);
}

const summaryFields = Object.keys(emptyGroupSummary) as readonly (keyof GroupSummary)[];

/** Records the number of allocations per group that wait for capacity. */
export function writeQueued(
  transaction: Transaction,
  job: JobName,
  queued: Readonly<Record<string, number | bigint>>,
): void {
  const summary = transaction.get('job_summaries', jobOfRow(job));
  if (summary === null) return;
  const changed = Object.entries(queued).filter(
    ([name, Queued]) => summary.Summary?.[name] !== undefined && summary.Summary[name].Queued !== Queued,
  );
  if (changed.length === 0) return;
  const groups = changed.map(([name, Queued]) => [name, { ...summary.Summary?.[name], Queued }]);
  const Summary = { ...summary.Summary, ...(Object.fromEntries(groups) as Record<string, GroupSummary>) };
  transaction.put('job_summaries', { ...summary, Summary, ModifyIndex: transaction.index });
}
