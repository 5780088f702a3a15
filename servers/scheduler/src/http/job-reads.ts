import type { Allocation } from '../model/allocation.js';
import type { Deployment } from '../model/deployment.js';
import { jobKey, type Job } from '../model/job.js';
import { jobVersionPrefix } from '../model/jobs.js';
import { diffJobs, type JobDiff } from '../model/job-diff.js';
import { defaultNamespace } from '../model/namespace.js';
import { omitEmpty } from '../model/omit-empty.js';
import { prefixRange, scanRows } from '../state/sorted-rows.js';
import type { Snapshot } from '../state/snapshot.js';
import { rowsWith } from '../state/secondary-index.js';
import { getRow } from '../state/table.js';
import { requireCapability } from './access.js';
import { stubAllocations } from './allocation-routes.js';
import { parseSwitch, readNamespace, type ReadQuery } from '../requests/query.js';
import { rowPart, rowsPart, type FoundResource, type ReadPart, type ReadResource } from './read-route.js';
import { rowList } from './row-list.js';
import type { RowTest } from './row-source.js';

/** A job and what belongs to it. */
export const jobRead: ReadResource = {
  prefix: '/v1/job/',
  authorise(access, { namespace }) {
    requireCapability(access, 'read-job', namespace || defaultNamespace);
    return () => true;
  },
  parts: [
    rowPart('jobs', findJob, (job) => job, 'job not found'),
    rowPart(
      'job_summaries',
      ({ tables }, ID, query) => getRow(tables.job_summaries, jobKey(identityOf(ID, query))),
      (summary) => summary,
      'job not found',
      '/summary',
    ),
    versionsPart(),
    rowsPart('/allocations', 'allocations', (query) => {
      const stub = stubAllocations(query);
      const all = parseSwitch(query.parameters, 'all');
      return (snapshot, id) => {
        const job = findJob(snapshot, id, query);
        const isInNamespace = ofNamespace(query);
        const where = (row: Allocation): boolean =>
          isInNamespace(row) && (all || isOfThisJob(row.Job?.CreateIndex, job));
        return rowList(rowsWith(snapshot.tables.allocations.indexes.JobID, id), where, stub);
      };
    }),
    rowsPart('/evaluations', 'evaluations', (query) => ({ tables }, id) => {
      return rowList(rowsWith(tables.evaluations.indexes.JobID, id), ofNamespace(query), omitEmpty);
    }),
    rowsPart('/deployments', 'deployments', (query) => {
      const all = parseSwitch(query.parameters, 'all');
      return (snapshot, id) => {
        const { rows, where } = deploymentsOfJob(snapshot, id, query, all);
        return rowList(rows, where, (deployment) => deployment);
      };
    }),
    latestDeploymentPart(),
  ],
  writes: /\/(?:evaluate|dispatch|periodic\/force)$/,
};

function identityOf(ID: string, { namespace }: ReadQuery): { Namespace: string; ID: string } {
  return { Namespace: readNamespace(namespace), ID };
}

function findJob({ tables }: Snapshot, id: string, query: ReadQuery): Job | null {
  return getRow(tables.jobs, jobKey(identityOf(id, query)));
}

/** Jobs of one name may be in several namespaces. */
function ofNamespace(query: ReadQuery): RowTest<{ readonly Namespace: string }> {
  const namespace = readNamespace(query.namespace);
  return (row) => row.Namespace === namespace;
}

/** False for what an earlier job of the same name left behind. Imported rows may not tell whose they are. */
function isOfThisJob(jobCreateIndex: number | bigint | undefined, job: Job | null): boolean {
  if (job === null || jobCreateIndex === undefined) return true;
  const index = BigInt(jobCreateIndex);
  return index === 0n || index === BigInt(job.CreateIndex);
}

/** Oldest first. */
function deploymentsOfJob(
  snapshot: Snapshot,
  id: string,
  query: ReadQuery,
  all: boolean,
): { readonly rows: Iterable<Deployment>; readonly where: RowTest<Deployment> } {
  const job = findJob(snapshot, id, query);
  const isInNamespace = ofNamespace(query);
  return {
    rows: rowsWith(snapshot.tables.deployments.indexes.JobID, id),
    where: (row) => isInNamespace(row) && (all || isOfThisJob(row.JobCreateIndex, job)),
  };
}

/** The newest deployment, or null as a body. */
function latestDeploymentPart(): ReadPart {
  return {
    suffix: '/deployment',
    tables: ['deployments'],
    missing: '',
    find: (snapshot, id, query) => ({
      index: null,
      show() {
        const { rows, where } = deploymentsOfJob(snapshot, id, query, false);
        return [...rows].findLast(where) ?? null;
      },
    }),
  };
}

/** What each version changes in the one before it; the oldest one has none. Compared one by one, as they are asked for. */
function* diffVersions(versions: readonly Job[]): Generator<JobDiff, void, undefined> {
  for (const [at, before] of versions.slice(1).entries()) yield diffJobs(before, versions[at] ?? before);
}

/** The versions that are kept, newest first, in the envelope that carries the headers too. */
function versionsPart(): ReadPart {
  return {
    suffix: '/versions',
    tables: ['job_versions'],
    missing: 'job versions not found',
    find({ tables }, id, query): FoundResource | null {
      const withDiffs = parseSwitch(query.parameters, 'diffs');
      const range = prefixRange(jobVersionPrefix(identityOf(id, query)));
      const Versions = [...scanRows(tables.job_versions.primary, range, true)];
      const newest = Versions[0];
      if (newest === undefined) return null;
      return {
        index: newest.ModifyIndex,
        show: ({ index, lastContact, knownLeader }) => ({
          Versions,
          Diffs: withDiffs ? diffVersions(Versions) : null,
          Index: index,
          LastContact: lastContact,
          KnownLeader: knownLeader,
          NextToken: '',
        }),
      };
    },
  };
}
