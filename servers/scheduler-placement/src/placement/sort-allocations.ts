import type { Steps } from '@tamis/http';
import { healthOf, isFinished, isStopped, isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import { groupOf, type Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { isPause } from './pause.js';
import { rescheduleVerdict } from './reschedule.js';

/** The allocations of a group by what happens to them. Finished ones that have no effect are omitted. */
export interface SortedAllocations {
  /** Allocations that stay, including failed ones that are not rescheduled. */
  readonly retained: Allocation[];
  /** Completed allocations of a batch job, which are not repeated. */
  readonly done: Allocation[];
  /** Allocations on lost nodes. */
  readonly lost: Allocation[];
  readonly migrating: Allocation[];
  /** Failed allocations to reschedule now. */
  readonly again: Allocation[];
  /** Failed allocations to reschedule later. */
  readonly later: { readonly allocation: Allocation; readonly at: number }[];
}

export interface SortingContext {
  readonly job: Job;
  readonly group: TaskGroup | null;
  /** The current evaluation. Failed allocations may have been waiting for it. */
  readonly evaluationId: string;
  /** Current time in ms since 1970. */
  readonly now: number;
  readonly isNodeRemoved: (nodeId: string) => boolean;
  /** The deployment whose failed allocations are not rescheduled; null if none exists. */
  readonly failedDeployment: string | null;
}

export function* sortAllocations(
  allocations: readonly Allocation[],
  context: SortingContext,
): Steps<SortedAllocations> {
  const sorted: SortedAllocations = { retained: [], done: [], lost: [], migrating: [], again: [], later: [] };
  for (const [at, allocation] of allocations.entries()) {
    if (isPause(at)) yield;
    if (isStopped(allocation)) continue;
    if (isFinished(allocation)) sortFinished(allocation, context, sorted);
    else if (context.isNodeRemoved(allocation.NodeID)) sorted.lost.push(allocation);
    else if (allocation.DesiredTransition.Migrate === true) sorted.migrating.push(allocation);
    else sorted.retained.push(allocation);
  }
  return sorted;
}

function sortFinished(allocation: Allocation, context: SortingContext, sorted: SortedAllocations): void {
  const { job } = context;
  if (allocation.ClientStatus === 'complete') {
    if (job.Type === 'batch' && isOfVersion(allocation, job)) sorted.done.push(allocation);
    return;
  }
  if (allocation.ClientStatus !== 'failed' || allocation.NextAllocation !== '') return;
  sortFailed(allocation, context, sorted);
}

function sortFailed(
  allocation: Allocation,
  { group, now, evaluationId, failedDeployment }: SortingContext,
  sorted: SortedAllocations,
): void {
  // An allocation that fails after it was healthy did not cause the failure of the deployment.
  const isOfFailed = failedDeployment !== null && allocation.DeploymentID === failedDeployment;
  if (isOfFailed && healthOf(allocation) !== true) {
    sorted.retained.push(allocation);
    return;
  }
  const policy = (groupOf(allocation) ?? group)?.ReschedulePolicy ?? null;
  const hasWaited = allocation.FollowupEvalID !== '' && allocation.FollowupEvalID === evaluationId;
  const verdict = hasWaited ? ({ kind: 'now' } as const) : rescheduleVerdict(allocation, policy, now);
  if (verdict.kind === 'now') {
    sorted.again.push(allocation);
    return;
  }
  sorted.retained.push(allocation);
  if (verdict.kind === 'later' && allocation.FollowupEvalID === '') {
    sorted.later.push({ allocation, at: verdict.at });
  }
}

/** Splits each list into the allocations whose IDs are in a set, and the others. */
export function splitAllocations(
  sorted: SortedAllocations,
  ids: ReadonlySet<string>,
): [inside: SortedAllocations, outside: SortedAllocations] {
  const select = (isInside: boolean): SortedAllocations => {
    const has = ({ ID }: Allocation): boolean => ids.has(ID) === isInside;
    return {
      retained: sorted.retained.filter(has),
      done: sorted.done.filter(has),
      lost: sorted.lost.filter(has),
      migrating: sorted.migrating.filter(has),
      again: sorted.again.filter(has),
      later: sorted.later.filter(({ allocation }) => has(allocation)),
    };
  };
  return [select(true), select(false)];
}

/** Whether an allocation belongs to this version of this job, and not to an earlier job with the same ID. */
export function isOfVersion({ Job: own }: Allocation, job: Job): boolean {
  return own !== null && own.Version === job.Version && own.CreateIndex === job.CreateIndex;
}

/** Returns the allocations that use resources. */
export function unfinished(allocations: Iterable<Allocation>): Allocation[] {
  return [...allocations].filter((allocation) => !isTerminal(allocation));
}
