import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { type Job } from '@tamis/scheduler-model/job.js';
import { writeEvaluation } from './evaluation-writes.js';
import type { Registered } from './register-job.js';
import { allocationsOfJob, requireJob } from './lookups.js';
import type { Transaction } from './transaction.js';
import { writeAllocations } from './write-allocations.js';

/**
 * Creates an evaluation of a job.
 *
 * @param forceReschedule whether failed allocations are placed again regardless of their policy.
 * @throws SchedulerError `not-found`, or `bad-request` for periodic and parameterised jobs.
 */
export function evaluateJob(
  transaction: Transaction,
  name: Pick<Job, 'Namespace' | 'ID'>,
  forceReschedule: boolean,
): Registered {
  const job = requireJob(transaction.tables, name);
  if (isStartedLater(job)) {
    const kind = job.Periodic === null ? 'parameterized' : 'periodic';
    throw badRequest(`can't evaluate ${kind} job`);
  }
  if (forceReschedule) {
    const failed = [...allocationsOfJob(transaction.tables, { Namespace: job.Namespace, JobID: job.ID })]
      .filter(({ ClientStatus, NextAllocation }) => ClientStatus === 'failed' && NextAllocation === '')
      .map((row) => ({
        ...row,
        DesiredTransition: { ...row.DesiredTransition, ForceReschedule: true },
      }));
    writeAllocations(transaction, failed);
  }
  const cause = { triggeredBy: 'job-register', priority: null };
  const evalId = writeEvaluation(transaction, job, cause);
  const { index } = transaction;
  return { evalId, evalCreateIndex: index, jobModifyIndex: job.JobModifyIndex, index };
}
