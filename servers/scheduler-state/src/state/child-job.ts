import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { countChild } from './job-status.js';
import { writeEvaluation } from './evaluation-writes.js';
import { writeVersion } from './job-writes.js';
import type { Transaction } from './transaction.js';

/** A job that another job started. */
export interface StartedChild {
  readonly id: string;
  readonly jobCreateIndex: number | bigint;
  /** Empty if the child is not evaluated yet. */
  readonly evalId: string;
  readonly evalCreateIndex: number;
  readonly index: number;
}

/** Writes a child job of `parent` with its differences, and creates an evaluation to place it. */
export function startChild(
  transaction: Transaction,
  parent: Job,
  fields: Partial<Job> & Pick<Job, 'ID'>,
  triggeredBy: string,
): StartedChild {
  const child: Job = {
    ...parent,
    ...fields,
    ParentID: parent.ID,
    Name: fields.ID,
    Status: '',
    StatusDescription: '',
    Stable: false,
    VersionTag: null,
  };
  const written = writeVersion(transaction, child, null, transaction.stamp());
  countChild(transaction, written, null, written.Status);
  // If a dispatched job is also periodic, its own timetable starts it.
  const isStartedLater = written.Periodic !== null;
  const evalId = isStartedLater ? '' : writeEvaluation(transaction, written, { triggeredBy, priority: null });
  return {
    id: written.ID,
    jobCreateIndex: written.CreateIndex,
    evalId,
    evalCreateIndex: isStartedLater ? 0 : transaction.index,
    index: transaction.index,
  };
}

/** Whether a job with this ID exists. */
export function hasJob(transaction: Transaction, Namespace: string, ID: string): boolean {
  return transaction.get('jobs', jobKey({ Namespace, ID })) !== null;
}
