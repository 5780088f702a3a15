import { byAge, jobOfRow } from './row-orders.js';
import { defineResource } from './resource.js';
import { s, type Input, type Row } from './shape.js';

/** One run of the scheduler over a job. Times of creation are nanoseconds. */
export const evaluationShape = s.struct({
  ID: s.string,
  Namespace: s.label,
  Priority: s.int,
  Type: s.label,
  TriggeredBy: s.label,
  JobID: s.string,
  JobModifyIndex: s.uint,
  NodeID: s.string,
  NodeModifyIndex: s.uint,
  DeploymentID: s.string,
  Status: s.label,
  StatusDescription: s.string,
  Wait: s.int,
  WaitUntil: s.time,
  NextEval: s.string,
  PreviousEval: s.string,
  BlockedEval: s.string,
  FailedTGAllocs: s.map(s.any),
  PlanAnnotations: s.any,
  ClassEligibility: s.map(s.bool),
  QuotaLimitReached: s.string,
  EscapedComputedClass: s.bool,
  AnnotatePlan: s.bool,
  QueuedAllocations: s.map(s.int),
  SnapshotIndex: s.uint,
  CreateIndex: s.uint,
  ModifyIndex: s.uint,
  CreateTime: s.int,
  ModifyTime: s.int,
});

export type Evaluation = Row<typeof evaluationShape>;
export type EvaluationInput = Input<typeof evaluationShape>;

/** Whether nothing more comes of an evaluation. */
export function isTerminalEvaluation({ Status }: Pick<Evaluation, 'Status'>): boolean {
  return Status === 'complete' || Status === 'failed' || Status === 'canceled';
}

/** What an evaluation shows of those it is related to. */
export function evaluationStub(evaluation: Evaluation): object {
  return {
    ID: evaluation.ID,
    Namespace: evaluation.Namespace,
    Priority: evaluation.Priority,
    Type: evaluation.Type,
    TriggeredBy: evaluation.TriggeredBy,
    JobID: evaluation.JobID,
    NodeID: evaluation.NodeID,
    DeploymentID: evaluation.DeploymentID,
    Status: evaluation.Status,
    StatusDescription: evaluation.StatusDescription,
    WaitUntil: evaluation.WaitUntil,
    NextEval: evaluation.NextEval,
    PreviousEval: evaluation.PreviousEval,
    BlockedEval: evaluation.BlockedEval,
    CreateIndex: evaluation.CreateIndex,
    ModifyIndex: evaluation.ModifyIndex,
    CreateTime: evaluation.CreateTime,
    ModifyTime: evaluation.ModifyTime,
  };
}

export const evaluations = defineResource({
  name: 'Evaluation',
  shape: evaluationShape,
  key: ({ ID }) => ID,
  idField: 'ID',
  listOrder: byAge,
  values: ['Status', 'Type', 'TriggeredBy', 'JobID', 'Namespace'],
  groups: { job: jobOfRow },
  exported: { list: '/v1/evaluations', isSparse: true },
  views: { EvaluationStub: { show: evaluationStub } },
});
