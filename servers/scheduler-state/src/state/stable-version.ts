import { jobVersionKey, jobVersionPrefix } from '@tamis/scheduler-model/jobs.js';
import { prefixRange, scanRows, getRow } from 'tamis/table';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { Tables } from './tables.js';
import { jobOf } from './lookups.js';
import type { Transaction } from './transaction.js';

/**
 * Returns the newest version before the current one that was deployed successfully. A version that stopped the job does not
 * qualify.
 */
export function stableVersion({ job_versions }: Tables, job: Job): Job | null {
  const versions = scanRows(job_versions.primary, prefixRange(jobVersionPrefix(job)), true);
  for (const version of versions) {
    if (version.Stable && !version.Stop && version.Version < job.Version) return version;
  }
  return null;
}

/** Returns a registered version; null if it was deleted or belonged to an earlier job with this ID. */
export function storedVersion(
  { job_versions }: Tables,
  version: Pick<Job, 'Namespace' | 'ID' | 'Version' | 'CreateIndex'>,
): Job | null {
  const stored = getRow(job_versions, jobVersionKey(version));
  return stored?.CreateIndex === version.CreateIndex ? stored : null;
}

/** Sets whether the version of a deployment is stable: true after success, false after failure. */
export function markStable(transaction: Transaction, deployment: Deployment, Stable: boolean): void {
  const job = jobOf(transaction.tables, deployment);
  if (job === null || job.Version !== deployment.JobVersion || job.Stable === Stable) return;
  const marked = { ...job, Stable, ModifyIndex: transaction.index };
  transaction.put('jobs', marked);
  transaction.put('job_versions', marked);
}
