import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { importedKey } from '@tamis/scheduler-model/cluster-flag.js';
import type { Key } from 'tamis';
import { scanRows, getRow } from 'tamis/table';
import type { State } from '@tamis/scheduler-state/state/state.js';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { watchTables } from './watcher.js';

/** Follows the state and delivers every pending evaluation once. */
export type EvaluationFeed = ReturnType<typeof startEvaluationFeed>;

export interface FeedOptions {
  readonly state: State;
  /** Whether the receivers have capacity for more evaluations. Prevents many evaluations from being in memory twice. */
  readonly hasCapacity: () => boolean;
  readonly pending: (evaluation: Evaluation) => void;
  readonly blocked: (evaluation: Evaluation) => void;
}

/** Starts to deliver evaluations: first all pending ones of the state, except imported ones. */
export function startEvaluationFeed({ state, hasCapacity, pending, blocked }: FeedOptions) {
  let last: Key = { index: importedIndex(state.snapshot().tables), text: '\udfff' };

  /** Delivers pending evaluations while there is capacity. */
  function pump(): void {
    const { evaluations } = state.snapshot().tables;
    for (const evaluation of scanRows(evaluations.listed, { from: last, to: null }, false)) {
      if (evaluation.CreateIndex === last.index && evaluation.ID === last.text) continue;
      if (!hasCapacity()) return;
      last = { index: evaluation.CreateIndex, text: evaluation.ID };
      if (evaluation.Status === 'pending') pending(evaluation);
      else if (evaluation.Status === 'blocked') blocked(evaluation);
    }
  }

  return { pump, stop: watchTables(state, ['evaluations'], pump) };
}

/** Returns the last imported index; 0 if nothing was imported. */
export function importedIndex({ marks }: Tables): number {
  return Number(getRow(marks, importedKey)?.ModifyIndex ?? 0);
}
