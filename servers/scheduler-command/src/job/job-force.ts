import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobPath, requireJob } from '../find-job.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';
import { followJob } from './registered.js';

interface Launched {
  readonly EvalID: string;
  readonly Index: number | bigint;
}

/** `job periodic force` */
export async function forceJob(session: Session, given: Given): Promise<number> {
  const { api } = session;
  const { ID, Namespace: namespace } = await requireJob(session, given.required('JOB'));
  const launched = await api.put<Launched>(jobPath(ID, 'periodic', 'force'), {}, { namespace });
  const { body: evaluation } = await api.get<Evaluation>(`/v1/evaluation/${launched.EvalID}`);
  const child = { id: evaluation.JobID, namespace, done: 'launched' };
  return followJob(session, given, child, { ...launched, JobModifyIndex: launched.Index });
}
