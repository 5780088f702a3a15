import type { Key } from 'tamis';
import { firstParameter, type QueryParameters } from '@tamis/http';
import type { Access } from '../../../services/acl/access.js';
import type { NamespaceCapability } from '../../../services/acl/capability.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { jobs } from '@tamis/scheduler-model/jobs.js';
import { jobStub, jobStubFields } from '@tamis/scheduler-model/job-stub.js';
import type { JobSummary } from '@tamis/scheduler-model/job-summary.js';
import { isChangeOf } from '@tamis/scheduler-state/state/change-feed.js';
import { deregisterJob, type Deregistration } from '@tamis/scheduler-state/state/deregister-job.js';
import { jobOfRow } from '@tamis/scheduler-model/row-orders.js';
import { stringKey, getRow, createSequentialLookup } from 'tamis/table';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { requireCapability } from '../../kernel/access.js';
import type { Selection } from 'tamis/query';
import type { ClusterRoute } from '../../kernel/context.js';
import { jobPlans } from './job-plan.js';
import { jobReads } from './job-reads.js';
import { jobsPath, registrationRoute, requireEvalPriority, registeredJson } from './job-registration.js';
import { jobScaling } from './job-scaling.js';
import { jobVersionWrites } from './job-version-writes.js';
import { jobWrites } from './job-writes.js';
import { listRoute } from '../../lists/list-route.js';
import { parseSwitch, readNamespace, type ReadQuery } from '../../kernel/query.js';
import { rowsOfNamespace } from '../../kernel/rights.js';
import { writeRoute } from '../../lists/write-route.js';

const jobList = listRoute<Job>({
  path: jobsPath,
  summary: 'List jobs',
  tag: 'jobs',
  right: rowsOfNamespace('list-jobs'),
  entry: 'JobListStub',
  tables: ['jobs', 'job_summaries'],
  rowIn(change, { tables }) {
    if (!isChangeOf(change, 'job_summaries')) return null;
    const summary = change.after ?? change.before;
    return summary === null ? null : getRow(tables.jobs, jobOfRow(summary));
  },
  resource: jobs,
  // The right to list jobs does not include reading them.
  reportedFields: jobStubFields,
  parameters: ['namespace', 'reverse', 'meta'],
  select: selectJobs,
  stub(query) {
    const withMeta = parseSwitch(query.parameters, 'meta');
    const summaryOf = createSummaryFinder();
    return (job, snapshot) => jobStub(job, summaryOf(job, snapshot), withMeta);
  },
});

/** Finds the summaries of jobs. Both tables have the same order, so those of a list are found by a parallel scan. */
function createSummaryFinder(): (job: Job, snapshot: Snapshot) => JobSummary | null {
  let snapshotInUse: Snapshot | null = null;
  let find: ((key: Key) => JobSummary | undefined) | null = null;
  return (job, snapshot) => {
    if (find === null || snapshotInUse !== snapshot) {
      snapshotInUse = snapshot;
      find = createSequentialLookup(snapshot.tables.job_summaries.primary);
    }
    return find(stringKey(jobKey(job))) ?? null;
  };
}

function selectJobs({ tables }: Snapshot, { namespace, prefix }: ReadQuery): Selection<Job> {
  const { primary, indexes } = tables.jobs;
  const found = { rows: primary, indexes };
  if (namespace === '*') {
    const where = prefix === '' ? null : (job: Job): boolean => job.ID.startsWith(prefix);
    return { ...found, keyPrefix: '', where };
  }
  const keyPrefix = `${readNamespace(namespace)}.${prefix}`;
  return { ...found, keyPrefix, where: null, ...(prefix === '' ? { keyField: jobs.idField } : {}) };
}

const stopping: readonly NamespaceCapability[] = ['submit-job', 'deregister-job'];
const purging: readonly NamespaceCapability[] = ['submit-job', 'purge-job'];

function planDeregistration(parameters: QueryParameters, ID: string): Deregistration {
  // These two have no effect here, but invalid values are still rejected.
  parseSwitch(parameters, 'global');
  parseSwitch(parameters, 'no_shutdown_delay');
  const priority = firstParameter(parameters, 'eval_priority');
  return {
    job: { Namespace: readNamespace(firstParameter(parameters, 'namespace')), ID },
    purge: parseSwitch(parameters, 'purge'),
    evalPriority: requireEvalPriority(/^\d{0,9}$/.test(priority) ? Number(priority) : NaN),
  };
}

const deregistration = writeRoute({
  method: 'delete',
  path: '/v1/job/{job_id}',
  summary: 'Stop a job',
  tag: 'jobs',
  right: {
    name: 'namespace:submit-job',
    async grant(getAccess: () => Access | Promise<Access>, { job, purge }: Deregistration) {
      requireCapability(await getAccess(), purge ? purging : stopping, job.Namespace);
    },
  },
  parameters: ['namespace', 'purge', 'global', 'no_shutdown_delay', 'eval_priority'],
  failures: [404],
  response: { kind: 'json', schema: 'JobDeregistered' },
  parse: ({ parameters, id }) => planDeregistration(parameters, id),
  write: (requested, context) => context.state.write((transaction) => deregisterJob(transaction, requested)),
  project: (deregistered) => ({
    index: deregistered.index,
    body: { ...registeredJson(deregistered), VolumeEvalID: '', VolumeEvalIndex: 0 },
  }),
});

/** The routes of jobs. */
export const jobRoutes: readonly ClusterRoute[] = [
  jobList,
  registrationRoute(jobsPath, 'Register a job', []),
  ...jobReads.slice(0, 1),
  registrationRoute('/v1/job/{job_id}', 'Register a job under its ID', [404]),
  deregistration,
  ...jobReads.slice(1),
  ...jobWrites,
  ...jobPlans,
  ...jobVersionWrites,
  ...jobScaling,
];
