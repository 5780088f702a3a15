import { t } from 'tamis';
import { jobKey, jobShape, type Job } from './job.js';
import { jobStub } from './job-stub.js';
import { jobSummaryShape } from './job-summary.js';
import { defineResource } from './resource.js';
import { fieldsOf } from './row-type.js';

export const jobs = defineResource({
  name: 'Job',
  shape: jobShape,
  key: jobKey,
  idField: 'ID',
  values: ['Status', 'Type', 'Namespace', 'Priority', 'Datacenters', 'NodePool'],
  ranges: ['Priority', 'SubmitTime', 'CreateIndex', 'ModifyIndex'],
  sorts: [
    'Name',
    'Namespace',
    'Type',
    'Status',
    'NodePool',
    'Priority',
    'SubmitTime',
    'CreateIndex',
    'ModifyIndex',
  ],
  exported: {
    idProblem: ({ ID }) => (/[ \0]/.test(ID) ? 'must not hold blanks or null characters' : null),
  },
  views: {
    JobListStub: {
      project: (job) => jobStub(job, null, true),
      others: {
        JobSummary: t.nullable(jobSummaryShape),
        Periodic: t.bool,
        ParameterizedJob: t.bool,
        Meta: fieldsOf(jobShape).Meta,
      },
    },
  },
});

/** All versions of jobs, including the newest. */
export const jobVersions = defineResource({
  shape: jobShape,
  key: jobVersionKey,
  idField: 'Version',
});

/** The jobs of allocations as they were when placed. A row stays as long as an allocation refers to it. */
export const placedJobs = defineResource({
  shape: jobShape,
  key: placedJobKey,
  idField: 'ModifyIndex',
});

/** Returns the key of a placed job. Any change to a job changes its index, and so this key. */
export function placedJobKey(job: Pick<Job, 'Namespace' | 'ID' | 'ModifyIndex'>): string {
  return `${jobVersionPrefix(job)}${job.ModifyIndex}`;
}

/** Returns the key of one version of a job, padded so that keys sort by version number. */
export function jobVersionKey(version: Pick<Job, 'Namespace' | 'ID' | 'Version'>): string {
  return `${jobVersionPrefix(version)}${version.Version.toString().padStart(20, '0')}`;
}

/** Returns the key prefix of all versions of a job. */
export function jobVersionPrefix(job: Pick<Job, 'Namespace' | 'ID'>): string {
  return `${jobKey(job)} `;
}
