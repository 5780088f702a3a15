import type { AllocatedResources } from '../model/allocated-resources.js';
import { allocationShape, type Allocation } from '../model/allocation.js';
import { completeShape } from '../model/complete-shape.js';
import type { Deployment } from '../model/deployment.js';
import type { Evaluation } from '../model/evaluation.js';
import type { Job } from '../model/job.js';
import type { Node } from '../model/node.js';
import type { PlacementMetrics } from '../model/placement-metrics.js';
import type { DeploymentChange, FollowUp, Plan } from '../state/plan.js';
import type { PlacementOptions } from './placement-options.js';
import { trackReschedule } from './reschedule.js';
import { stopTexts, type Replacement, type Stop, type PlacementRequest } from './decision.js';
import type { Feasibility } from './feasibility.js';

/** A plan that is being made. */
export interface PlanBuilder {
  stop(stop: Stop): void;
  /** Places an allocation and stops the one whose place it takes. */
  place(request: PlacementRequest, group: string, place: Placed): void;
  /** Brings an allocation to the current version where it is. */
  keep(allocation: Allocation, resources: AllocatedResources, deploymentId: string): void;
  /** Counts allocations that could not be placed, one where no number is given. Null: as the one before. */
  fail(group: string, metrics: PlacementMetrics | null, count?: number): void;
  /** Stops an allocation whose node is gone, or is to be left, though there is no other place for it. */
  giveUp(replaced: Replacement): void;
  /** Puts a failed allocation off. */
  postpone(allocation: Allocation, at: number): void;
  deploy(deployment: Deployment): void;
  end(changes: readonly DeploymentChange[]): void;
  look(feasibility: Feasibility): void;
  stepAt(at: number): void;
  /** Whether the plan holds as much as it may. */
  readonly isFull: boolean;
  finish(hasMore: boolean): Plan;
}

/** Where an allocation goes and what it gets there. */
export interface Placed {
  readonly node: Node;
  readonly resources: AllocatedResources;
  readonly metrics: PlacementMetrics;
  readonly deploymentId: string;
}

/** Failed allocations of a job whose times are this close, in milliseconds, share an evaluation. */
const followUpWindow = 5_000;

export function createPlanBuilder(
  evaluation: Evaluation,
  job: Job | null,
  options: PlacementOptions,
): PlanBuilder {
  const placed: Allocation[] = [];
  const changes = new Map<string, Partial<Allocation>>();
  const followUps: FollowUp[] = [];
  const failed = new Map<string, PlacementMetrics>();
  const queued: Record<string, number> = {};
  const classEligibility: Record<string, boolean> = {};
  const deploymentChanges: DeploymentChange[] = [];
  let deployment: Deployment | null = null;
  let escaped = false;
  let nextStep: number | null = null;
  for (const { Name } of job?.TaskGroups ?? []) queued[Name] = 0;

  function change(id: string, fields: Partial<Allocation>): void {
    changes.set(id, { ...changes.get(id), ...fields });
  }

  return {
    stop({ allocation, description, isLost }) {
      change(allocation.ID, {
        DesiredStatus: 'stop',
        DesiredDescription: description,
        ...(isLost ? { ClientStatus: 'lost' } : {}),
      });
    },
    place(request, group, place) {
      const row = newAllocation(evaluation, request.older?.job ?? job, request, group, place, options);
      placed.push(row);
      if (request.replaces === null) return;
      const { allocation } = request.replaces;
      change(allocation.ID, { ...replacedFields(request.replaces), NextAllocation: row.ID });
    },
    keep(allocation, resources, DeploymentID) {
      change(allocation.ID, {
        Job: job,
        EvalID: evaluation.ID,
        AllocatedResources: resources,
        ...(DeploymentID === '' ? {} : { DeploymentID, DeploymentStatus: null }),
      });
    },
    fail(group, metrics, count = 1) {
      queued[group] = (queued[group] ?? 0) + count;
      const before = failed.get(group);
      if (before !== undefined) {
        failed.set(group, { ...before, CoalescedFailures: before.CoalescedFailures + count });
      } else if (metrics !== null) failed.set(group, metrics);
    },
    giveUp(replaced) {
      change(replaced.allocation.ID, replacedFields(replaced));
    },
    postpone(allocation, at) {
      let followUp = followUps.find((one) => Math.abs(one.at - at) < followUpWindow);
      if (followUp === undefined) {
        followUp = { id: options.uuid(), at };
        followUps.push(followUp);
      }
      change(allocation.ID, { FollowupEvalID: followUp.id });
    },
    deploy: (row) => void (deployment = row),
    end: (ended) => void deploymentChanges.push(...ended),
    look(feasibility) {
      escaped ||= feasibility.escaped;
      for (const [name, eligible] of feasibility.classes) {
        classEligibility[name] = classEligibility[name] === true || eligible;
      }
    },
    stepAt: (at) => void (nextStep = at),
    get isFull() {
      return placed.length >= options.maxPlacements;
    },
    finish: (hasMore) => ({
      evaluation,
      job,
      placed,
      changes: [...changes].map(([id, fields]) => ({ id, fields })),
      deployment,
      deploymentChanges,
      followUps,
      failed,
      queued,
      classEligibility,
      escaped,
      nextStep,
      hasMore,
    }),
  };
}

const replacementTexts: Readonly<Record<Replacement['why'], string>> = {
  lost: stopTexts.lost,
  migrating: stopTexts.migrating,
  failed: stopTexts.rescheduled,
  updating: stopTexts.updating,
};

function replacedFields({ why }: Replacement): Partial<Allocation> {
  return {
    DesiredStatus: 'stop',
    DesiredDescription: replacementTexts[why],
    ...(why === 'lost' ? { ClientStatus: 'lost' } : {}),
  };
}

/** All fields with their zero values, in the layout that all rows share. */
const emptyAllocation = completeShape(allocationShape, {}, (text) => text);

function newAllocation(
  evaluation: Evaluation,
  job: Job | null,
  { name, replaces, isCanary }: PlacementRequest,
  group: string,
  { node, resources, metrics, deploymentId }: Placed,
  options: PlacementOptions,
): Allocation {
  const now = BigInt(Math.trunc(options.now)) * 1_000_000n;
  const previous = replaces?.allocation ?? null;
  const policy = job?.TaskGroups?.find(({ Name }) => Name === group)?.ReschedulePolicy ?? null;
  return {
    ...emptyAllocation,
    ID: options.uuid(),
    Namespace: evaluation.Namespace,
    EvalID: evaluation.ID,
    Name: name,
    NodeID: node.ID,
    NodeName: node.Name,
    JobID: evaluation.JobID,
    Job: job,
    TaskGroup: group,
    AllocatedResources: resources,
    Metrics: metrics,
    DesiredStatus: 'run',
    ClientStatus: 'pending',
    PreviousAllocation: previous?.ID ?? '',
    DeploymentID: deploymentId,
    ...(isCanary
      ? { DeploymentStatus: { Healthy: null, Timestamp: null, Canary: true, ModifyIndex: 0 } }
      : {}),
    RescheduleTracker: previous === null ? null : trackerOf(replaces, previous, policy, options.now),
    CreateTime: now,
    ModifyTime: now,
  };
}

/** A failed one is counted; what moves for other reasons takes its history along. */
function trackerOf(
  replaces: Replacement | null,
  previous: Allocation,
  policy: Parameters<typeof trackReschedule>[1],
  now: number,
): unknown {
  return replaces?.why === 'failed' ? trackReschedule(previous, policy, now) : previous.RescheduleTracker;
}
