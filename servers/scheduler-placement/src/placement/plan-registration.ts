import type { Steps } from '@tamis/http';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';
import { timetableOf } from '@tamis/scheduler-model/timetable.js';
import { completeEvaluation } from '@tamis/scheduler-state/state/evaluation-outcome.js';
import { evaluationsOfJob } from '@tamis/scheduler-state/state/lookups.js';
import { isLaunched } from '@tamis/scheduler-state/state/periodic-launch.js';
import type { Plan } from '@tamis/scheduler-state/state/plan.js';
import {
  examiningRegistration,
  registerJob,
  type Registration,
} from '@tamis/scheduler-state/state/register-job.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { getRow } from 'tamis/table';
import {
  openTransaction,
  type RowSources,
  type Transaction,
} from '@tamis/scheduler-state/state/transaction.js';
import { placing } from './place.js';

/** The effects of a registration if it were made now. */
export interface PlannedRegistration {
  /** The stored job that it would replace; null if none exists. */
  readonly stored: Job | null;
  /** The job to be written. */
  readonly job: Job;
  /** Null for periodic and parameterised jobs. */
  readonly plan: Plan | null;
  /** The resulting evaluations, such as one blocked on capacity. */
  readonly created: readonly Evaluation[];
  /** Next launch in ms since 1970; null for a job without a timetable. */
  readonly nextLaunch: number | null;
  readonly warnings: readonly string[];
}

/** Maximum number of allocations that are tried. Prevents a count of a million from keeping a server busy. */
export const maxPlannedPlacements = 1_000;

/**
 * Registers a job in a copy of the state and plans its evaluation. Writes nothing.
 *
 * @param now in ms since 1970.
 * @throws SchedulerError `bad-request`, like the registration.
 */
export function* planningRegistration(
  snapshot: Snapshot,
  registration: Registration,
  now: number,
  sources: RowSources,
): Steps<PlannedRegistration> {
  const examined = yield* examiningRegistration(snapshot.tables, registration, now);
  if (examined.errors.length > 0) throw badRequest(listErrors(examined.errors));
  const { transaction } = openTransaction(snapshot, sources);
  const { evalId } = registerJob(transaction, registration, examined);
  yield;
  const { tables } = transaction;
  const evaluation = getRow(tables.evaluations, evalId);
  const { uuid } = sources;
  const options = { now, uuid, seed: evalId, maxPlacements: maxPlannedPlacements, countsDesired: true };
  const plan = evaluation === null ? null : yield* placing(tables, evaluation, options);
  const job = getRow(tables.jobs, jobKey(examined.job)) ?? examined.job;
  const created = plan === null ? [] : evaluationsAfter(transaction, plan, snapshot.index);
  const nextLaunch = isLaunched(job) ? timetableOf(job).next(now) : null;
  return { created, stored: examined.stored, job, plan, nextLaunch, warnings: examined.warnings };
}

/** Returns the evaluations created in the copy when the evaluation ends. */
function evaluationsAfter(transaction: Transaction, plan: Plan, index: number): readonly Evaluation[] {
  const ofJob = (): readonly Evaluation[] => [...evaluationsOfJob(transaction.tables, plan.evaluation)];
  const before = new Set(ofJob().map(({ ID }) => ID));
  completeEvaluation(transaction, plan, index);
  return ofJob().filter(({ ID }) => !before.has(ID));
}
