import { jobPath, requireJob } from '../find-job.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';
import { UsageError } from '../usage-error.js';
import { followJob, type RegistrationAnswer } from './registered.js';

interface Dispatched extends Omit<RegistrationAnswer, 'JobModifyIndex'> {
  readonly DispatchedJobID: string;
  readonly JobCreateIndex: number | bigint;
}

/** `job dispatch` */
export async function dispatchJob(session: Session, given: Given): Promise<number> {
  const { api, readFile } = session;
  const meta = given.texts('meta').map(readPair);
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

function readPair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`--meta is KEY=VALUE, not ${JSON.stringify(text.slice(0, 40))}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
