import { exact } from '@tamis/scheduler-model/exact.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { jobVersionPrefix } from '@tamis/scheduler-model/jobs.js';
import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { summariseJob } from '@tamis/scheduler-model/job-summary.js';
import { prefixRange, scanRows } from 'tamis/table';
import type { Transaction } from './transaction.js';

/** Maximum number of stored versions per job, including the current one. */
const maxVersions = 6;

/** Writes a new version of a job with its summary. Returns the job as written. */
export function writeVersion(transaction: Transaction, job: Job, stored: Job | null, stamp: bigint): Job {
  const { index } = transaction;
  const written: Job = {
    ...job,
    Status: statusOf(job, stored),
    Version: stored === null ? 0 : exact(BigInt(stored.Version) + 1n),
    SubmitTime: exact(stamp),
    CreateIndex: stored?.CreateIndex ?? index,
    ModifyIndex: index,
    JobModifyIndex: index,
  };
  transaction.put('jobs', written);
  transaction.put('job_versions', written);
  forgetOldVersions(transaction, written);
  transaction.put(
    'job_summaries',
    summariseJob(written, transaction.get('job_summaries', jobKey(written)), index),
  );
  return written;
}

/**
 * Returns the status of a written job. A new job has nothing placed yet. A job with allocations keeps running during a rollout.
 */
function statusOf(job: Job, stored: Job | null): string {
  if (job.Stop) return 'dead';
  if (job.Type === 'system' || isStartedLater(job)) return 'running';
  return stored?.Status === 'running' ? 'running' : 'pending';
}

function forgetOldVersions(transaction: Transaction, job: Job): void {
  const { primary } = transaction.tables.job_versions;
  const versions = scanRows(primary, prefixRange(jobVersionPrefix(job)), false);
  const keys = [...versions].map((version) => primary.order.text(version));
  for (const key of keys.slice(0, -maxVersions)) transaction.delete('job_versions', key);
}

/** Deletes a job, its versions and its summary, but not its allocations. */
export function purgeJob(transaction: Transaction, job: Job): void {
  const { primary } = transaction.tables.job_versions;
  const versions = [...scanRows(primary, prefixRange(jobVersionPrefix(job)), false)];
  for (const version of versions) transaction.delete('job_versions', primary.order.text(version));
  transaction.delete('job_summaries', jobKey(job));
  transaction.delete('scaling_events', jobKey(job));
  transaction.delete('periodic_launches', jobKey(job));
  transaction.delete('jobs', jobKey(job));
}
