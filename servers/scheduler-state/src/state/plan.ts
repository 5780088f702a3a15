import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';

/** The intended changes of a plan for a group, regardless of capacity. In numbers of allocations. */
export interface DesiredUpdates {
  /** Those that stay as they are. */
  readonly ignore: number;
  /** New ones, and replacements for lost or failed ones. */
  readonly place: number;
  readonly canary: number;
  readonly migrate: number;
  readonly stop: number;
  readonly inPlace: number;
  /** Those that give way to the current version. */
  readonly destructive: number;
}

/** The changes that a worker proposes for a job: decided on a snapshot, checked again when applied. */
export interface Plan {
  readonly evaluation: Evaluation;
  /** Null when the job is gone. */
  readonly job: Job | null;
  /** New allocations; their indexes are those of the write. */
  readonly placed: readonly Allocation[];
  readonly changes: readonly AllocationChange[];
  /** A new deployment. */
  readonly deployment: Deployment | null;
  readonly deploymentChanges: readonly DeploymentChange[];
  /** Evaluations for later, when failed allocations may be placed again. */
  readonly followUps: readonly FollowUp[];
  /** By the names of groups; empty unless requested. */
  readonly desired: ReadonlyMap<string, DesiredUpdates>;
  /** Why groups could not be placed, by their names. */
  readonly failed: ReadonlyMap<string, PlacementMetrics>;
  /** How many allocations of each group are wanted and not placed. */
  readonly queued: Readonly<Record<string, number>>;
  /** Which of the checked node classes could take the failed placements. */
  readonly classEligibility: Readonly<Record<string, boolean>>;
  /** Whether a constraint depends on individual nodes, so that classes do not apply. */
  readonly escaped: boolean;
  /** When the next step of a rolling update over nodes is due, in milliseconds since 1970; null for no such step. */
  readonly nextStep: number | null;
  /** Whether there is more to do than one plan may hold: apply this one and make another. */
  readonly hasMore: boolean;
}

/** Fields of a stored allocation that get new values; the others keep their current ones. */
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
  /** Milliseconds since 1970. */
  readonly at: number;
}
