import { jobPath, requireJob } from '../find-job.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';
import { UsageError } from '../usage-error.js';
import { followJob, type RegistrationResponse } from './registered.js';

/** `job revert` */
export async function revertJob(session: Session, given: Given): Promise<number> {
  const version = given.required('VERSION');
  if (!/^\d{1,15}$/.test(version))
    throw new UsageError(`VERSION is a number, not ${JSON.stringify(version.slice(0, 40))}`);
  const { ID: id, Namespace: namespace } = await requireJob(session, given.required('JOB'));
  const body = { JobID: id, JobVersion: Number(version) };
  const registered = await session.api.put<RegistrationResponse>(jobPath(id, 'revert'), body, { namespace });
  return followJob(session, given, { id, namespace, done: `returned to version ${version}` }, registered);
}
