import type { Allocation } from './allocation.js';

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
