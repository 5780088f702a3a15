import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { Node } from '@tamis/scheduler-model/node.js';

// Event types describe the meaning of a change. They are determined by the row before and after it; null is a missing row.

/** A change of one row. */
export interface RowVersions<T> {
  readonly before: T | null;
  readonly after: T | null;
}

/** Returns an event type that only distinguishes written rows from deleted ones. */
export function writtenOrDeleted(
  written: string,
  deleted: string,
): (versions: RowVersions<object>) => string {
  return ({ after }) => (after === null ? deleted : written);
}

export function jobEventType({ before, after }: RowVersions<Job>): string {
  if (after === null) return 'JobDeregistered';
  const isSubmitted =
    before === null || before.JobModifyIndex !== after.JobModifyIndex || before.Version !== after.Version;
  if (!isSubmitted) return 'JobUpdated';
  return after.Stop && before !== null ? 'JobDeregistered' : 'JobRegistered';
}

export function allocationEventType({ before, after }: RowVersions<Allocation>): string {
  if (before === null) return 'AllocationCreated';
  if (after === null) return 'AllocationDeleted';
  const isDesired =
    before.DesiredStatus !== after.DesiredStatus ||
    !isSameFlat(before.DesiredTransition, after.DesiredTransition);
  return isDesired ? 'AllocationUpdateDesiredStatus' : 'AllocationUpdated';
}

export const evaluationEventType: (versions: RowVersions<Evaluation>) => string = writtenOrDeleted(
  'EvaluationUpdated',
  'EvaluationDeleted',
);

export function deploymentEventType({ before, after }: RowVersions<Deployment>): string {
  if (before === null) return 'DeploymentCreated';
  if (after === null) return 'DeploymentDeleted';
  if (isPromoted(before, after)) return 'DeploymentPromotion';
  if (before.Status !== after.Status || before.StatusDescription !== after.StatusDescription) {
    return 'DeploymentStatusUpdate';
  }
  return isHealthChanged(before, after) ? 'DeploymentAllocHealth' : 'DeploymentUpdated';
}

export function nodeEventType({ before, after }: RowVersions<Node>): string {
  if (before === null) return 'NodeRegistration';
  if (after === null) return 'NodeDeregistration';
  if (!isSameFlat(before.DrainStrategy, after.DrainStrategy)) return 'NodeDrain';
  if (before.SchedulingEligibility !== after.SchedulingEligibility) return 'NodeEligibility';
  // A client that registers again sends its whole node, so its objects are new even if their contents are equal.
  const isSent = before.Attributes !== after.Attributes;
  return isSent && before.Status === after.Status ? 'NodeRegistration' : 'NodeEvent';
}

type Groups = Deployment['TaskGroups'];
type Group = NonNullable<NonNullable<Groups>[string]>;

function isPromoted(before: Deployment, after: Deployment): boolean {
  return anyGroup(before.TaskGroups, after.TaskGroups, (old, now) => now.Promoted && old?.Promoted !== true);
}

function isHealthChanged(before: Deployment, after: Deployment): boolean {
  return anyGroup(
    before.TaskGroups,
    after.TaskGroups,
    (old, now) => old?.HealthyAllocs !== now.HealthyAllocs || old.UnhealthyAllocs !== now.UnhealthyAllocs,
  );
}

function anyGroup(
  before: Groups,
  after: Groups,
  differs: (old: Group | null, now: Group) => boolean,
): boolean {
  return Object.entries(after ?? {}).some(([name, now]) => {
    const old = before !== null && Object.hasOwn(before, name) ? (before[name] ?? null) : null;
    return now !== null && differs(old, now);
  });
}

/** Whether two flat objects are equal. */
function isSameFlat(a: object | null, b: object | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const others = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([name, value]) => others.get(name) === value);
}
