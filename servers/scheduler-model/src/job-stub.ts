import type { Job } from './job.js';
import type { JobSummary } from './job-summary.js';

function withoutMeta(job: Job, summary: JobSummary | null) {
  return {
    ID: job.ID,
    ParentID: job.ParentID,
    Name: job.Name,
    Namespace: job.Namespace,
    Datacenters: job.Datacenters,
    NodePool: job.NodePool,
    Multiregion: job.Multiregion,
    Type: job.Type,
    Priority: job.Priority,
    Periodic: job.Periodic !== null,
    ParameterizedJob: job.ParameterizedJob !== null && !job.Dispatched,
    Stop: job.Stop,
    Status: job.Status,
    StatusDescription: job.StatusDescription,
    JobSummary: summary,
    CreateIndex: job.CreateIndex,
    ModifyIndex: job.ModifyIndex,
    JobModifyIndex: job.JobModifyIndex,
    SubmitTime: job.SubmitTime,
  };
}

/** A job as an entry of the job list. `Meta` is present only if requested and set. */
export type JobStub = Readonly<ReturnType<typeof withoutMeta>> & Partial<Pick<Job, 'Meta'>>;

/** The fields of jobs that the list shows unchanged. */
export const jobStubFields: ReadonlySet<string> = new Set<keyof Job & keyof JobStub>([
  'ID',
  'ParentID',
  'Name',
  'Namespace',
  'Datacenters',
  'NodePool',
  'Multiregion',
  'Type',
  'Priority',
  'Stop',
  'Status',
  'StatusDescription',
  'Meta',
  'CreateIndex',
  'ModifyIndex',
  'JobModifyIndex',
  'SubmitTime',
]);

export function jobStub(job: Job, summary: JobSummary | null, withMeta: boolean): JobStub {
  const stub = withoutMeta(job, summary);
  const hasMeta = job.Meta !== null && Object.keys(job.Meta).length > 0;
  return withMeta && hasMeta ? { ...stub, Meta: job.Meta } : stub;
}
