import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { deploymentShape, type Deployment, type DeploymentGroup } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { deploymentTexts } from '@tamis/scheduler-state/state/write-deployment.js';
import type { CurrentDeployment } from './current-deployment.js';
import type { GroupDecision } from './decision.js';
import type { PlacementOptions } from './placement-options.js';

/**
 * The deployment of a plan: the current one, or a new one if a service is started or changed. If `isNew`, it must still be
 * written. Null for jobs without deployments.
 */
export interface PlanDeployment {
  readonly row: Deployment;
  readonly isNew: boolean;
}

export function deploymentFor(
  job: Job,
  evaluation: Evaluation,
  decisions: readonly GroupDecision[],
  current: CurrentDeployment,
  options: PlacementOptions,
): PlanDeployment | null {
  if (job.Type !== 'service') return null;
  if (current.row !== null) return current.isFailed ? null : { row: current.row, isNew: false };
  const groups = decisions.filter(isRolledOut);
  if (!groups.some(isChanging)) return null;
  const TaskGroups = Object.fromEntries(groups.map((decision) => [decision.name, groupState(decision)]));
  const row: Deployment = {
    ...completeShape(deploymentShape, {}),
    ID: options.uuid(),
    Namespace: job.Namespace,
    JobID: job.ID,
    JobVersion: job.Version,
    JobModifyIndex: job.ModifyIndex,
    JobSpecModifyIndex: job.JobModifyIndex,
    JobCreateIndex: job.CreateIndex,
    TaskGroups,
    Status: 'running',
    StatusDescription: describe(Object.values(TaskGroups)),
    EvalPriority: evaluation.Priority,
  };
  return { row, isNew: true };
}

function isRolledOut({ group }: GroupDecision): boolean {
  return group !== null && group.Count > 0 && Number(group.Update?.MaxParallel ?? 0) > 0;
}

function isChanging({ requests, inPlace, startsVersion }: GroupDecision): boolean {
  const current = requests.filter(({ older }) => older === null);
  const updates = current.some(({ replaces, isCanary }) => isCanary || replaces?.why === 'updating');
  return updates || inPlace.length > 0 || (startsVersion && current.length > 0);
}

function groupState({ group, canaries }: GroupDecision): DeploymentGroup {
  const update = group?.Update ?? null;
  return {
    AutoRevert: update?.AutoRevert ?? false,
    AutoPromote: update?.AutoPromote ?? false,
    ProgressDeadline: update?.ProgressDeadline ?? 0,
    RequireProgressBy: null,
    Promoted: false,
    PlacedCanaries: null,
    DesiredCanaries: canaries,
    DesiredTotal: group?.Count ?? 0,
    PlacedAllocs: 0,
    HealthyAllocs: 0,
    UnhealthyAllocs: 0,
  };
}

function describe(groups: readonly DeploymentGroup[]): string {
  const waiting = groups.filter(({ DesiredCanaries }) => DesiredCanaries > 0);
  if (waiting.length === 0) return deploymentTexts.running;
  return waiting.every(({ AutoPromote }) => AutoPromote)
    ? deploymentTexts.autoPromotion
    : deploymentTexts.needsPromotion;
}
