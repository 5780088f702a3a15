import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';

/** Numbers of allocations of a group that a plan intends to change, regardless of capacity. */
export interface DesiredUpdates {
  /** Unchanged allocations. */
  readonly ignore: number;
  /** New allocations, and replacements for lost or failed ones. */
  readonly place: number;
  readonly canary: number;
  readonly migrate: number;
  readonly stop: number;
  readonly inPlace: number;
  /** Allocations replaced by the current version. */
  readonly destructive: number;
}

/** The changes that a worker proposes for a job. They are decided on a snapshot and checked again when applied. */
export interface Plan {
  readonly evaluation: Evaluation;
  /** Null if the job was deleted. */
  readonly job: Job | null;
  /** New allocations; the write sets their indexes. */
  readonly placed: readonly Allocation[];
  readonly changes: readonly AllocationChange[];
  /** A new deployment. */
  readonly deployment: Deployment | null;
  readonly deploymentChanges: readonly DeploymentChange[];
  /** Later evaluations, for when failed allocations may be placed again. */
  readonly followUps: readonly FollowUp[];
  /** Desired changes by group name; empty unless requested. */
  readonly desired: ReadonlyMap<string, DesiredUpdates>;
  /** Reasons why groups could not be placed, by group name. */
  readonly failed: ReadonlyMap<string, PlacementMetrics>;
  /** Number of wanted but unplaced allocations per group. */
  readonly queued: Readonly<Record<string, number>>;
  /** Whether each checked node class is suitable for the failed placements. */
  readonly classEligibility: Readonly<Record<string, boolean>>;
  /** Whether a constraint depends on individual nodes, so that class results do not apply. */
  readonly escaped: boolean;
  /** Due time of the next step of a rolling update over nodes, in ms since 1970; null if none exists. */
  readonly nextStep: number | null;
  /** Whether the work exceeds one plan. If so, apply this plan and create another one. */
  readonly hasMore: boolean;
}

/** Changed fields of a stored allocation; other fields keep their current values. */
export interface AllocationChange {
  readonly id: string;
  readonly fields: Partial<Allocation>;
}

export interface DeploymentChange {
  readonly id: string;
  readonly status: string;
  readonly description: string;
}

export interface FollowUp {
  readonly id: string;
  /** Time in ms since 1970. */
  readonly at: number;
}
