import { jobOfRow } from '@tamis/scheduler-model/row-orders.js';
import { isFinished, isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { writeEvaluation } from './evaluation-writes.js';
import { hasRegistered, withEvent, type NodeWritten } from './node-rows.js';
import { requireNode, finishNodeWrite } from './node-status.js';
import { allocationsOfJob, allocationsOnNode, type JobName, jobsOf } from './lookups.js';
import { getRow } from 'tamis/table';
import type { Tables } from './tables.js';
import type { Transaction } from './transaction.js';
import { writeAllocations } from './write-allocations.js';

/** A drain request for a node. */
export interface DrainRequest {
  /** The drain to start; null to end a drain. The deadline is in ns: 0 for none, negative for immediately. */
  readonly spec: { readonly deadline: number; readonly ignoreSystemJobs: boolean } | null;
  /** Whether the node becomes eligible after the drain. */
  readonly markEligible: boolean;
  readonly meta: Readonly<Record<string, string>> | null;
  /** Accessor of the token with which it was requested; empty without a token. */
  readonly accessor: string;
}

/** Starts or ends a drain. @throws SchedulerError `not-found`. */
export function drainNode(transaction: Transaction, nodeId: string, request: DrainRequest): NodeWritten {
  const { index } = transaction;
  const { spec, markEligible } = request;
  const stored = requireNode(transaction, nodeId);
  const now = Number(transaction.stamp() / 1_000_000n);
  const at = new Date(now).toISOString();
  const isEligible = spec === null && (markEligible || stored.DrainStrategy === null);
  const changed: Node = {
    ...stored,
    DrainStrategy: spec === null ? null : strategyOf(spec, stored.DrainStrategy, now),
    SchedulingEligibility: isEligible
      ? markEligible
        ? 'eligible'
        : stored.SchedulingEligibility
      : 'ineligible',
    LastDrain: lastDrainOf(stored, request, at),
    ModifyIndex: index,
  };
  const message = spec === null ? 'Node drain disabled' : 'Node drain strategy set';
  const node = { ...changed, Events: withEvent(changed, message, 'Drain', now, index) };
  transaction.put('nodes', node);
  const isRenewed = stored.SchedulingEligibility !== node.SchedulingEligibility && markEligible;
  const written = finishNodeWrite(transaction, node, isRenewed ? 'node-update' : null);
  const isUnheard = spec !== null && !hasRegistered(transaction.tables, nodeId);
  return isUnheard ? { ...written, Warnings: unheard } : written;
}

const unheard =
  'its client has not come since the node was imported: the drain waits for it, and a purge places its work elsewhere';

/** Returns the metadata and initiator of a started, changed or cancelled drain; unchanged after a drain has ended. */
function lastDrainOf(
  { DrainStrategy, LastDrain }: Node,
  { spec, meta, accessor }: DrainRequest,
  at: string,
): Node['LastDrain'] {
  const Status = spec === null ? 'canceled' : 'draining';
  const isUnderWay = DrainStrategy !== null && LastDrain !== null;
  if (isUnderWay)
    return { ...LastDrain, Status, UpdatedAt: at, AccessorID: accessor, Meta: meta ?? LastDrain.Meta };
  if (spec === null) return LastDrain;
  return { StartedAt: at, UpdatedAt: at, Status, AccessorID: accessor, Meta: meta };
}

function strategyOf(
  { deadline, ignoreSystemJobs }: NonNullable<DrainRequest['spec']>,
  before: Node['DrainStrategy'],
  now: number,
): Node['DrainStrategy'] {
  return {
    Deadline: deadline,
    IgnoreSystemJobs: ignoreSystemJobs,
    ForceDeadline: deadline > 0 ? new Date(now + deadline / 1_000_000).toISOString() : null,
    StartedAt: before?.StartedAt ?? new Date(now).toISOString(),
  };
}

/** The next step of a drain. */
export interface DrainStep {
  readonly migrate: readonly Allocation[];
  readonly isDone: boolean;
}

/** Returns which allocations must leave a draining node now; none for nodes without a heartbeat. */
export function nextDrainStep(tables: Tables, node: Node, now: number): DrainStep {
  const strategy = node.DrainStrategy;
  if (strategy === null || !hasRegistered(tables, node.ID)) return { migrate: [], isDone: false };
  const present = [...allocationsOnNode(tables, node.ID)].filter((one) => !isFinished(one));
  const counted = present.filter((one) => !strategy.IgnoreSystemJobs || !isOnNodes(one));
  if (counted.length === 0) return { migrate: [], isDone: true };
  const leaving = counted.filter((one) => !isTerminal(one) && one.DesiredTransition.Migrate !== true);
  const isForced = strategy.Deadline < 0 || Date.parse(strategy.ForceDeadline ?? '') <= now;
  if (isForced) return { migrate: leaving, isDone: false };
  const others = counted.filter((one) => !isOnNodes(one));
  // System jobs are stopped last, because other allocations on the node often need them.
  if (others.length === 0) return { migrate: leaving, isDone: false };
  const services = leaving.filter(({ Job: job }) => job?.Type === 'service');
  return { migrate: withinLimits(tables, services), isDone: false };
}

function isOnNodes({ Job: job }: Allocation): boolean {
  return job?.Type === 'system' || job?.Type === 'sysbatch';
}

/**
 * Returns the allocations that may leave now. In each group, only a limited number may be down at once: replacements must start
 * before more leave.
 */
function withinLimits(tables: Tables, leaving: readonly Allocation[]): Allocation[] {
  const capacity = new Map<string, number>();
  const jobs = new Map<string, JobCapacity>();
  return leaving.filter((allocation) => {
    // An allocation that has not started yet can leave, because the number of running ones does not change.
    if (allocation.ClientStatus !== 'running') return true;
    const job = jobOfRow(allocation);
    const ofJob = jobs.get(job) ?? capacityOfJob(tables, allocation);
    jobs.set(job, ofJob);
    const key = `${job} ${allocation.TaskGroup}`;
    const left = capacity.get(key) ?? spare(ofJob, allocation.TaskGroup);
    capacity.set(key, left - 1);
    return left > 0;
  });
}

/** Data about a job that is computed once, because the job may have hundreds of groups. */
interface JobCapacity {
  readonly groups: ReadonlyMap<string, TaskGroup>;
  /** Number of running allocations by group. */
  readonly up: ReadonlyMap<string, number>;
}

function capacityOfJob(tables: Tables, { Namespace, JobID, Job: own }: Allocation): JobCapacity {
  const job: Job | null = getRow(tables.jobs, jobKey({ Namespace, ID: JobID })) ?? own;
  const groups = new Map((job?.TaskGroups ?? []).map((group) => [group.Name, group]));
  return { groups, up: countUp(tables, { Namespace, JobID }) };
}

/** Returns how many running allocations of a group may stop now: those above the required minimum. */
function spare({ groups, up }: JobCapacity, name: string): number {
  const group = groups.get(name);
  const parallel = Number(group?.Migrate?.MaxParallel ?? 1);
  return (up.get(name) ?? 0) - Number(group?.Count ?? 0) + parallel;
}

/** Counts the running allocations of each group of a job in one pass. */
function countUp(tables: Tables, job: JobName): ReadonlyMap<string, number> {
  const up = new Map<string, number>();
  for (const one of allocationsOfJob(tables, job)) {
    const isUp = !isTerminal(one) && one.ClientStatus === 'running' && one.DesiredTransition.Migrate !== true;
    if (isUp) up.set(one.TaskGroup, (up.get(one.TaskGroup) ?? 0) + 1);
  }
  return up;
}

/** Maximum number of allocations to migrate per write. The next step migrates others. */
const maxAtOnce = 100;

/** Performs one step of a drain. */
export function takeDrainStep(transaction: Transaction, nodeId: string): void {
  const node = transaction.get('nodes', nodeId);
  if (node === null) return;
  const now = Number(transaction.stamp() / 1_000_000n);
  const { migrate, isDone } = nextDrainStep(transaction.tables, node, now);
  if (isDone) endDrain(transaction, node, now);
  if (migrate.length === 0) return;
  const jobs = jobsOf(transaction.tables, migrate);
  const rows = migrate.slice(0, maxAtOnce).map((one) => ({
    ...one,
    DesiredTransition: { ...one.DesiredTransition, Migrate: true },
  }));
  const more = { NodeID: nodeId, NodeModifyIndex: node.ModifyIndex };
  for (const job of jobs.values()) {
    writeEvaluation(transaction, job, { triggeredBy: 'node-drain', priority: null, more });
  }
  writeAllocations(transaction, rows);
}

function endDrain(transaction: Transaction, node: Node, now: number): void {
  const { index } = transaction;
  const UpdatedAt = new Date(now).toISOString();
  transaction.put('nodes', {
    ...node,
    DrainStrategy: null,
    LastDrain: node.LastDrain === null ? null : { ...node.LastDrain, Status: 'complete', UpdatedAt },
    Events: withEvent(node, 'Node drain complete', 'Drain', now, index),
    ModifyIndex: index,
  });
}
