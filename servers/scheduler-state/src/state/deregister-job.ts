import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { countChild } from './job-status.js';
import { writeEvaluation } from './evaluation-writes.js';
import { purgeJob, writeVersion } from './job-writes.js';
import type { Registered } from './register-job.js';
import type { Transaction } from './transaction.js';

/** A request to stop a job. */
export interface Deregistration {
  readonly job: Pick<Job, 'Namespace' | 'ID'>;
  /** Whether to delete the job instead of keeping it as stopped. */
  readonly purge: boolean;
  /** Priority of the evaluation; null for that of the job. */
  readonly evalPriority: number | null;
}

/** Result for a missing job. It is not an error, because stopping is idempotent. */
const nothing: Registered = Object.freeze({ evalId: '', evalCreateIndex: 0, jobModifyIndex: 0, index: 0 });

/** Stops a job by writing a new version, or purges it. Returns zeros for a missing job. */
export function deregisterJob(
  transaction: Transaction,
  { job, purge, evalPriority }: Deregistration,
): Registered {
  const stored = transaction.get('jobs', jobKey(job));
  if (stored === null) return nothing;
  const { index } = transaction;
  let jobModifyIndex: Job['JobModifyIndex'] = index;
  if (stored.Status !== 'dead' || purge)
    countChild(transaction, stored, stored.Status, purge ? null : 'dead');
  if (purge) purgeJob(transaction, stored);
  else if (stored.Stop) jobModifyIndex = stored.JobModifyIndex;
  else writeVersion(transaction, { ...stored, Stop: true }, stored, transaction.stamp());
  const cause = { triggeredBy: 'job-deregister', priority: evalPriority };
  const evaluated = { ...stored, JobModifyIndex: jobModifyIndex };
  const evalId = isStartedLater(stored) ? '' : writeEvaluation(transaction, evaluated, cause);
  const changesNothing = evalId === '' && !purge && stored.Stop;
  return {
    evalId,
    evalCreateIndex: evalId === '' ? 0 : index,
    jobModifyIndex,
    index: changesNothing ? stored.ModifyIndex : index,
  };
}
