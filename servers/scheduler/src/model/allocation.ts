import { jobShape } from './job.js';
import { byAge, jobOfRow } from './row-orders.js';
import { defineResource } from './resource.js';
import { s, type Input, type Row } from './shape.js';

/** A task group of a job, placed on a node. Times of creation are nanoseconds. */
export const allocationShape = s.struct({
  ID: s.string,
  Namespace: s.label,
  EvalID: s.string,
  Name: s.string,
  NodeID: s.string,
  NodeName: s.label,
  JobID: s.string,
  Job: s.nullable(jobShape),
  TaskGroup: s.label,
  AllocatedResources: s.any,
  Metrics: s.any,
  DesiredStatus: s.label,
  DesiredDescription: s.label,
  DesiredTransition: s.struct({
    Migrate: s.nullable(s.bool),
    Reschedule: s.nullable(s.bool),
    ForceReschedule: s.nullable(s.bool),
    NoShutdownDelay: s.nullable(s.bool),
  }),
  ClientStatus: s.label,
  ClientDescription: s.label,
  TaskStates: s.map(
    s.nullable(
      s.struct({
        State: s.label,
        Failed: s.bool,
        Restarts: s.uint,
        LastRestart: s.time,
        StartedAt: s.time,
        FinishedAt: s.time,
        Events: s.list(s.any),
      }),
    ),
  ),
  AllocStates: s.list(s.any),
  PreviousAllocation: s.string,
  NextAllocation: s.string,
  DeploymentID: s.string,
  DeploymentStatus: s.nullable(
    s.struct({ Healthy: s.nullable(s.bool), Timestamp: s.time, Canary: s.bool, ModifyIndex: s.uint }),
  ),
  RescheduleTracker: s.any,
  NetworkStatus: s.any,
  FollowupEvalID: s.string,
  PreemptedAllocations: s.list(s.string),
  PreemptedByAllocation: s.string,
  SigningKeyID: s.string,
  CreateIndex: s.uint,
  ModifyIndex: s.uint,
  AllocModifyIndex: s.uint,
  CreateTime: s.int,
  ModifyTime: s.int,
});

export type Allocation = Row<typeof allocationShape>;
export type AllocationInput = Input<typeof allocationShape>;

/** Which parts of an allocation a list shows. */
export interface AllocationStubFields {
  readonly resources: boolean;
  readonly taskStates: boolean;
}

/** What lists show of an allocation. Of its job they show only type and version, which filters see as `Job.Type`. */
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
  groups: { job: jobOfRow },
  exported: { list: '/v1/allocations', object: '/v1/allocation/', isSparse: true },
  views: {
    AllocationListStub: {
      show: (allocation) => allocationStub(allocation, { resources: true, taskStates: true }),
    },
  },
});
