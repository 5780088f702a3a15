import { t } from 'tamis';
import { byAge, jobOfRow } from './row-orders.js';
import { defineResource } from './resource.js';
import { interned, instant, nanosecondTime, type Input, type Row } from './row-type.js';

/** A rolling update from one version of a job to the next. Durations and creation times are in ns. */
export const deploymentShape = t.struct({
  ID: t.string,
  Namespace: interned,
  JobID: t.string,
  JobVersion: t.uint,
  JobModifyIndex: t.uint,
  JobSpecModifyIndex: t.uint,
  JobCreateIndex: t.uint,
  IsMultiregion: t.bool,
  TaskGroups: t.map(
    t.nullable(
      t.struct({
        AutoRevert: t.bool,
        AutoPromote: t.bool,
        ProgressDeadline: t.int,
        RequireProgressBy: instant,
        Promoted: t.bool,
        PlacedCanaries: t.list(t.string),
        DesiredCanaries: t.int,
        DesiredTotal: t.int,
        PlacedAllocs: t.int,
        HealthyAllocs: t.int,
        UnhealthyAllocs: t.int,
      }),
    ),
  ),
  Status: interned,
  StatusDescription: interned,
  EvalPriority: t.int,
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
  CreateTime: nanosecondTime,
  ModifyTime: nanosecondTime,
});

export type Deployment = Row<typeof deploymentShape>;
export type DeploymentInput = Input<typeof deploymentShape>;

export const deployments = defineResource({
  name: 'Deployment',
  shape: deploymentShape,
  key: ({ ID }) => ID,
  idField: 'ID',
  listOrder: byAge,
  listField: 'CreateIndex',
  values: ['Status', 'JobID', 'Namespace'],
  ranges: ['ModifyIndex'],
  sorts: ['Namespace', 'Status', 'CreateIndex', 'ModifyIndex'],
  groups: { job: jobOfRow },
  exported: {},
});

export type DeploymentGroup = NonNullable<NonNullable<Deployment['TaskGroups']>[string]>;

/** Whether all allocations that a deployment wants for a group are healthy. Canaries do not count before promotion. */
export function isGroupComplete(group: DeploymentGroup): boolean {
  return group.HealthyAllocs >= group.DesiredTotal && (Number(group.DesiredCanaries) === 0 || group.Promoted);
}

/** Whether a group has canaries that are not promoted yet. */
export function isUnpromoted({ DesiredCanaries, Promoted }: DeploymentGroup): boolean {
  return DesiredCanaries > 0 && !Promoted;
}

/** Whether a group must make progress. False if it is complete or its healthy canaries wait for promotion. */
export function needsProgress(group: DeploymentGroup): boolean {
  return !isGroupComplete(group) && !(isUnpromoted(group) && group.HealthyAllocs >= group.DesiredCanaries);
}

/** Returns the group with its full progress deadline starting at `now`, in ms since 1970. */
export function restartDeadline(group: DeploymentGroup, now: number): DeploymentGroup {
  const deadline = Number(group.ProgressDeadline) / 1_000_000;
  return deadline > 0 ? { ...group, RequireProgressBy: new Date(now + deadline).toISOString() } : group;
}

/** Whether a deployment belongs to this version of the job, and not to an earlier job with the same ID. */
export function isVersionOf(
  { JobVersion, JobCreateIndex }: Pick<Deployment, 'JobVersion' | 'JobCreateIndex'>,
  job: { readonly Version: number | bigint; readonly CreateIndex: number | bigint },
): boolean {
  return JobVersion === job.Version && JobCreateIndex === job.CreateIndex;
}

/** Returns the groups of a deployment, by name. */
export function groupsOfDeployment(
  deployment: Pick<Deployment, 'TaskGroups'>,
): readonly (readonly [string, DeploymentGroup])[] {
  return Object.entries(deployment.TaskGroups ?? {}).filter(
    (entry): entry is [string, DeploymentGroup] => entry[1] !== null,
  );
}
