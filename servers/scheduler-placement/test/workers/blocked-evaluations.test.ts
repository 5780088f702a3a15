import { describe, expect, it } from 'vitest';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { evaluationShape, type Evaluation, type EvaluationInput } from '@tamis/scheduler-model/evaluation.js';
import { createFlag } from '@tamis/scheduler-model/cluster-flag.js';
import { emptySnapshot, type Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { openTransaction } from '@tamis/scheduler-state/state/transaction.js';
import {
  createBlockedEvaluations,
  type BlockedEvaluations,
} from '@tamis/scheduler-placement/workers/blocked-evaluations.js';
import { stillSources } from '../../../scheduler-state/test/support/row-sources.js';

interface Blocked {
  readonly blocked: BlockedEvaluations;
  readonly freed: string[];
  /** Writes an evaluation to the state and blocks it. */
  block(ID: string, more?: EvaluationInput): void;
  put(evaluation: Evaluation): void;
  /** Nodes of a class have more room from now on. */
  free(computedClass: string): void;
  readonly index: () => number;
}

function setUp(): Blocked {
  let snapshot: Snapshot = emptySnapshot();
  const freed: string[] = [];
  const blocked = createBlockedEvaluations(
    () => snapshot.tables,
    ({ ID }) => freed.push(ID),
  );
  function write(action: (transaction: ReturnType<typeof openTransaction>['transaction']) => void): void {
    const { transaction, finish } = openTransaction(snapshot, stillSources);
    action(transaction);
    snapshot = finish()?.snapshot ?? snapshot;
  }
  const put = (evaluation: Evaluation): void =>
    write((transaction) => transaction.put('evaluations', evaluation));
  return {
    blocked,
    freed,
    put,
    block(ID, more = {}) {
      const given = {
        ...{ ID, JobID: `job-${ID}`, Namespace: 'default', Status: 'blocked', SnapshotIndex: snapshot.index },
        ...more,
      };
      const evaluation = completeShape(evaluationShape, given);
      put(evaluation);
      blocked.block(evaluation);
    },
    free(computedClass) {
      write((transaction) => transaction.put('capacity_marks', createFlag(computedClass, transaction.index)));
      blocked.unblock();
    },
    index: () => snapshot.index,
  };
}

describe('blocked evaluations', () => {
  it('are unblocked by capacity on nodes of an eligible or unseen class', () => {
    const { block, free, freed, blocked } = setUp();
    block('yes', { ClassEligibility: { gpu: true, small: false } });
    block('no', { ClassEligibility: { gpu: false } });
    free('gpu');
    expect(freed).toEqual(['yes']);
    expect(blocked.size).toBe(1);
    free('new');
    expect(freed).toEqual(['yes', 'no']);
    expect(blocked.size).toBe(0);
  });

  it('are unblocked by any capacity if a constraint distinguishes nodes of one class', () => {
    const { block, free, freed } = setUp();
    block('a', { ClassEligibility: { gpu: false }, EscapedComputedClass: true });
    free('gpu');
    expect(freed).toEqual(['a']);
  });

  it('do not miss the room that came to be while they were under way', () => {
    const { block, free, freed, index } = setUp();
    const before = index();
    free('gpu');
    block('late', { ClassEligibility: { gpu: true }, SnapshotIndex: before });
    block('knew', { ClassEligibility: { gpu: true } });
    expect(freed).toEqual(['late']);
  });

  it('are forgotten when they have ended otherwise, and replaced by the next of their job', () => {
    const { block, put, free, freed, blocked } = setUp();
    const given = { ID: 'over', JobID: 'job-over', Namespace: 'default', Status: 'canceled' };
    block('over');
    put(completeShape(evaluationShape, given));
    block('first', { JobID: 'one' });
    block('second', { JobID: 'one' });
    expect(blocked.size).toBe(2);
    free('any');
    expect(freed).toEqual(['second']);
    expect(blocked.size).toBe(0);
  });
});
