import { runGenerator, type TimeSlicer } from '@tamis/http';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { placing } from '../placement/place.js';
import { applyPlan, type AppliedPlan } from '@tamis/scheduler-state/state/apply-plan.js';
import { completeEvaluation, failEvaluation } from '@tamis/scheduler-state/state/evaluation-outcome.js';
import type { AllocationChange, Plan } from '@tamis/scheduler-state/state/plan.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import { getRow } from 'tamis/table';
import type { WorkloadStatus } from './worker-pool.js';

/** Dependencies of evaluation processing. */
export interface ProcessDependencies {
  readonly state: State;
  readonly uuid: () => string;
  /** Time slices shared with requests, which interrupt the placement. */
  readonly slices: TimeSlicer;
  /** Returns ms since 1970. */
  readonly now: () => number;
  readonly limits: ProcessLimits;
}

export type ProcessLimits = Readonly<Record<keyof typeof defaultProcessLimits, number>>;

export const defaultProcessLimits = Object.freeze({
  /** Maximum number of placements per write. Prevents a job of a million from blocking other writes. */
  maxPlacements: 50,
  /** Maximum number of changed allocations per write, for example those of a stopped job. */
  maxChanges: 100,
  /** Maximum consecutive plans with conflicts before the evaluation is postponed. */
  serviceAttempts: 5,
  batchAttempts: 2,
});

/** Callbacks of processing one evaluation. */
export interface Processing {
  /** Called with the current activity. */
  readonly report: (status: WorkloadStatus) => void;
  /** Whether the worker still owns the evaluation. False if another worker received it meanwhile. */
  readonly isOwned: () => boolean;
}

/** Plans an evaluation and applies the plans until nothing is left to do, too many conflicts occurred, or the work is aborted. */
export async function processEvaluation(
  { ID }: Evaluation,
  { report, isOwned }: Processing,
  dependencies: ProcessDependencies,
): Promise<void> {
  const { state, limits } = dependencies;
  let conflicts = 0;
  for (;;) {
    const snapshot = state.snapshot();
    const evaluation = getRow(snapshot.tables.evaluations, ID);
    if (evaluation === null || (evaluation.Status !== 'pending' && evaluation.Status !== 'blocked')) return;
    const attempts = evaluation.Type === 'service' ? limits.serviceAttempts : limits.batchAttempts;
    if (conflicts >= attempts) {
      await giveUp(evaluation, attempts, dependencies);
      return;
    }
    report('Scheduling');
    const plan = await makePlan(snapshot, evaluation, dependencies);
    if (!isOwned()) return;
    report('Submitting');
    const submitted = await submit(plan, snapshot, isOwned, dependencies).catch((error: unknown) => {
      if (error instanceof SchedulerError && error.code === 'row-too-large') return error;
      throw error;
    });
    if (submitted instanceof SchedulerError) {
      await failForGood(evaluation, submitted.message, dependencies);
      return;
    }
    const { refused, accepted } = submitted;
    if (refused === 0 && !plan.hasMore) return;
    conflicts = accepted > 0 ? 0 : conflicts + 1;
  }
}

function makePlan(
  { tables }: Snapshot,
  evaluation: Evaluation,
  { slices, now, uuid, limits }: ProcessDependencies,
): Promise<Plan> {
  const means = { now: now(), uuid, seed: evaluation.ID, maxPlacements: limits.maxPlacements };
  return runGenerator(slices, placing(tables, evaluation, means));
}

/** Applies a plan, in several writes if it is long. The last write also ends the evaluation. */
async function submit(
  plan: Plan,
  snapshot: Snapshot,
  isOwned: () => boolean,
  { state, limits }: ProcessDependencies,
): Promise<AppliedPlan> {
  const { parts, rest } = splitPlan(plan, limits.maxChanges);
  let refused = 0;
  for (const part of parts) {
    const applied = await state.write((transaction) =>
      isOwned() ? applyPlan(transaction, part) : nothingApplied,
    );
    refused += applied.refused;
  }
  return state.write((transaction) => {
    // The write may have waited longer than the delivery timeout.
    if (!isOwned()) return nothingApplied;
    const applied = applyPlan(transaction, rest);
    const all = { ...applied, refused: applied.refused + refused };
    if (all.refused === 0 && !plan.hasMore) {
      completeEvaluation(transaction, plan, snapshot.index);
    }
    return all;
  });
}

const nothingApplied: AppliedPlan = Object.freeze({ refused: 0, accepted: 0 });

/**
 * Splits a long plan. The parts that can be written first are stops without a replacement. The rest ends the evaluation, so an
 * interruption in between leads to a new plan.
 */
export function splitPlan(plan: Plan, max: number): { readonly parts: readonly Plan[]; readonly rest: Plan } {
  if (plan.changes.length <= max) return { parts: [], rest: plan };
  const isAlone = ({ fields }: AllocationChange): boolean =>
    fields.DesiredStatus === 'stop' && (fields.NextAllocation ?? '') === '';
  const alone = plan.changes.filter(isAlone);
  const together = plan.changes.filter((change) => !isAlone(change));
  const empty = { placed: [], deployment: null, deploymentChanges: [], followUps: [], nextStep: null };
  const parts: Plan[] = [];
  for (let at = 0; at < alone.length; at += max) {
    parts.push({ ...plan, ...empty, changes: alone.slice(at, at + max) });
  }
  return { parts, rest: { ...plan, changes: together } };
}

/** Fails an evaluation whose plan can never be stored, because a retry would not help. */
function failForGood({ ID }: Evaluation, reason: string, { state }: ProcessDependencies): Promise<void> {
  return state.write((transaction) => failEvaluation(transaction, ID, reason, null));
}

function giveUp({ ID }: Evaluation, attempts: number, { state }: ProcessDependencies): Promise<void> {
  const next = { triggeredBy: 'max-plan-attempts', wait: 0, isBlocked: true };
  return state.write((transaction) =>
    failEvaluation(transaction, ID, `maximum attempts reached (${attempts})`, next),
  );
}
