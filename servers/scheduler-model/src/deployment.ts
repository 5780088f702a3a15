import { t } from 'tamis';
import { byAge, jobOfRow } from './row-orders.js';
import { defineResource } from './resource.js';
import { interned, instant, nanosecondTime, type Input, type Row } from './row-type.js';

/** The rolling update from one version of a job to the next. Durations and times of creation are nanoseconds. */
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

/** Whether all that a group of a deployment is to have is well; canaries are not, until they are promoted. */
export function isGroupComplete(group: DeploymentGroup): boolean {
  return group.HealthyAllocs >= group.DesiredTotal && (Number(group.DesiredCanaries) === 0 || group.Promoted);
}

/** Whether canaries of a group have yet to be made the new version. */
export function isUnpromoted({ DesiredCanaries, Promoted }: DeploymentGroup): boolean {
  return DesiredCanaries > 0 && !Promoted;
}

/** Whether a group must make progress: not one that is complete, or whose healthy canaries wait for their promotion. */
export function needsProgress(group: DeploymentGroup): boolean {
  return !isGroupComplete(group) && !(isUnpromoted(group) && group.HealthyAllocs >= group.DesiredCanaries);
}

/** Returns a group that has its whole progress deadline from `now` on, in ms since 1970, if it has one. */
export function restartDeadline(group: DeploymentGroup, now: number): DeploymentGroup {
  const deadline = Number(group.ProgressDeadline) / 1_000_000;
  return deadline > 0 ? { ...group, RequireProgressBy: new Date(now + deadline).toISOString() } : group;
}

/** Whether a deployment rolls a version of a job out, and not another one or one of an earlier job of that name. */
export function isVersionOf(
  { JobVersion, JobCreateIndex }: Pick<Deployment, 'JobVersion' | 'JobCreateIndex'>,
  job: { readonly Version: number | bigint; readonly CreateIndex: number | bigint },
): boolean {
  return JobVersion === job.Version && JobCreateIndex === job.CreateIndex;
}

/** The groups of a deployment, by their names. */
export function groupsOfDeployment(
  deployment: Pick<Deployment, 'TaskGroups'>,
): readonly (readonly [string, DeploymentGroup])[] {
  return Object.entries(deployment.TaskGroups ?? {}).filter(
    (entry): entry is [string, DeploymentGroup] => entry[1] !== null,
  );
}
