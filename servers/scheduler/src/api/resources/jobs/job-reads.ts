import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { jobVersionPrefix } from '@tamis/scheduler-model/jobs.js';
import { diffJobs, type JobDiff } from '@tamis/scheduler-model/job-diff.js';
import { omitEmpty } from '@tamis/scheduler-model/omit-empty.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { prefixRange, scanRows, lookupRows, getRow } from 'tamis/table';
import type { RowPredicate } from 'tamis/query';
import { stubAllocations } from '../allocations/allocation-routes.js';
import type { ClusterRoute } from '../../kernel/context.js';
import { parseSwitch, readNamespace, type ReadQuery } from '../../kernel/query.js';
import { foundRow, readRoute, type FoundResource } from '../../lists/read-route.js';
import { withinNamespace } from '../../kernel/rights.js';
import { rowList } from '../../lists/row-list.js';

const job = { tag: 'jobs', right: withinNamespace('read-job') } as const;

/** Reads of a job and of data that belongs to it. */
export const jobReads: readonly ClusterRoute[] = [
  readRoute({
    ...job,
    path: '/v1/job/{job_id}',
    summary: 'Read a job',
    parameters: ['namespace'],
    response: { kind: 'json', schema: 'Job' },
    tables: ['jobs'],
    missing: 'job not found',
    find: (query, id) => (snapshot) => foundRow(findJob(snapshot, id, query)),
  }),
  readRoute({
    ...job,
    path: '/v1/job/{job_id}/summary',
    summary: 'Read the summary of a job',
    parameters: ['namespace'],
    response: { kind: 'json', schema: 'JobSummary' },
    tables: ['job_summaries'],
    missing: 'job not found',
    find(query, id) {
      const key = jobKey(identityOf(id, query));
      return ({ tables }) => foundRow(getRow(tables.job_summaries, key));
    },
  }),
  readRoute({
    ...job,
    path: '/v1/job/{job_id}/versions',
    summary: 'Read the versions of a job',
    parameters: ['namespace'],
    response: { kind: 'json', schema: 'JobVersions' },
    tables: ['job_versions'],
    missing: 'job versions not found',
    find(query, id) {
      const withDiffs = parseSwitch(query.parameters, 'diffs');
      const range = prefixRange(jobVersionPrefix(identityOf(id, query)));
      return ({ tables }) => versionsJson([...scanRows(tables.job_versions.primary, range, true)], withDiffs);
    },
  }),
  readRoute({
    ...job,
    path: '/v1/job/{job_id}/allocations',
    summary: 'List the allocations of a job',
    parameters: ['namespace', 'all', 'resources', 'task_states'],
    response: { kind: 'list', schema: 'AllocationListStub', filtered: false },
    tables: ['allocations'],
    find(query, id) {
      const stub = stubAllocations(query);
      const all = parseSwitch(query.parameters, 'all');
      const isInNamespace = ofNamespace(query);
      return (snapshot) => {
        const found = findJob(snapshot, id, query);
        const where = (row: Allocation): boolean =>
          isInNamespace(row) && (all || isOfThisJob(row.Job?.CreateIndex, found));
        return { rows: rowList(lookupRows(snapshot.tables.allocations.indexes.JobID, id), where, stub) };
      };
    },
  }),
  readRoute({
    ...job,
    path: '/v1/job/{job_id}/evaluations',
    summary: 'List the evaluations of a job',
    parameters: ['namespace'],
    response: { kind: 'list', schema: 'Evaluation', filtered: false },
    tables: ['evaluations'],
    find(query, id) {
      const where = ofNamespace(query);
      return ({ tables }) => ({
        rows: rowList(lookupRows(tables.evaluations.indexes.JobID, id), where, omitEmpty),
      });
    },
  }),
  readRoute({
    ...job,
    path: '/v1/job/{job_id}/deployments',
    summary: 'List the deployments of a job',
    parameters: ['namespace', 'all'],
    response: { kind: 'list', schema: 'Deployment', filtered: false },
    tables: ['deployments'],
    find(query, id) {
      const all = parseSwitch(query.parameters, 'all');
      return (snapshot) => {
        const { rows, where } = deploymentsOfJob(snapshot, id, query, all);
        return { rows: rowList(rows, where, (deployment) => deployment) };
      };
    },
  }),
  readRoute({
    ...job,
    path: '/v1/job/{job_id}/deployment',
    summary: 'Read the last deployment of a job',
    parameters: ['namespace'],
    // Null if there is no deployment.
    response: { kind: 'maybe', schema: 'Deployment' },
    tables: ['deployments'],
    find: (query, id) => (snapshot) => ({
      index: null,
      project() {
        const { rows, where } = deploymentsOfJob(snapshot, id, query, false);
        return [...rows].findLast(where) ?? null;
      },
    }),
  }),
];

function identityOf(ID: string, { namespace }: ReadQuery): { Namespace: string; ID: string } {
  return { Namespace: readNamespace(namespace), ID };
}

function findJob({ tables }: Snapshot, id: string, query: ReadQuery): Job | null {
  return getRow(tables.jobs, jobKey(identityOf(id, query)));
}

/** Jobs with the same name may exist in several namespaces. */
function ofNamespace(query: ReadQuery): RowPredicate<{ readonly Namespace: string }> {
  const namespace = readNamespace(query.namespace);
  return (row) => row.Namespace === namespace;
}

/** False for rows of an earlier job with the same name. Imported rows may not identify their job. */
function isOfThisJob(jobCreateIndex: number | bigint | undefined, found: Job | null): boolean {
  if (found === null || jobCreateIndex === undefined) return true;
  const index = BigInt(jobCreateIndex);
  return index === 0n || index === BigInt(found.CreateIndex);
}

/** Oldest first. */
function deploymentsOfJob(
  snapshot: Snapshot,
  id: string,
  query: ReadQuery,
  all: boolean,
): { readonly rows: Iterable<Deployment>; readonly where: RowPredicate<Deployment> } {
  const found = findJob(snapshot, id, query);
  const isInNamespace = ofNamespace(query);
  return {
    rows: lookupRows(snapshot.tables.deployments.indexes.JobID, id),
    where: (row) => isInNamespace(row) && (all || isOfThisJob(row.JobCreateIndex, found)),
  };
}

/** Returns the differences of each version to the previous one; the oldest has none. Compared lazily, one by one. */
function* diffVersions(versions: readonly Job[]): Generator<JobDiff, void, undefined> {
  for (const [at, before] of versions.slice(1).entries()) yield diffJobs(before, versions[at] ?? before);
}

/** Returns the kept versions, newest first, in the envelope that repeats the headers. */
function versionsJson(Versions: readonly Job[], withDiffs: boolean): FoundResource | null {
  const [newest] = Versions;
  if (newest === undefined) return null;
  return {
    index: newest.ModifyIndex,
    project(headers) {
      const { index, lastContact, knownLeader } = headers();
      return {
        Versions,
        Diffs: withDiffs ? diffVersions(Versions) : null,
        Index: index,
        LastContact: lastContact,
        KnownLeader: knownLeader,
        NextToken: '',
      };
    },
  };
}
