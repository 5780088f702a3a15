import { writeJson } from '@tamis/http';
import type { AllocationLine } from '@tamis/scheduler-node/server-link.js';
import { isFinished } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { changedAfter, type BlockingQueries } from '@tamis/scheduler-state/state/blocking-query.js';
import { reportedIndexOf } from '@tamis/scheduler-model/reported-index.js';
import { allocationsOnNode } from '@tamis/scheduler-state/state/lookups.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import { nodeTopic } from '@tamis/scheduler-state/state/watch.js';

export interface AllocationChangeDependencies {
  readonly state: State;
  readonly blocking: BlockingQueries;
  /** Identifies this process. An index issued by another process is unknown here. */
  readonly history: string;
}

/** Returns an identifier of the index sequence. It changes with a restore, because older indexes then mean other states. */
function historyOf(process: string, { generation }: Snapshot): string {
  return `${process}.${generation}`;
}

/** Waits until there are changes that a node has not received. */
export async function awaitAllocationChanges(
  { state, blocking, history }: AllocationChangeDependencies,
  nodeId: string,
  received: { readonly history: string; readonly index: bigint | null },
  timeoutMs: { readonly wait: number; readonly signal: AbortSignal },
): Promise<AllocationChanges> {
  // An index from another history is treated as unknown.
  const sinceIn = (snapshot: Snapshot): bigint | null =>
    received.history === historyOf(history, snapshot) ? received.index : null;
  const { snapshot } = await blocking.query({
    look: (found) => ({ index: state.nodeChanges.lastChange(nodeId), snapshot: found }),
    until: changedAfter(state, [nodeTopic(nodeId)], sinceIn(state.snapshot())),
    ...timeoutMs,
  });
  const since = sinceIn(snapshot);
  const isWhole = since === null || since < state.nodeChanges.lastBreak(nodeId);
  return { nodeId, snapshot, history: historyOf(history, snapshot), known: Number(since ?? -1), isWhole };
}

/** Changes of the allocations of a node, as sent to it. */
export interface AllocationChanges {
  readonly nodeId: string;
  readonly snapshot: Snapshot;
  /** The history to which the snapshot's index belongs. */
  readonly history: string;
  /** Index up to which the node knows its allocations; -1 for none. */
  readonly known: number;
  /** Whether unchanged allocations are sent too. */
  readonly isWhole: boolean;
}

/** Yields the lines of a response; an empty string for each row that was checked but need not be sent. */
export function* allocationLines(changes: AllocationChanges): Generator<string, void, undefined> {
  const { nodeId, snapshot, history, known, isWhole } = changes;
  const jobs = createJobLines();
  let count = 0;
  const { incarnation, index } = snapshot;
  yield line({ kind: 'begin', history, incarnation, index, isWhole });
  for (const row of allocationsOnNode(snapshot.tables, nodeId)) {
    count += 1;
    const reportedIndex = reportedIndexOf(row);
    if (reportedIndex > known) {
      const { lines, number } = jobs.of(row);
      yield* lines;
      yield line({ kind: 'allocation', job: number, row: withoutJob(row) });
    } else {
      yield isWhole ? line({ kind: 'kept', id: row.ID, index: reportedIndex }) : '';
    }
  }
  yield line({ kind: 'end', count });
}

function line(content: AllocationLine): string {
  return `${writeJson(content)}\n`;
}

/** Returns an allocation without data that clients do not need: placement metrics, and the tasks of ended allocations. */
function withoutJob(row: Allocation): object {
  const rest = { ...row, Job: null, Metrics: null };
  return isFinished(row) ? { ...rest, TaskStates: null } : rest;
}

/** Creates a writer that sends each job and each group once: a job may be larger than all of its allocations. */
function createJobLines(): {
  of(row: Allocation): { readonly lines: readonly string[]; readonly number: number | null };
} {
  const reportedIndex = new Map<Job, { readonly number: number; readonly groups: Set<string> }>();

  function jobLine(job: Job, number: number): string {
    return line({ kind: 'job', job: number, row: { ...job, TaskGroups: null } });
  }

  return {
    of(row) {
      const { Job: job, TaskGroup } = row;
      if (job === null || isFinished(row)) return { lines: [], number: null };
      const lines: string[] = [];
      const known = reportedIndex.get(job) ?? { number: reportedIndex.size + 1, groups: new Set<string>() };
      const { groups, number } = known;
      if (!reportedIndex.has(job)) {
        reportedIndex.set(job, known);
        lines.push(jobLine(job, number));
      }
      const group = job.TaskGroups?.find(({ Name }) => Name === TaskGroup);
      if (group !== undefined && !groups.has(TaskGroup)) {
        groups.add(TaskGroup);
        lines.push(line({ kind: 'group', job: number, row: group }));
      }
      return { lines, number };
    },
  };
}
