import type { Steps } from '@tamis/http';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
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

/** The result of a dry run of a job registration. */
export interface PlannedRegistration {
  /** The stored job that the registration would replace; null if there is none. */
  readonly stored: Job | null;
  /** The job as the registration would store it. */
  readonly job: Job;
  /** Null for periodic and parameterized jobs, which are not placed on registration. */
  readonly plan: Plan | null;
  /** The follow-up evaluations that would be created, such as one blocked until resources are free. */
  readonly created: readonly Evaluation[];
  /** Time of the next launch of a periodic job, in ms since 1970; null for other jobs. */
  readonly nextLaunch: number | null;
  readonly warnings: readonly string[];
}

/** Maximum number of placements that a dry run tries. Stops a count of a million from keeping a server busy. */
export const maxPlannedPlacements = 1_000;

/**
 * Registers a job in a copy of the state and decides what its evaluation would do. Nothing is written.
 *
 * @param now milliseconds since 1970.
 * @throws SchedulerError `invalid-job` if the registration would be refused.
 */
export function* planningRegistration(
  snapshot: Snapshot,
  registration: Registration,
  now: number,
  sources: RowSources,
): Steps<PlannedRegistration> {
  const examined = yield* examiningRegistration(snapshot.tables, registration, now);
  if (examined.errors.length > 0) throw new SchedulerError('invalid-job', listErrors(examined.errors));
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

/** Completes the evaluation in the copy and returns the follow-up evaluations that this creates. */
function evaluationsAfter(transaction: Transaction, plan: Plan, index: number): readonly Evaluation[] {
  const ofJob = (): readonly Evaluation[] => [...evaluationsOfJob(transaction.tables, plan.evaluation)];
  const before = new Set(ofJob().map(({ ID }) => ID));
  completeEvaluation(transaction, plan, index);
  return ofJob().filter(({ ID }) => !before.has(ID));
}
