import { byAge, jobOfRow } from './row-orders.js';
import { defineResource } from './resource.js';
import { s, type Input, type Row } from './shape.js';

/** The rolling update from one version of a job to the next. Durations and times of creation are nanoseconds. */
export const deploymentShape = s.struct({
  ID: s.string,
  Namespace: s.label,
  JobID: s.string,
  JobVersion: s.uint,
  JobModifyIndex: s.uint,
  JobSpecModifyIndex: s.uint,
  JobCreateIndex: s.uint,
  IsMultiregion: s.bool,
  TaskGroups: s.map(
    s.nullable(
      s.struct({
        AutoRevert: s.bool,
        AutoPromote: s.bool,
        ProgressDeadline: s.int,
        RequireProgressBy: s.time,
        Promoted: s.bool,
        PlacedCanaries: s.list(s.string),
        DesiredCanaries: s.int,
        DesiredTotal: s.int,
        PlacedAllocs: s.int,
        HealthyAllocs: s.int,
        UnhealthyAllocs: s.int,
      }),
    ),
  ),
  Status: s.label,
  StatusDescription: s.label,
  EvalPriority: s.int,
  CreateIndex: s.uint,
  ModifyIndex: s.uint,
  CreateTime: s.int,
  ModifyTime: s.int,
});

export type Deployment = Row<typeof deploymentShape>;
export type DeploymentInput = Input<typeof deploymentShape>;

export const deployments = defineResource({
  name: 'Deployment',
  shape: deploymentShape,
  key: ({ ID }) => ID,
  idField: 'ID',
  listOrder: byAge,
  values: ['Status', 'JobID', 'Namespace'],
  groups: { job: jobOfRow },
  exported: { list: '/v1/deployments' },
});

export type DeploymentGroup = NonNullable<NonNullable<Deployment['TaskGroups']>[string]>;

const activeStatuses: ReadonlySet<string> = new Set([
  'initializing',
  'pending',
  'running',
  'paused',
  'blocked',
  'unblocking',
]);

/** Whether a deployment has not ended. */
export function isActiveDeployment({ Status }: Pick<Deployment, 'Status'>): boolean {
  return activeStatuses.has(Status);
}

/** Whether all that a group of a deployment is to have is well; canaries are not, until they are promoted. */
export function isGroupComplete(group: DeploymentGroup): boolean {
  return group.HealthyAllocs >= group.DesiredTotal && (Number(group.DesiredCanaries) === 0 || group.Promoted);
}

/** Whether a deployment rolls a version of a job out, and not another one or one of an earlier job of that name. */
export function isVersionOf(
  { JobVersion, JobCreateIndex }: Pick<Deployment, 'JobVersion' | 'JobCreateIndex'>,
  job: { readonly Version: number | bigint; readonly CreateIndex: number | bigint },
): boolean {
  return JobVersion === job.Version && JobCreateIndex === job.CreateIndex;
}
