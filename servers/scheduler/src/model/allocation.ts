import { filterSchema } from './filter-schema.js';
import { jobShape } from './job.js';
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

export const allocationFilterSchema = filterSchema(allocationShape);
