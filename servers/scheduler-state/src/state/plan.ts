import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';

/** What a plan is to do about a group, whether there is room for it or not. In numbers of allocations. */
export interface DesiredUpdates {
  /** Those that stay as they are. */
  readonly ignore: number;
  /** New ones, and those in place of lost or failed ones. */
  readonly place: number;
  readonly canary: number;
  readonly migrate: number;
  readonly stop: number;
  readonly inPlace: number;
  /** Those that give way to the current version. */
  readonly destructive: number;
}

/** What a worker wants to be done about a job: decided on a snapshot, checked again when it is applied. */
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
  /** By the names of groups; empty where nobody wanted to know. */
  readonly desired: ReadonlyMap<string, DesiredUpdates>;
  /** Why groups could not be placed, by their names. */
  readonly failed: ReadonlyMap<string, PlacementMetrics>;
  /** How many allocations of each group are wanted and not placed. */
  readonly queued: Readonly<Record<string, number>>;
  /** Which computed classes of nodes could take what is not placed, as far as was looked at. */
  readonly classEligibility: Readonly<Record<string, boolean>>;
  /** Whether a constraint asks about nodes one by one, so that classes say nothing. */
  readonly escaped: boolean;
  /** When the next step of a rolling update over nodes is due, in milliseconds since 1970; null for no such step. */
  readonly nextStep: number | null;
  /** Whether there is more to do than one plan may hold: apply this one and make another. */
  readonly hasMore: boolean;
}

/** Fields of a stored allocation that get new values; the others keep what they have by then. */
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
