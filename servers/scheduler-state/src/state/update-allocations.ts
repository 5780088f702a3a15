import {
  allocationUpdateShape,
  type AllocationUpdate,
} from '@tamis/scheduler-model/wire/allocation-update.js';
import { jobOfRow } from '@tamis/scheduler-model/row-orders.js';
import { jsonSize } from 'tamis/internal';
import { clientStatuses, isFinished, isStopped } from '@tamis/scheduler-model/allocation-status.js';
import { type Allocation } from '@tamis/scheduler-model/allocation.js';
import { exact } from '@tamis/scheduler-model/exact.js';
import { type Job } from '@tamis/scheduler-model/job.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { followDeployments } from './deployment-progress.js';
import { writeEvaluation } from './evaluation-writes.js';
import { noteAllocationUpdate } from './node-rows.js';
import { maxRowSize } from './row-size.js';
import { jobOf } from './lookups.js';
import type { Transaction } from './transaction.js';
import { writeAllocations } from './write-allocations.js';

/** Space in an allocation that reports of clients must leave for later writes of the servers, in bytes. */
const sizeReserve = 65_536;

/** Result of a client's report. */
export interface UpdatedAllocations {
  readonly index: number;
  /** Evaluations of jobs that must react to a failure. */
  readonly evalIds: readonly string[];
  /** Reported allocations that the node does not have; the client may delete them. */
  readonly unknownIds: readonly string[];
}

/**
 * Applies the report of a node's client: statuses, tasks, health. Also updates summaries and job statuses, deployments,
 * evaluations for failures, and capacity for blocked evaluations. A client can only report on allocations of its own node, and
 * ended ones never restart. The client decides whether an allocation is healthy, by
 * `DeploymentStatus.Healthy` once it has been running for `MinHealthyTime`.
 */
export function updateAllocations(
  transaction: Transaction,
  nodeId: string,
  updates: readonly AllocationUpdate[],
): UpdatedAllocations {
  const changed = new Map<string, Allocation>();
  const unknownIds: string[] = [];
  const failed = new Map<string, Allocation>();
  for (const update of updates) {
    const id = update.ID ?? '';
    const stored = changed.get(id) ?? transaction.get('allocations', id);
    if (stored === null || stored.NodeID !== nodeId) {
      unknownIds.push(id);
      continue;
    }
    const row = applyUpdate(stored, update, transaction);
    if (row === stored) continue;
    changed.set(id, row);
    if (row.ClientStatus === 'failed' && stored.ClientStatus !== 'failed') {
      failed.set(jobOfRow(row), row);
    }
  }
  if (changed.size === 0) return { index: transaction.index - 1, evalIds: [], unknownIds };
  const evalIds = [...failed.values()].flatMap((row) => evaluateFailure(transaction, row));
  writeAllocations(transaction, [...changed.values()]);
  noteAllocationUpdate(transaction, nodeId);
  evalIds.push(...followDeployments(transaction, [...changed.values()]));
  return { index: transaction.index, evalIds, unknownIds };
}

function applyUpdate(
  stored: Allocation,
  update: AllocationUpdate,
  { index, stamp }: Transaction,
): Allocation {
  const given = completeShape(allocationUpdateShape, update);
  const isKnownStatus = (clientStatuses as readonly string[]).includes(given.ClientStatus);
  const hasEnded = isFinished(stored);
  const row: Allocation = {
    ...stored,
    ...(isKnownStatus && !hasEnded ? { ClientStatus: given.ClientStatus } : {}),
    ...(update.ClientDescription === undefined || hasEnded
      ? {}
      : { ClientDescription: given.ClientDescription }),
    ...(update.TaskStates === undefined ? {} : { TaskStates: given.TaskStates }),
    ...(update.AllocStates === undefined ? {} : { AllocStates: given.AllocStates }),
    ...(update.NetworkStatus === undefined ? {} : { NetworkStatus: given.NetworkStatus }),
    ...reportedHealth(stored, given, index),
  };
  if (saysSame(row, stored)) return stored;
  // Only the status is accepted, without the details. Otherwise the client would repeat the report forever.
  const { TaskStates, AllocStates, NetworkStatus } = stored;
  const isTooLarge = jsonSize({ ...row, Job: null }) > maxRowSize - sizeReserve;
  return {
    ...row,
    ...(isTooLarge ? { TaskStates, AllocStates, NetworkStatus } : {}),
    ModifyTime: exact(stamp()),
  };
}

/** Returns the reported health, unless it was determined for another deployment. */
function reportedHealth(
  stored: Allocation,
  { DeploymentID: id, DeploymentStatus: status }: Pick<Allocation, 'DeploymentID' | 'DeploymentStatus'>,
  index: number,
): Partial<Pick<Allocation, 'DeploymentStatus'>> {
  const isOfOther = id !== '' && id !== stored.DeploymentID;
  if (isOfOther || status === null || status.Healthy === null) return {};
  const Canary = stored.DeploymentStatus?.Canary ?? false;
  return { DeploymentStatus: { ...status, Canary, ModifyIndex: index } };
}

/** Whether a repeated report of a client changes nothing. Clients repeat unacknowledged reports. */
function saysSame(row: Allocation, stored: Allocation): boolean {
  return (
    row.ClientStatus === stored.ClientStatus &&
    row.ClientDescription === stored.ClientDescription &&
    (row.DeploymentStatus?.Healthy ?? null) === (stored.DeploymentStatus?.Healthy ?? null) &&
    isSameJson(row.TaskStates, stored.TaskStates) &&
    isSameJson(row.AllocStates, stored.AllocStates) &&
    isSameJson(row.NetworkStatus, stored.NetworkStatus)
  );
}

function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || textOf(a) === textOf(b);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));
}

/** Creates an evaluation for a failed allocation that is still wanted, if its job may be rescheduled. */
function evaluateFailure(transaction: Transaction, row: Allocation): string[] {
  const job = jobOf(transaction.tables, row);
  if (job === null || job.Stop || isStopped(row) || row.FollowupEvalID !== '') return [];
  // The reschedule policy of the job version with which it was placed applies.
  if (!mayReschedule(row.Job ?? job, row.TaskGroup)) return [];
  return [writeEvaluation(transaction, job, { triggeredBy: 'alloc-failure', priority: null })];
}

function mayReschedule(job: Job, groupName: string): boolean {
  const policy = job.TaskGroups?.find(({ Name }) => Name === groupName)?.ReschedulePolicy ?? null;
  return policy !== null && (policy.Unlimited || policy.Attempts > 0);
}
