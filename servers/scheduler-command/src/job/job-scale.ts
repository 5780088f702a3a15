import { CommandError } from '../command-error.js';
import { jobPath, requireJob } from '../find-job.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';
import { UsageError } from '../usage-error.js';
import { followJob, type RegistrationResponse } from './registered.js';

/** `job scale` */
export async function scaleJob(session: Session, given: Given): Promise<number> {
  const last = given.argument('COUNT');
  const first = given.required('GROUP|COUNT');
  const count = last ?? first;
  if (!/^\d{1,9}$/.test(count))
    throw new UsageError(`COUNT is a whole number from 0 on, not ${JSON.stringify(count.slice(0, 40))}`);
  const job = await requireJob(session, given.required('JOB'));
  const { ID: id, Namespace: namespace } = job;
  const names = (job.TaskGroups ?? []).map(({ Name }) => Name);
  const [only, ...others] = names;
  const group = last === null ? only : first;
  if (group === undefined || (last === null && others.length > 0)) {
    const listed = names.map((name) => JSON.stringify(name)).join(', ');
    throw new CommandError(`Which group? One of ${listed} before the count`);
  }
  const body = {
    Target: { Group: group },
    Count: Number(count),
    Message: given.text('message') ?? 'scaled by an operator',
  };
  const scaled = await session.api.put<RegistrationResponse>(jobPath(id, 'scale'), body, { namespace });
  return followJob(session, given, { id, namespace, done: `scaled to ${count} of ${group}` }, scaled);
}
