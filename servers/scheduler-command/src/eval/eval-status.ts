import { formatAge, millisecondsOf } from '../terminal/ages.js';
import { fieldLines, tableLines, type FieldView } from '../terminal/table.js';
import { allocationColumns, type AllocationRow } from '../views/allocation-table.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { shortId, writeResponse, type Session } from '../session.js';
import { failureLines } from '../views/placement-failures.js';
import type { EvaluationView } from '../views/shown-evaluation.js';

/** `eval status` */
export async function printEvaluation(session: Session, given: Given): Promise<void> {
  return printEvaluationOf(session, await findId(session, 'evaluation', given.required('EVAL')));
}

export async function printEvaluationOf(session: Session, id: string): Promise<void> {
  const { api, layout, palette } = session;
  const [{ body: evaluation }, { body: allocations }] = await Promise.all([
    api.get<EvaluationView>(`/v1/evaluation/${id}`),
    api.get<readonly AllocationRow[]>(`/v1/evaluation/${id}/allocations`),
  ]);
  const failures = failureLines(evaluation.FailedTGAllocs ?? null);
  await writeResponse(session, { Evaluation: evaluation, Allocations: allocations }, () => [
    ...fieldLines(evaluationFields(session, evaluation), layout),
    ...(failures.length === 0 ? [] : ['', palette.strong('NOT PLACED'), ...failures]),
    ...(allocations.length === 0 ? [] : ['', ...tableLines(allocationColumns(session), allocations, layout)]),
  ]);
}

function evaluationFields(session: Session, evaluation: EvaluationView): readonly FieldView[] {
  const short = (id: string | undefined): string => shortId(id ?? '', session);
  return [
    ['ID', evaluation.ID],
    ['Job', evaluation.JobID, 'whole'],
    ['Type', evaluation.Type ?? ''],
    ['Triggered by', evaluation.TriggeredBy ?? ''],
    ['Priority', String(evaluation.Priority ?? '')],
    ['Status', evaluation.Status],
    ['Description', evaluation.StatusDescription ?? ''],
    ['Deployment', short(evaluation.DeploymentID)],
    ['Node', short(evaluation.NodeID)],
    ['Followed by', short(evaluation.NextEval)],
    ['Rest waits in', short(evaluation.BlockedEval)],
    ['Created', formatAge(millisecondsOf(evaluation.CreateTime ?? 0), session.now())],
  ];
}
