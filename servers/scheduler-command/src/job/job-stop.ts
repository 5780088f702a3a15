import { jobPath, requireJob } from '../find-job.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';
import { followJob, type RegistrationResponse } from './registered.js';

/** `job stop` */
export async function stopJob(session: Session, given: Given): Promise<number> {
  const { ID: id, Namespace: namespace } = await requireJob(session, given.required('JOB'));
  const isPurged = given.has('purge');
  const stopped = await session.api.delete<RegistrationResponse>(jobPath(id), { namespace, purge: isPurged });
  return followJob(
    session,
    given,
    { id, namespace, done: isPurged ? 'stopped and purged' : 'stopped' },
    stopped,
  );
}
