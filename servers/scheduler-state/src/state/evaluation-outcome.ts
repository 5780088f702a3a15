import { jobOfRow } from '@tamis/scheduler-model/row-orders.js';
import type { Evaluation, EvaluationInput } from '@tamis/scheduler-model/evaluation.js';
import { settleJobStatus } from './job-status.js';
import { exact } from '@tamis/scheduler-model/exact.js';
import { writeEvaluation } from './evaluation-writes.js';
import type { Plan } from './plan.js';
import { evaluationsOfJob } from './lookups.js';
import type { Transaction } from './transaction.js';
import { writeQueued } from './write-allocations.js';

/** Status descriptions of ended evaluations. */
const evaluationTexts = Object.freeze({
  blocked: 'created to place remaining allocations',
  conflicts: 'created due to placement conflicts',
  superseded: 'canceled after more recent eval was processed',
});

/**
 * Ends an evaluation whose plan was applied. If placements failed, a blocked evaluation waits for capacity: a new one, or this
 * one if it was blocked before.
 */
export function completeEvaluation(transaction: Transaction, plan: Plan, snapshotIndex: number): void {
  const stored = transaction.get('evaluations', plan.evaluation.ID);
  if (stored === null) return;
  const isPlaced = plan.failed.size === 0;
  const waiting = {
    ClassEligibility: plan.classEligibility,
    EscapedComputedClass: plan.escaped,
    SnapshotIndex: snapshotIndex,
  };
  const isBlockedAgain = !isPlaced && stored.Status === 'blocked';
  const found = { FailedTGAllocs: Object.fromEntries(plan.failed), QueuedAllocations: plan.queued };
  const BlockedEval =
    isPlaced || isBlockedAgain ? '' : writeBlocked(transaction, plan, { ...waiting, ...found });
  const outcome: Partial<Evaluation> = {
    ...(isPlaced ? { ...found, FailedTGAllocs: null } : found),
    ...(isBlockedAgain ? waiting : { Status: 'complete', StatusDescription: '', BlockedEval }),
  };
  writeOutcome(transaction, stored, { SnapshotIndex: snapshotIndex, ...outcome });
  const retain = isBlockedAgain ? stored.ID : BlockedEval;
  const reason = isPlaced ? `evaluation ${JSON.stringify(stored.ID)} successful` : superseding(stored.JobID);
  cancelBlocked(transaction, stored, retain, reason);
  writeQueued(transaction, stored, plan.queued);
  settleJobStatus(transaction, stored);
}

function superseding(jobId: string): string {
  return `existing blocked evaluation exists for job ${JSON.stringify(jobId)}`;
}

function writeBlocked(transaction: Transaction, { evaluation, job }: Plan, waiting: EvaluationInput): string {
  if (job === null) return '';
  const cause = {
    triggeredBy: 'queued-allocs',
    priority: evaluation.Priority,
    more: {
      Status: 'blocked',
      StatusDescription: evaluationTexts.blocked,
      PreviousEval: evaluation.ID,
      ...waiting,
    },
  };
  return writeEvaluation(transaction, job, cause);
}

/** Cancels superfluous blocked evaluations of a job: all but one, or all if everything is placed. */
function cancelBlocked(
  transaction: Transaction,
  { Namespace, JobID }: Evaluation,
  retain: string,
  reason: string,
): void {
  const blocked = [...evaluationsOfJob(transaction.tables, { Namespace, JobID })].filter(
    ({ ID, Status }) => Status === 'blocked' && ID !== retain,
  );
  const outcome = { Status: 'canceled', StatusDescription: reason };
  for (const evaluation of blocked) writeOutcome(transaction, evaluation, outcome);
}

/** Cancels evaluations that newer ones have made superfluous. */
export function cancelEvaluations(transaction: Transaction, ids: readonly string[]): void {
  const jobs = new Map<string, Evaluation>();
  for (const id of ids) {
    const stored = transaction.get('evaluations', id);
    if (stored === null || stored.Status !== 'pending') continue;
    const outcome = { Status: 'canceled', StatusDescription: evaluationTexts.superseded };
    writeOutcome(transaction, stored, outcome);
    jobs.set(jobOfRow(stored), stored);
  }
  for (const job of jobs.values()) settleJobStatus(transaction, job);
}

/**
 * Marks an evaluation as failed.
 *
 * @param triggeredBy cause of a follow-up evaluation after `wait` ms; null for none.
 */
export function failEvaluation(
  transaction: Transaction,
  id: string,
  description: string,
  next: { readonly triggeredBy: string; readonly wait: number; readonly isBlocked: boolean } | null,
): void {
  const stored = transaction.get('evaluations', id);
  if (stored === null) return;
  let NextEval = '';
  let BlockedEval = '';
  if (next !== null) {
    const nextId = followEvaluation(transaction, stored, next);
    if (next.isBlocked) BlockedEval = nextId;
    else NextEval = nextId;
  }
  const outcome = { Status: 'failed', StatusDescription: description, NextEval, BlockedEval };
  writeOutcome(transaction, stored, outcome);
  settleJobStatus(transaction, stored);
}

function followEvaluation(
  transaction: Transaction,
  stored: Evaluation,
  {
    triggeredBy,
    wait,
    isBlocked,
  }: { readonly triggeredBy: string; readonly wait: number; readonly isBlocked: boolean },
): string {
  const now = Number(transaction.stamp() / 1_000_000n);
  const job = {
    Namespace: stored.Namespace,
    ID: stored.JobID,
    Type: stored.Type,
    Priority: stored.Priority,
    JobModifyIndex: stored.JobModifyIndex,
  };
  const more = {
    PreviousEval: stored.ID,
    ...(isBlocked
      ? { Status: 'blocked', StatusDescription: evaluationTexts.conflicts, EscapedComputedClass: true }
      : { WaitUntil: new Date(now + wait).toISOString() }),
  };
  return writeEvaluation(transaction, job, { triggeredBy, priority: null, more });
}

function writeOutcome(transaction: Transaction, stored: Evaluation, outcome: Partial<Evaluation>): void {
  const ModifyTime = exact(transaction.stamp());
  transaction.put('evaluations', { ...stored, ...outcome, ModifyIndex: transaction.index, ModifyTime });
}
