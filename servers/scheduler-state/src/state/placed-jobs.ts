import { isDeepStrictEqual } from 'node:util';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { placedJobKey } from '@tamis/scheduler-model/jobs.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import { getRow } from 'tamis/table';
import type { Tables } from './tables.js';

/**
 * An allocation as stored in the log. Its job is the key of a stored job that all allocations of that job share. Jobs of one
 * version differ in fields that the cluster sets, such as their status, so each is kept as it was when placed. A job that is not
 * shared, for example imported under a used key, is stored whole in its allocation. Logs of earlier versions store all jobs that
 * way.
 */
export type StoredAllocation = Omit<Allocation, 'Job'> & { readonly Job: Job | string | null };

/** Returns an allocation that refers to the stored job, if its own job is equal; otherwise the allocation itself. */
export function shareJob({ placed_jobs }: Pick<Tables, 'placed_jobs'>, row: Allocation): Allocation {
  if (row.Job === null) return row;
  const stored = getRow(placed_jobs, placedJobKey(row.Job));
  const isEqual = stored !== null && stored !== row.Job && isDeepStrictEqual(stored, row.Job);
  return isEqual ? { ...row, Job: stored } : row;
}

/** Returns the job of an allocation if it must be stored because there is none under its key; otherwise null. */
export function unstoredJob({ placed_jobs }: Pick<Tables, 'placed_jobs'>, { Job }: Allocation): Job | null {
  return Job !== null && getRow(placed_jobs, placedJobKey(Job)) === null ? Job : null;
}

/** Returns an allocation as the log stores it. */
export function unlinkAllocation(
  { placed_jobs }: Pick<Tables, 'placed_jobs'>,
  row: Allocation,
): StoredAllocation {
  if (row.Job === null) return row;
  const key = placedJobKey(row.Job);
  return getRow(placed_jobs, key) === row.Job ? { ...row, Job: key } : row;
}

/** Returns allocations linked to their stored jobs. @throws StorageError `damaged` */
export function linkAllocations(
  { placed_jobs }: Pick<Tables, 'placed_jobs'>,
  rows: readonly StoredAllocation[],
): readonly Allocation[] {
  // Cached, because many allocations of a store have the same job.
  const found = new Map<string, Job>();
  return rows.map((row) => {
    if (typeof row.Job !== 'string') return row as Allocation;
    const Job = found.get(row.Job) ?? getRow(placed_jobs, row.Job);
    if (Job === null) {
      const problem = `allocation ${row.ID} refers to the job ${JSON.stringify(row.Job)}, which is not stored`;
      throw new StorageError('damaged', `The log is damaged: ${problem}`);
    }
    found.set(row.Job, Job);
    return { ...row, Job };
  });
}
