import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { type Job, jobKey } from '@tamis/scheduler-model/job.js';
import { nodeRegisteredKey } from '@tamis/scheduler-model/cluster-flag.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import { getRow, scanRows, fullRange } from 'tamis/table';
import { writeEvaluation } from './evaluation-writes.js';
import { allocationsOnNode, jobsOf } from './lookups.js';
import type { Tables } from './tables.js';
import type { Transaction } from './transaction.js';

/** Result of a write to a node, as clients see it. */
export type NodeWritten = ReturnType<typeof nodeWritten> & { readonly Warnings?: string };

/** Returns the result of a write to a node that created these evaluations. */
export function nodeWritten(
  { index: Index }: Transaction,
  NodeModifyIndex: number | bigint,
  evalIds: readonly string[],
) {
  const isNone = evalIds.length === 0;
  return { EvalIDs: isNone ? null : evalIds, EvalCreateIndex: isNone ? 0 : Index, NodeModifyIndex, Index };
}

/** Maximum number of stored events per node. Prevents the row of an unstable node from growing. */
const maxEvents = 10;

/** Whether a node has ever sent a heartbeat. Imported nodes have not, so nothing is placed on them. */
export function hasRegistered({ marks }: Tables, nodeId: string): boolean {
  return getRow(marks, nodeRegisteredKey(nodeId)) !== null;
}

/** Whether a node accepts new allocations. */
export function isReady(node: Node): boolean {
  return node.Status === 'ready' && node.SchedulingEligibility === 'eligible' && node.DrainStrategy === null;
}

export function withEvent(
  node: Node,
  message: string,
  subsystem: string,
  at: number,
  index: number,
): Node['Events'] {
  const event = {
    Message: message,
    Subsystem: subsystem,
    Details: null,
    Timestamp: new Date(at).toISOString(),
    CreateIndex: index,
  };
  return [...(node.Events ?? []), event].slice(-maxEvents);
}

/** Records that the client of a node reported allocation states. */
export function noteAllocationUpdate(transaction: Transaction, nodeId: string): void {
  const node = transaction.get('nodes', nodeId);
  if (node === null) return;
  transaction.put('nodes', { ...node, LastAllocUpdateIndex: transaction.index });
}

/**
 * Creates evaluations for the jobs affected by a change of a node: those with allocations on it, and those that run on every
 * node. Returns the IDs of the evaluations.
 */
export function evaluateNode(transaction: Transaction, node: Node, triggeredBy: string): string[] {
  const jobs = jobsOf(transaction.tables, allocationsOnNode(transaction.tables, node.ID));
  for (const job of scanRows(transaction.tables.jobs.primary, fullRange, false)) {
    if (runsEverywhere(job)) jobs.set(jobKey(job), job);
  }
  const more = { NodeID: node.ID, NodeModifyIndex: node.ModifyIndex };
  return [...jobs.values()].map((job) =>
    writeEvaluation(transaction, job, { triggeredBy, priority: null, more }),
  );
}

function runsEverywhere(job: Job): boolean {
  const isOfNodes = job.Type === 'system' || job.Type === 'sysbatch';
  return isOfNodes && !job.Stop && !isStartedLater(job);
}

/** Whether a heartbeat requires a write: it is the first one, or the node is not ready. */
export function heartbeatChanges(tables: Tables, nodeId: string): boolean {
  const node = getRow(tables.nodes, nodeId);
  return node === null || node.Status !== 'ready' || !hasRegistered(tables, nodeId);
}
