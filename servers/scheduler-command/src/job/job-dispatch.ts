import { jobPath, requireJob } from '../find-job.js';
import { readPair, type Given } from '../given.js';
import type { Session } from '../session.js';
import { followJob, type RegistrationResponse } from './registered.js';

interface Dispatched extends Omit<RegistrationResponse, 'JobModifyIndex'> {
  readonly DispatchedJobID: string;
  readonly JobCreateIndex: number | bigint;
}

/** `job dispatch` */
export async function dispatchJob(session: Session, given: Given): Promise<number> {
  const { api, readFile } = session;
  const meta = given.texts('meta').map((text) => readPair('meta', text));
  const payload = given.argument('PAYLOAD');
  const { ID, Namespace: namespace } = await requireJob(session, given.required('JOB'));
  const body = {
    Meta: Object.fromEntries(meta),
    ...(payload === null ? {} : { Payload: (await readFile(payload)).toString('base64') }),
  };
  const idempotency_token = given.text('idempotency-token');
  const dispatched = await api.put<Dispatched>(jobPath(ID, 'dispatch'), body, {
    namespace,
    idempotency_token,
  });
  const registered = { ...dispatched, JobModifyIndex: dispatched.JobCreateIndex };
  return followJob(
    session,
    given,
    { id: dispatched.DispatchedJobID, namespace, done: 'dispatched' },
    registered,
  );
}
