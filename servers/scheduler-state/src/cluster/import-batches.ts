import { createHash } from 'node:crypto';
import { jsonSize } from 'tamis/internal';
import { writeJson } from '@tamis/http';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { createFlag, importedKey } from '@tamis/scheduler-model/cluster-flag.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { placedJobKey } from '@tamis/scheduler-model/jobs.js';
import { resourceOf, type Rows, type TableName } from '@tamis/scheduler-model/resources.js';
import type { Batch, StoredRow } from '../storage/storage.js';
import { usedNamespaceOf, createMissingNamespaces } from './cluster-rows.js';
import type { ImportedRow } from './import.js';
import { createSummaryCounter } from './summary-counter.js';

/** Maximum size of a batch, in bytes of JSON. The disk is synchronised once per batch. */
const batchSize = 4_194_304;

/**
 * Yields the rows of an import as batches of the log, so that each can be freed once it is written. Together they have the same
 * effect as `restoreCluster`. Only the index of the last batch counts, and the log must not be read before it is written.
 */
export async function* importBatches(rows: AsyncIterable<ImportedRow>): AsyncGenerator<Batch> {
  const pending = createPendingRows();
  const placed = createPlacedJobs();
  const counter = createSummaryCounter();
  const named = new Set<string>();
  const used = new Set<string>();
  for await (const { resource, row, size } of rows) {
    const { table } = resource;
    pending.countSize(size);
    if (table === 'jobs') pending.add('job_versions', row as Job);
    counter.add(table, row);
    if (table === 'namespaces') named.add((row as Rows['namespaces']).Name);
    const namespace = usedNamespaceOf(table, row);
    if (namespace !== null) used.add(namespace);
    if (table === 'allocations') {
      const { job, stored } = placed.share(row as Allocation);
      if (job !== null) pending.add('placed_jobs', job);
      pending.add('allocations', row as Allocation, stored);
    } else {
      pending.add(table, row as never);
    }
    if (pending.size() >= batchSize) yield pending.take();
  }
  for (const row of counter.summaries()) {
    pending.add('job_summaries', row);
    pending.countSize(jsonSize(row));
    if (pending.size() >= batchSize) yield pending.take();
  }
  for (const row of createMissingNamespaces(used, named)) pending.add('namespaces', row);
  const { index } = pending;
  pending.add('marks', createFlag(importedKey, index()));
  // The jobs of imported allocations count as written now, regardless of when they were placed.
  if (placed.isUsed()) pending.raise('placed_jobs', index());
  yield pending.take();
}

/** The rows of the next batch. */
function createPendingRows() {
  const tableIndexes: Record<string, number> = {};
  let puts: StoredRow[] = [];
  let size = 0;

  const index = (): number => Math.max(1, ...Object.values(tableIndexes));

  function raise(table: TableName, to: number): void {
    tableIndexes[table] = Math.max(tableIndexes[table] ?? 0, to);
  }

  return {
    /** Returns the largest index so far; with a table, that of its rows. */
    index,
    raise,
    /** @param stored the row as the log stores it, if different. */
    add<N extends TableName>(table: N, row: Rows[N], stored: object = row): void {
      puts.push({ table, key: resourceOf(table).key(row), row: stored });
      raise(table, Math.max(Number(row.CreateIndex), Number(row.ModifyIndex)));
    },
    countSize(bytes: number): void {
      size += bytes;
    },
    size: (): number => size,
    /** Returns the batch and starts an empty one. */
    take(): Batch {
      const batch = { index: index(), puts, deletes: [], tableIndexes: { ...tableIndexes } };
      puts = [];
      size = 0;
      return batch;
    },
  };
}

/** Assigns stored jobs to allocations. The first job under a key is stored, and allocations with an equal job refer to it. */
function createPlacedJobs() {
  /** Hashes of jobs by key, because the jobs themselves may not fit in memory. */
  const known = new Map<string, string>();
  return {
    isUsed: (): boolean => known.size > 0,
    share(row: Allocation): { readonly job: Job | null; readonly stored: object } {
      const { Job: job } = row;
      if (job === null) return { job: null, stored: row };
      const key = placedJobKey(job);
      const digest = createHash('sha256').update(writeJson(job)).digest('base64');
      const first = known.get(key);
      if (first === undefined) known.set(key, digest);
      const isShared = first === undefined || first === digest;
      return { job: first === undefined ? job : null, stored: isShared ? { ...row, Job: key } : row };
    },
  };
}
