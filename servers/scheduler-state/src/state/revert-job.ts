import { badRequest, notFound } from '@tamis/scheduler-model/base/errors.js';
import { exact } from '@tamis/scheduler-model/exact.js';
import { type Job } from '@tamis/scheduler-model/job.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { registerJob, type ExaminedRegistration, type Registered } from './register-job.js';
import { storedVersion } from './stable-version.js';
import type { Tables } from './tables.js';
import { requireJob } from './lookups.js';
import type { Transaction } from './transaction.js';

/** A request to revert a job to an earlier version. */
export interface Reversion {
  readonly job: Pick<Job, 'Namespace' | 'ID'>;
  readonly version: number | bigint;
  /** The required current version; null for any. */
  readonly priorVersion: number | bigint | null;
}

/**
 * Returns the job to register again.
 *
 * @throws SchedulerError `not-found`, or `bad-request` if that version is current or the index differs.
 */
export function revertedJob(tables: Tables, { job: name, version, priorVersion }: Reversion): Job {
  const current = requireJob(tables, name);
  if (priorVersion !== null && BigInt(priorVersion) !== BigInt(current.Version)) {
    const expectation = `enforcing version ${priorVersion}`;
    throw badRequest(`Current job has version ${current.Version}; ${expectation}`);
  }
  if (BigInt(version) === BigInt(current.Version)) throw badRequest("can't revert to current version");
  return { ...requireVersion(tables, current, version), VersionTag: null };
}

/**
 * Registers an earlier version of a job as a new version.
 *
 * @param examined result of examining the job returned by `revertedJob`.
 * @throws SchedulerError like `revertedJob` and `registerJob`.
 */
export function revertJob(
  transaction: Transaction,
  reversion: Reversion,
  examined: ExaminedRegistration,
): Registered {
  // Another write may have happened since.
  revertedJob(transaction.tables, reversion);
  const registration = { job: examined.job, enforceIndex: null, evalPriority: null };
  return registerJob(transaction, registration, examined);
}

/** Whether a version is stable, so that a failed later version reverts to it. */
export interface Stability {
  readonly job: Pick<Job, 'Namespace' | 'ID'>;
  readonly version: number | bigint;
  readonly isStable: boolean;
}

/** Returns the JobModifyIndex of the version. @throws SchedulerError `not-found` */
export function setStability(
  transaction: Transaction,
  { job: name, version, isStable }: Stability,
): { readonly jobModifyIndex: number | bigint; readonly index: number | bigint } {
  const current = requireJob(transaction.tables, name);
  const stored = requireVersion(transaction.tables, current, version);
  const jobModifyIndex = stored.JobModifyIndex;
  if (stored.Stable === isStable) return { jobModifyIndex, index: current.ModifyIndex };
  const { index } = transaction;
  transaction.put('job_versions', { ...stored, Stable: isStable, ModifyIndex: index });
  if (stored.Version === current.Version) {
    transaction.put('jobs', { ...current, Stable: isStable, ModifyIndex: index });
  }
  return { jobModifyIndex, index };
}

function requireVersion(tables: Tables, current: Job, version: number | bigint): Job {
  const stored = storedVersion(tables, { ...current, Version: exact(BigInt(version)) });
  if (stored !== null) return stored;
  const { Namespace, ID } = current;
  throw notFound(`job ${quote(ID)} in namespace ${quote(Namespace)} at version ${version} not found`);
}
