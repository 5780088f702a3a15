import { t } from 'tamis';
import { affinityShape, constraintShape, spreadShape, updateShape } from './placement.js';
import { taskGroupShape } from './task-group.js';
import { interned, base64, nanosecondTime, type Input, type Row } from './row-type.js';

/** A complete job: the submitted specification with defaults and the fields that the cluster adds. */
export const jobShape = t.struct({
  Stop: t.bool,
  Region: interned,
  Namespace: interned,
  ID: t.string,
  ParentID: t.string,
  Name: t.string,
  Type: interned,
  Priority: t.int,
  AllAtOnce: t.bool,
  Datacenters: t.list(interned),
  NodePool: interned,
  Constraints: t.list(constraintShape),
  Affinities: t.list(affinityShape),
  Spreads: t.list(spreadShape),
  TaskGroups: t.list(taskGroupShape),
  Update: updateShape,
  Multiregion: t.nullable(
    t.struct({
      Strategy: t.nullable(t.struct({ MaxParallel: t.int, OnFailure: interned })),
      Regions: t.list(
        t.struct({
          Name: interned,
          Count: t.int,
          Datacenters: t.list(interned),
          NodePool: interned,
          Meta: t.map(t.string),
        }),
      ),
    }),
  ),
  Periodic: t.nullable(
    t.struct({
      Enabled: t.bool,
      Spec: t.string,
      Specs: t.list(t.string),
      SpecType: interned,
      ProhibitOverlap: t.bool,
      TimeZone: interned,
    }),
  ),
  ParameterizedJob: t.nullable(
    t.struct({ Payload: interned, MetaRequired: t.list(t.string), MetaOptional: t.list(t.string) }),
  ),
  Dispatched: t.bool,
  DispatchIdempotencyToken: t.string,
  Payload: base64,
  Meta: t.map(t.string),
  ConsulNamespace: interned,
  VaultNamespace: interned,
  SchedulerTokenID: t.string,
  Status: interned,
  StatusDescription: interned,
  Stable: t.bool,
  Version: t.uint,
  SubmitTime: nanosecondTime,
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
  JobModifyIndex: t.uint,
  UI: t.nullable(
    t.struct({ Description: t.string, Links: t.list(t.struct({ Label: t.string, URL: t.string })) }),
  ),
  VersionTag: t.nullable(t.struct({ Name: t.string, Description: t.string, TaggedTime: t.int })),
});

export type Job = Row<typeof jobShape>;
export type JobInput = Input<typeof jobShape>;

export const jobTypes = ['service', 'batch', 'system', 'sysbatch'] as const;

/** Returns the key of a job. It sorts jobs by namespace, then ID; namespaces contain no dot. */
export function jobKey(job: Pick<Job, 'Namespace' | 'ID'>): string {
  return `${job.Namespace}.${job.ID}`;
}
