import { notFound } from '@tamis/scheduler-model/base/errors.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { writeEvaluation } from './evaluation-writes.js';
import type { Transaction } from './transaction.js';
import { writeAllocations } from './write-allocations.js';

/** Options of stopping an allocation. They are stored with it and shown. */
export interface StopWishes {
  /** Whether to stop its tasks immediately, regardless of `ShutdownDelay`. */
  readonly NoShutdownDelay: boolean;
  /** Whether stopping it counts as rescheduling: its replacement may be placed on any node with capacity. */
  readonly Reschedule: boolean;
}

/**
 * Stops an allocation and evaluates its job, which replaces it if still needed. Returns the ID of the evaluation.
 *
 * @throws SchedulerError `not-found` if it or its job no longer exists.
 */
export function stopAllocation(
  transaction: Transaction,
  id: string,
  wishes: Partial<StopWishes> = {},
): { readonly evalId: string; readonly index: number } {
  const allocation = transaction.get('allocations', id);
  if (allocation === null) throw notFound('alloc not found');
  const { Namespace, JobID: ID } = allocation;
  const job = transaction.get('jobs', jobKey({ Namespace, ID }));
  if (job === null) throw notFound('job not found');
  const requested = Object.entries(wishes).filter(([, isRequested]) => isRequested);
  const DesiredTransition = {
    ...allocation.DesiredTransition,
    Migrate: true,
    ...Object.fromEntries(requested),
  };
  writeAllocations(transaction, [{ ...allocation, DesiredTransition }]);
  const cause = { triggeredBy: 'alloc-stop', priority: null };
  return {
    evalId: writeEvaluation(transaction, job, cause),
    index: transaction.index,
  };
}
