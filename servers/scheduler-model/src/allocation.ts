import { t } from 'tamis';
import { jobShape } from './job.js';
import { byAge, jobOfRow } from './row-orders.js';
import { defineResource } from './resource.js';
import type { TaskGroup } from './task-group.js';
import { interned, instant, nanosecondTime, type Row } from './row-type.js';

/** A task group of a job, placed on a node. Creation times are in ns. */
export const allocationShape = t.struct({
  ID: t.string,
  Namespace: interned,
  EvalID: t.string,
  Name: t.string,
  NodeID: t.string,
  NodeName: interned,
  JobID: t.string,
  Job: t.nullable(jobShape),
  TaskGroup: interned,
  AllocatedResources: t.any,
  Metrics: t.any,
  DesiredStatus: interned,
  DesiredDescription: interned,
  DesiredTransition: t.struct({
    Migrate: t.nullable(t.bool),
    Reschedule: t.nullable(t.bool),
    ForceReschedule: t.nullable(t.bool),
    NoShutdownDelay: t.nullable(t.bool),
  }),
  ClientStatus: interned,
  ClientDescription: interned,
  TaskStates: t.map(
    t.nullable(
      t.struct({
        State: interned,
        Failed: t.bool,
        Restarts: t.uint,
        LastRestart: instant,
        StartedAt: instant,
        FinishedAt: instant,
        Events: t.list(t.any),
      }),
    ),
  ),
  AllocStates: t.list(t.any),
  PreviousAllocation: t.string,
  NextAllocation: t.string,
  DeploymentID: t.string,
  DeploymentStatus: t.nullable(
    t.struct({ Healthy: t.nullable(t.bool), Timestamp: instant, Canary: t.bool, ModifyIndex: t.uint }),
  ),
  RescheduleTracker: t.any,
  NetworkStatus: t.any,
  FollowupEvalID: t.string,
  PreemptedAllocations: t.list(t.string),
  PreemptedByAllocation: t.string,
  SigningKeyID: t.string,
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
  AllocModifyIndex: t.uint,
  CreateTime: nanosecondTime,
  ModifyTime: nanosecondTime,
});

export type Allocation = Row<typeof allocationShape>;

/** Returns the task group of an allocation, from the job version it was placed with. */
export function groupOf({
  Job: job,
  TaskGroup: name,
}: Pick<Allocation, 'Job' | 'TaskGroup'>): TaskGroup | null {
  return job?.TaskGroups?.find(({ Name }) => Name === name) ?? null;
}

/** The optional fields of an allocation in lists. */
export interface AllocationStubFields {
  readonly resources: boolean;
  readonly taskStates: boolean;
}

/** Returns an allocation as lists show it. Of its job it contains only type and version, which filters see as `Job.Type`. */
export function allocationStub(allocation: Allocation, fields: AllocationStubFields): object {
  return {
    ID: allocation.ID,
    EvalID: allocation.EvalID,
    Name: allocation.Name,
    Namespace: allocation.Namespace,
    NodeID: allocation.NodeID,
    NodeName: allocation.NodeName,
    JobID: allocation.JobID,
    JobType: allocation.Job?.Type ?? '',
    JobVersion: allocation.Job?.Version ?? 0,
    TaskGroup: allocation.TaskGroup,
    ...(fields.resources ? { AllocatedResources: allocation.AllocatedResources } : {}),
    DesiredStatus: allocation.DesiredStatus,
    DesiredDescription: allocation.DesiredDescription,
    ClientStatus: allocation.ClientStatus,
    ClientDescription: allocation.ClientDescription,
    DesiredTransition: allocation.DesiredTransition,
    TaskStates: fields.taskStates ? allocation.TaskStates : null,
    DeploymentStatus: allocation.DeploymentStatus,
    FollowupEvalID: allocation.FollowupEvalID,
    NextAllocation: allocation.NextAllocation,
    RescheduleTracker: allocation.RescheduleTracker,
    PreemptedAllocations: allocation.PreemptedAllocations,
    PreemptedByAllocation: allocation.PreemptedByAllocation,
    CreateIndex: allocation.CreateIndex,
    ModifyIndex: allocation.ModifyIndex,
    CreateTime: allocation.CreateTime,
    ModifyTime: allocation.ModifyTime,
  };
}

export const allocations = defineResource({
  name: 'Allocation',
  shape: allocationShape,
  key: ({ ID }) => ID,
  idField: 'ID',
  listOrder: byAge,
  listField: 'CreateIndex',
  values: [
    'ClientStatus',
    'DesiredStatus',
    'TaskGroup',
    'JobID',
    'NodeID',
    'DeploymentID',
    'EvalID',
    'Namespace',
  ],
  ranges: ['ModifyIndex'],
  sorts: ['Namespace', 'TaskGroup', 'DesiredStatus', 'ClientStatus', 'CreateIndex', 'ModifyIndex'],
  groups: { job: jobOfRow },
  exported: {},
  views: {
    AllocationListStub: {
      project: (allocation) => allocationStub(allocation, { resources: true, taskStates: true }),
    },
  },
});
