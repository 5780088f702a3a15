import type { Deployment } from '../model/deployment.js';
import { jobKey, type Job } from '../model/job.js';
import { defaultNamespace } from '../model/namespace.js';
import { omitEmpty } from '../model/omit-empty.js';
import { prefixRange, scanRows, type Ordered } from '../state/ordered.js';
import type { Snapshot } from '../state/snapshot.js';
import { getRow } from '../state/table.js';
import { jobVersionPrefix, ofJobPrefix } from '../state/tables.js';
import { requireCapability } from './access.js';
import { stubAllocations } from './allocation-routes.js';
import { parseSwitch, readNamespace, type ReadQuery } from './query.js';
import { rowPart, rowsPart, type Found, type ReadPart, type ReadResource } from './read-route.js';

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
      const show = stubAllocations(query);
      const all = parseSwitch(query.parameters, 'all');
      return (snapshot, id) => {
        const rows = rowsOfJob(snapshot.tables.allocations.indexes.job, id, query);
        const job = findJob(snapshot, id, query);
        return show(all ? rows : rows.filter((row) => isOfThisJob(row.Job?.CreateIndex, job)));
      };
    }),
    rowsPart('/evaluations', 'evaluations', (query) => ({ tables }, id) => {
      return rowsOfJob(tables.evaluations.indexes.job, id, query).map(omitEmpty);
    }),
    rowsPart('/deployments', 'deployments', (query) => {
      const all = parseSwitch(query.parameters, 'all');
      return (snapshot, id) => deploymentsOfJob(snapshot, id, query, all);
    }),
    rowsPart('/deployment', 'deployments', (query) => (snapshot, id) => {
      return deploymentsOfJob(snapshot, id, query, false).at(-1) ?? null;
    }),
  ],
  otherSuffixes: [
    '/services',
    '/submission',
    '/actions',
    '/scale',
    '/tag',
    '/plan',
    '/evaluate',
    '/stable',
    '/revert',
    '/dispatch',
    '/periodic/force',
  ],
};

function identityOf(ID: string, { namespace }: ReadQuery): { Namespace: string; ID: string; JobID: string } {
  return { Namespace: readNamespace(namespace), ID, JobID: ID };
}

function findJob({ tables }: Snapshot, id: string, query: ReadQuery): Job | null {
  return getRow(tables.jobs, jobKey(identityOf(id, query)));
}

interface OfJob {
  readonly CreateIndex: number | bigint;
}

/** Oldest first. */
function rowsOfJob<T extends OfJob>(rows: Ordered<T>, id: string, query: ReadQuery): readonly T[] {
  const range = prefixRange(ofJobPrefix(identityOf(id, query)));
  const found = [...scanRows(rows, range, false)];
  // A stable sort: rows of one age stay in the order of their IDs.
  return found.sort((a, b) => (a.CreateIndex < b.CreateIndex ? -1 : a.CreateIndex > b.CreateIndex ? 1 : 0));
}

/** False for what an earlier job of the same name left behind. Imported rows may not tell whose they are. */
function isOfThisJob(jobCreateIndex: number | bigint | undefined, job: Job | null): boolean {
  if (job === null || jobCreateIndex === undefined) return true;
  const index = BigInt(jobCreateIndex);
  return index === 0n || index === BigInt(job.CreateIndex);
}

function deploymentsOfJob(
  snapshot: Snapshot,
  id: string,
  query: ReadQuery,
  all: boolean,
): readonly Deployment[] {
  const rows = rowsOfJob(snapshot.tables.deployments.indexes.job, id, query);
  const job = findJob(snapshot, id, query);
  return all ? rows : rows.filter(({ JobCreateIndex }) => isOfThisJob(JobCreateIndex, job));
}

/** The versions that are kept, newest first, in the envelope that carries the headers too. */
function versionsPart(): ReadPart {
  return {
    suffix: '/versions',
    tables: ['job_versions'],
    missing: 'job versions not found',
    find({ tables }, id, query): Found | null {
      const range = prefixRange(jobVersionPrefix(identityOf(id, query)));
      const Versions = [...scanRows(tables.job_versions.primary, range, true)];
      const newest = Versions[0];
      if (newest === undefined) return null;
      return {
        index: newest.ModifyIndex,
        show: ({ index, lastContact, knownLeader }) => ({
          Versions,
          Diffs: null,
          Index: index,
          LastContact: lastContact,
          KnownLeader: knownLeader,
          NextToken: '',
        }),
      };
    },
  };
}
