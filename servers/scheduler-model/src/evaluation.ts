import { t } from 'tamis';
import { byAge, jobOfRow } from './row-orders.js';
import { defineResource } from './resource.js';
import { interned, instant, nanosecondTime, type Input, type Row } from './row-type.js';

/** One run of the scheduler for a job. Creation times are in ns. */
export const evaluationShape = t.struct({
  ID: t.string,
  Namespace: interned,
  Priority: t.int,
  Type: interned,
  TriggeredBy: interned,
  JobID: t.string,
  JobModifyIndex: t.uint,
  NodeID: t.string,
  NodeModifyIndex: t.uint,
  DeploymentID: t.string,
  Status: interned,
  StatusDescription: t.string,
  Wait: t.int,
  WaitUntil: instant,
  NextEval: t.string,
  PreviousEval: t.string,
  BlockedEval: t.string,
  FailedTGAllocs: t.map(t.any),
  PlanAnnotations: t.any,
  ClassEligibility: t.map(t.bool),
  QuotaLimitReached: t.string,
  EscapedComputedClass: t.bool,
  AnnotatePlan: t.bool,
  QueuedAllocations: t.map(t.int),
  SnapshotIndex: t.uint,
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
  CreateTime: nanosecondTime,
  ModifyTime: nanosecondTime,
});

export type Evaluation = Row<typeof evaluationShape>;
export type EvaluationInput = Input<typeof evaluationShape>;

/** Whether an evaluation has finished. */
export function isTerminalEvaluation({ Status }: Pick<Evaluation, 'Status'>): boolean {
  return Status === 'complete' || Status === 'failed' || Status === 'canceled';
}

/** Returns an evaluation as related evaluations show it. */
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
  listField: 'CreateIndex',
  values: ['Status', 'Type', 'TriggeredBy', 'JobID', 'Namespace'],
  ranges: ['ModifyIndex'],
  sorts: ['Namespace', 'Type', 'TriggeredBy', 'Status', 'CreateIndex', 'ModifyIndex'],
  groups: { job: jobOfRow },
  exported: {},
  views: { EvaluationStub: { project: evaluationStub } },
});
