import type { AllocatedResources } from '@tamis/scheduler-model/allocated-resources.js';
import { allocationShape, type Allocation } from '@tamis/scheduler-model/allocation.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';
import type { DeploymentChange, DesiredUpdates, FollowUp, Plan } from '@tamis/scheduler-state/state/plan.js';
import type { PlacementOptions } from './placement-options.js';
import { trackReschedule } from './reschedule.js';
import { stopTexts, type Replacement, type Stop, type PlacementRequest } from './decision.js';
import type { Feasibility } from './feasibility.js';

/** The node of an allocation and its resources there. */
export interface Placed {
  readonly node: Node;
  readonly resources: AllocatedResources;
  readonly metrics: PlacementMetrics;
  readonly deploymentId: string;
}

/** Maximum difference of reschedule times that share one evaluation of a job, in ms. */
const followUpWindow = 5_000;

export function createPlanBuilder(
  evaluation: Evaluation,
  job: Job | null,
  options: PlacementOptions,
): PlanBuilder {
  return new PlanBuilder(evaluation, job, options);
}

/** Collects the changes of a plan. */
export class PlanBuilder {
  readonly #evaluation: Evaluation;
  readonly #job: Job | null;
  readonly #options: PlacementOptions;
  readonly #placed: Allocation[] = [];
  readonly #changes = new Map<string, Partial<Allocation>>();
  readonly #followUps: FollowUp[] = [];
  readonly #desired = new Map<string, DesiredUpdates>();
  readonly #failed = new Map<string, PlacementMetrics>();
  readonly #queued: Record<string, number> = {};
  readonly #classEligibility: Record<string, boolean> = {};
  readonly #deploymentChanges: DeploymentChange[] = [];
  #deployment: Deployment | null = null;
  #escaped = false;
  #nextStep: number | null = null;

  constructor(evaluation: Evaluation, job: Job | null, options: PlacementOptions) {
    this.#evaluation = evaluation;
    this.#job = job;
    this.#options = options;
    for (const { Name } of job?.TaskGroups ?? []) this.#queued[Name] = 0;
  }

  /** Records how many allocations of a group are desired, if annotations are requested. */
  desire(group: string, count: () => DesiredUpdates): void {
    if (this.#options.countsDesired === true) this.#desired.set(group, count());
  }

  stop({ allocation, description, isLost }: Stop): void {
    this.#change(allocation.ID, {
      DesiredStatus: 'stop',
      DesiredDescription: description,
      ...(isLost ? { ClientStatus: 'lost' } : {}),
    });
  }

  /** Places an allocation and stops the one it replaces. */
  place(request: PlacementRequest, group: string, place: Placed): void {
    const job = request.older?.job ?? this.#job;
    const row = newAllocation(this.#evaluation, job, request, group, place, this.#options);
    this.#placed.push(row);
    if (request.replaces === null) return;
    const { allocation } = request.replaces;
    this.#change(allocation.ID, { ...replacedFields(request.replaces), NextAllocation: row.ID });
  }

  /** Updates an allocation in place to the current version. */
  retain(allocation: Allocation, resources: AllocatedResources, DeploymentID: string): void {
    this.#change(allocation.ID, {
      Job: this.#job,
      EvalID: this.#evaluation.ID,
      AllocatedResources: resources,
      ...(DeploymentID === '' ? {} : { DeploymentID, DeploymentStatus: null }),
    });
  }

  /** Records allocations that could not be placed, by default one. Null metrics mean those of the previous failure. */
  fail(group: string, metrics: PlacementMetrics | null, count = 1): void {
    this.#queued[group] = (this.#queued[group] ?? 0) + count;
    const before = this.#failed.get(group);
    if (before !== undefined) {
      this.#failed.set(group, { ...before, CoalescedFailures: before.CoalescedFailures + count });
    } else if (metrics !== null) this.#failed.set(group, metrics);
  }

  /** Stops an allocation whose node is gone or draining, although it cannot be placed elsewhere. */
  giveUp(replaced: Replacement): void {
    this.#change(replaced.allocation.ID, replacedFields(replaced));
  }

  /** Postpones the rescheduling of a failed allocation. */
  postpone(allocation: Allocation, at: number): void {
    let followUp = this.#followUps.find((one) => Math.abs(one.at - at) < followUpWindow);
    if (followUp === undefined) {
      followUp = { id: this.#options.uuid(), at };
      this.#followUps.push(followUp);
    }
    this.#change(allocation.ID, { FollowupEvalID: followUp.id });
  }

  deploy(deployment: Deployment): void {
    this.#deployment = deployment;
  }

  end(changes: readonly DeploymentChange[]): void {
    this.#deploymentChanges.push(...changes);
  }

  look(feasibility: Feasibility): void {
    this.#escaped ||= feasibility.escaped;
    for (const [name, eligible] of feasibility.classes) {
      this.#classEligibility[name] = this.#classEligibility[name] === true || eligible;
    }
  }

  stepAt(at: number): void {
    this.#nextStep = at;
  }

  /** Whether the plan has reached its maximum size. */
  get isFull(): boolean {
    return this.#placed.length >= this.#options.maxPlacements;
  }

  finish(hasMore: boolean): Plan {
    return {
      evaluation: this.#evaluation,
      job: this.#job,
      placed: this.#placed,
      changes: [...this.#changes].map(([id, fields]) => ({ id, fields })),
      deployment: this.#deployment,
      deploymentChanges: this.#deploymentChanges,
      followUps: this.#followUps,
      desired: this.#desired,
      failed: this.#failed,
      queued: this.#queued,
      classEligibility: this.#classEligibility,
      escaped: this.#escaped,
      nextStep: this.#nextStep,
      hasMore,
    };
  }

  #change(id: string, fields: Partial<Allocation>): void {
    this.#changes.set(id, { ...this.#changes.get(id), ...fields });
  }
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

/** An allocation whose fields all have zero values. All rows share its layout. */
const emptyAllocation = completeShape(allocationShape, {});

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

/** Adds a failed allocation to the reschedule history. Allocations moved for other reasons keep their history. */
function trackerOf(
  replaces: Replacement | null,
  previous: Allocation,
  policy: Parameters<typeof trackReschedule>[1],
  now: number,
): unknown {
  return replaces?.why === 'failed' ? trackReschedule(previous, policy, now) : previous.RescheduleTracker;
}
