import { completeShape } from '../model/complete-shape.js';
import { evaluationShape, type EvaluationInput } from '../model/evaluation.js';
import { exact } from '../model/exact.js';
import type { Job } from '../model/job.js';
import type { JobWriteDependencies } from './job-writes.js';
import type { Transaction } from './transaction.js';

/** The cause of an evaluation. */
export interface EvaluationCause {
  readonly triggeredBy: string;
  /** Null for the priority of the job. */
  readonly priority: number | bigint | null;
  /** What else the evaluation says. */
  readonly more?: EvaluationInput;
}

/** An evaluation of a job is written, which asks the workers to look at it; returns its ID. */
export function writeEvaluation(
  transaction: Transaction,
  job: Pick<Job, 'Namespace' | 'ID' | 'Type' | 'Priority' | 'JobModifyIndex'>,
  { triggeredBy, priority, more }: EvaluationCause,
  { stamp, uuid, intern }: JobWriteDependencies,
): string {
  const ID = uuid();
  const now = exact(stamp());
  const given: EvaluationInput = {
    ID,
    Namespace: job.Namespace,
    Priority: priority ?? job.Priority,
    Type: job.Type,
    TriggeredBy: triggeredBy,
    JobID: job.ID,
    JobModifyIndex: job.JobModifyIndex,
    Status: 'pending',
    CreateIndex: transaction.index,
    ModifyIndex: transaction.index,
    CreateTime: now,
    ModifyTime: now,
    ...more,
  };
  transaction.put('evaluations', completeShape(evaluationShape, given, intern));
  return ID;
}
