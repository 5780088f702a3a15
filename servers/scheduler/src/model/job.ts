import { affinityShape, constraintShape, spreadShape, updateShape } from './placement.js';
import { s, type Input, type Row } from './shape.js';
import { taskGroupShape } from './task-group.js';

/** A job in full: the specification that was submitted, completed, and what the cluster adds to it. */
export const jobShape = s.struct({
  Stop: s.bool,
  Region: s.label,
  Namespace: s.label,
  ID: s.string,
  ParentID: s.string,
  Name: s.string,
  Type: s.label,
  Priority: s.int,
  AllAtOnce: s.bool,
  Datacenters: s.list(s.label),
  NodePool: s.label,
  Constraints: s.list(constraintShape),
  Affinities: s.list(affinityShape),
  Spreads: s.list(spreadShape),
  TaskGroups: s.list(taskGroupShape),
  Update: updateShape,
  Multiregion: s.nullable(
    s.struct({
      Strategy: s.nullable(s.struct({ MaxParallel: s.int, OnFailure: s.label })),
      Regions: s.list(
        s.struct({
          Name: s.label,
          Count: s.int,
          Datacenters: s.list(s.label),
          NodePool: s.label,
          Meta: s.map(s.string),
        }),
      ),
    }),
  ),
  Periodic: s.nullable(
    s.struct({
      Enabled: s.bool,
      Spec: s.string,
      Specs: s.list(s.string),
      SpecType: s.label,
      ProhibitOverlap: s.bool,
      TimeZone: s.label,
    }),
  ),
  ParameterizedJob: s.nullable(
    s.struct({ Payload: s.label, MetaRequired: s.list(s.string), MetaOptional: s.list(s.string) }),
  ),
  Dispatched: s.bool,
  DispatchIdempotencyToken: s.string,
  Payload: s.bytes,
  Meta: s.map(s.string),
  ConsulNamespace: s.label,
  VaultNamespace: s.label,
  SchedulerTokenID: s.string,
  Status: s.label,
  StatusDescription: s.label,
  Stable: s.bool,
  Version: s.uint,
  SubmitTime: s.int,
  CreateIndex: s.uint,
  ModifyIndex: s.uint,
  JobModifyIndex: s.uint,
  UI: s.nullable(
    s.struct({ Description: s.string, Links: s.list(s.struct({ Label: s.string, URL: s.string })) }),
  ),
  VersionTag: s.nullable(s.struct({ Name: s.string, Description: s.string, TaggedTime: s.int })),
});

export type Job = Row<typeof jobShape>;
export type JobInput = Input<typeof jobShape>;

export const jobTypes = ['service', 'batch', 'system', 'sysbatch'] as const;

/** The key of a job, and the order of jobs: by namespace, then by ID. A namespace has no dot in its name. */
export function jobKey(job: Pick<Job, 'Namespace' | 'ID'>): string {
  return `${job.Namespace}.${job.ID}`;
}
