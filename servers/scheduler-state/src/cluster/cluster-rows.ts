import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { jobSummaries } from '@tamis/scheduler-model/job-summary.js';
import { createFlag, importedKey } from '@tamis/scheduler-model/cluster-flag.js';
import {
  defaultNamespace,
  defaultNamespaceDescription,
  namespaceShape,
  type Namespace,
} from '@tamis/scheduler-model/namespace.js';
import { tableNames, type Rows, type TableName } from '../state/tables.js';
import type { Transaction } from '../state/transaction.js';
import { createSummaryCounter } from './summary-counter.js';

/** The rows of a whole cluster, used to fill an empty state. */
export type ClusterRows = { readonly [N in TableName]: Rows[N][] };

export function noRows(): ClusterRows {
  return Object.fromEntries(tableNames.map((name) => [name, []])) as unknown as ClusterRows;
}

/**
 * Fills the state with rows. Adds implied rows that are missing: the namespace, the version and the summary of each job. Indexes
 * stay unchanged. No evaluations are created, so nothing is rescheduled.
 */
export function restoreCluster(transaction: Transaction, rows: ClusterRows): void {
  const complete: ClusterRows = {
    ...rows,
    job_versions: [...rows.job_versions, ...rows.jobs],
    job_summaries: [...rows.job_summaries, ...missingSummaries(rows)],
    namespaces: [...rows.namespaces, ...missingNamespaces(transaction, rows)],
  };
  for (const name of tableNames) restoreTable(transaction, name, complete);
  transaction.restore('marks', [createFlag(importedKey, transaction.index)]);
}

function restoreTable<N extends TableName>(transaction: Transaction, name: N, rows: ClusterRows): void {
  if (rows[name].length > 0) transaction.restore(name, rows[name]);
}

function missingSummaries(rows: ClusterRows): ClusterRows['job_summaries'] {
  const known = new Set(rows.job_summaries.map(jobSummaries.key));
  const counter = createSummaryCounter();
  for (const table of ['jobs', 'evaluations', 'allocations'] as const) {
    for (const row of rows[table]) counter.add(table, row);
  }
  return [...counter.summaries()].filter((summary) => !known.has(jobSummaries.key(summary)));
}

function missingNamespaces(transaction: Transaction, rows: ClusterRows): Namespace[] {
  const known = new Set(rows.namespaces.map(({ Name }) => Name));
  const used = new Set(
    tableNames.flatMap((table) =>
      rows[table].flatMap((row: Rows[TableName]) => usedNamespaceOf(table, row) ?? []),
    ),
  );
  return createMissingNamespaces(used, known).filter(
    ({ Name }) => transaction.get('namespaces', Name) === null,
  );
}

/** Returns the namespace that a row requires; null if it requires none. */
export function usedNamespaceOf(table: TableName, row: Rows[TableName]): string | null {
  switch (table) {
    case 'jobs':
    case 'deployments':
    case 'evaluations':
    case 'allocations':
      return (row as Rows[typeof table]).Namespace;
    default:
      return null;
  }
}

/** Creates the default namespace and all namespaces that are in use, if they are missing. */
export function createMissingNamespaces(used: ReadonlySet<string>, known: ReadonlySet<string>): Namespace[] {
  return [...new Set([defaultNamespace, ...used])]
    .filter((name) => !known.has(name))
    .map((name) => createNamespace(name, name === defaultNamespace ? defaultNamespaceDescription : '', 1));
}

export function createNamespace(Name: string, Description: string, index: number): Namespace {
  const given = { Name, Description, CreateIndex: index, ModifyIndex: index };
  return completeShape(namespaceShape, given);
}
