import type { Intern } from '../model/intern.js';
import { completeShape } from '../model/complete-shape.js';
import { jobKey, type Job } from '../model/job.js';
import { jobSummaries, summariseJob } from '../model/job-summary.js';
import { createFlag, importedKey } from '../model/cluster-flag.js';
import {
  defaultNamespace,
  defaultNamespaceDescription,
  namespaceShape,
  type Namespace,
} from '../model/namespace.js';
import { tableNames, type Rows, type TableName } from '../state/tables.js';
import type { Transaction } from '../state/transaction.js';

/** The rows of a whole cluster, to fill an empty state with. */
export type ClusterRows = { readonly [N in TableName]: Rows[N][] };

export function noRows(): ClusterRows {
  return Object.fromEntries(tableNames.map((name) => [name, []])) as unknown as ClusterRows;
}

/**
 * Fills the state. What the rows imply and do not hold is added: the namespace of every job, its version and its
 * summary. Indexes stay as they are; no evaluations are made, so nothing moves by itself.
 */
export function restoreCluster(transaction: Transaction, rows: ClusterRows, intern: Intern): void {
  const complete: ClusterRows = {
    ...rows,
    job_versions: [...rows.job_versions, ...rows.jobs],
    job_summaries: [...rows.job_summaries, ...missingSummaries(rows)],
    namespaces: [...rows.namespaces, ...missingNamespaces(transaction, rows, intern)],
  };
  for (const name of tableNames) restoreTable(transaction, name, complete);
  transaction.restore('marks', [createFlag(importedKey, transaction.index)]);
}

function restoreTable<N extends TableName>(transaction: Transaction, name: N, rows: ClusterRows): void {
  if (rows[name].length > 0) transaction.restore(name, rows[name]);
}

function missingSummaries({ jobs, job_summaries }: ClusterRows): ClusterRows['job_summaries'] {
  const known = new Set(job_summaries.map(jobSummaries.key));
  return jobs
    .filter((job) => !known.has(jobKey(job)))
    .map((job: Job) => ({ ...summariseJob(job, null, job.ModifyIndex), CreateIndex: job.CreateIndex }));
}

function missingNamespaces(transaction: Transaction, rows: ClusterRows, intern: Intern): Namespace[] {
  const known = new Set(rows.namespaces.map(({ Name }) => Name));
  const used = [...rows.jobs, ...rows.deployments, ...rows.evaluations, ...rows.allocations];
  const missing = new Set([defaultNamespace, ...used.map(({ Namespace }) => Namespace)]);
  return [...missing]
    .filter((name) => !known.has(name) && transaction.get('namespaces', name) === null)
    .map((name) =>
      createNamespace(name, name === defaultNamespace ? defaultNamespaceDescription : '', 1, intern),
    );
}

export function createNamespace(Name: string, Description: string, index: number, intern: Intern): Namespace {
  const given = { Name, Description, CreateIndex: index, ModifyIndex: index };
  return completeShape(namespaceShape, given, intern);
}
