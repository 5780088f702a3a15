import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { evaluationShape, type EvaluationInput } from '@tamis/scheduler-model/evaluation.js';
import { exact } from '@tamis/scheduler-model/exact.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { Transaction } from './transaction.js';

/** The cause of an evaluation. */
export interface EvaluationCause {
  readonly triggeredBy: string;
  /** Null for the priority of the job. */
  readonly priority: number | bigint | null;
  /** Additional fields of the evaluation. */
  readonly more?: EvaluationInput;
}

/** Writes an evaluation of a job for the workers. Returns its ID. */
export function writeEvaluation(
  transaction: Transaction,
  job: Pick<Job, 'Namespace' | 'ID' | 'Type' | 'Priority' | 'JobModifyIndex'>,
  { triggeredBy, priority, more }: EvaluationCause,
): string {
  const ID = transaction.uuid();
  const now = exact(transaction.stamp());
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
  transaction.put('evaluations', completeShape(evaluationShape, given));
  return ID;
}

/** Creates an evaluation to advance a deployment by one step. */
export function evaluateDeployment(transaction: Transaction, job: Job, deployment: Deployment): string {
  const cause = {
    triggeredBy: 'deployment-watcher',
    priority: deployment.EvalPriority || null,
    more: { DeploymentID: deployment.ID },
  };
  return writeEvaluation(transaction, job, cause);
}
