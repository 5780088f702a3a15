import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { scanRows, fullRange, getRow } from 'tamis/table';

/** Evaluations that wait for capacity, at most one per job. */
export type BlockedEvaluations = ReturnType<typeof createBlockedEvaluations>;

/**
 * Creates an empty set of blocked evaluations.
 *
 * @param tables returns the current state.
 * @param enqueue receives evaluations that need not wait any longer.
 */
export function createBlockedEvaluations(tables: () => Tables, enqueue: (evaluation: Evaluation) => void) {
  const byJob = new Map<string, Evaluation>();
  let seen = 0;

  return {
    /** Adds an evaluation; enqueues it immediately if it need not wait any more. */
    block: (evaluation: Evaluation): void => {
      const key = keyOf(evaluation);
      const now = tables();
      // Capacity may have become available during the evaluation.
      if (canGoOn(evaluation, classesSince(now, Number(evaluation.SnapshotIndex)))) {
        byJob.delete(key);
        enqueue(evaluation);
      } else byJob.set(key, evaluation);
    },
    /** Enqueues evaluations that may succeed after a change of capacity. */
    unblock: (): void => {
      const now = tables();
      const classes = classesSince(now, seen);
      seen = newest(now, seen);
      if (classes.length === 0) return;
      for (const [key, evaluation] of byJob) {
        const stored = getRow(now.evaluations, evaluation.ID);
        const isBlocked = stored?.Status === 'blocked';
        if (isBlocked && !canGoOn(evaluation, classes)) continue;
        byJob.delete(key);
        if (isBlocked) enqueue(stored);
      }
    },
    get size(): number {
      return byJob.size;
    },
    clear(): void {
      byJob.clear();
      seen = newest(tables(), 0);
    },
  };
}

function keyOf({ Namespace, JobID }: Evaluation): string {
  return jobKey({ Namespace, ID: JobID });
}

/** Returns the node classes with increased capacity since an index. */
function classesSince({ capacity_marks }: Tables, index: number): string[] {
  const classes: string[] = [];
  for (const { Key, ModifyIndex } of scanRows(capacity_marks.primary, fullRange, false)) {
    if (ModifyIndex > index) classes.push(Key);
  }
  return classes;
}

function newest({ capacity_marks }: Tables, min: number): number {
  let max = min;
  for (const { ModifyIndex } of scanRows(capacity_marks.primary, fullRange, false)) {
    max = Math.max(max, Number(ModifyIndex));
  }
  return max;
}

/** Whether an evaluation may succeed on one of these node classes: one that it has not checked, or has not rejected. */
function canGoOn(evaluation: Evaluation, classes: readonly string[]): boolean {
  if (classes.length === 0) return false;
  const eligible = new Map(Object.entries(evaluation.ClassEligibility ?? {}));
  return evaluation.EscapedComputedClass || classes.some((name) => eligible.get(name) !== false);
}
