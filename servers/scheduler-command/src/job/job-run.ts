import { writeJson } from '@tamis/http';
import type { Given } from '../given.js';
import type { Session } from '../session.js';
import { namespaceOf, readJobArgument, textOf } from './read-job.js';
import { followJob, type RegistrationResponse } from './registered.js';

/** `job run` */
export async function runJob(session: Session, given: Given): Promise<number> {
  const { api, namespace, out } = session;
  const file = await readJobArgument(session, given);
  const { job } = file;
  if (given.has('output')) {
    await out.write(`${writeJson({ Job: job }, 2)}\n`);
    return 0;
  }
  const place = await namespaceOf(session, job);
  const index = given.count('check-index');
  const body = {
    Job: job,
    ...(index === null ? {} : { EnforceIndex: true, JobModifyIndex: index }),
    ...(given.has('preserve-counts') ? { PreserveCounts: true } : {}),
  };
  const registered = await file.send(() => api.put<RegistrationResponse>('/v1/jobs', body, { namespace }));
  return followJob(
    session,
    given,
    { id: textOf(job, 'ID'), namespace: place, done: 'registered', file },
    registered,
  );
}
