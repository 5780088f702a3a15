import { ApiError } from './api/api-error.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { sanitizeForTerminal } from './terminal/escape-terminal.js';
import { CommandError } from './command-error.js';
import { requireNamespace } from './list-rows.js';
import type { Session } from './session.js';

/** A job as the API returns it. */
export type JobView = Job;

interface JobName {
  readonly ID: string;
  readonly Namespace: string;
}

/** Returns the path of a job, or of a resource below it. */
export function jobPath(id: string, ...more: readonly string[]): string {
  return ['/v1/job', encodeURIComponent(id), ...more].join('/');
}

/** Returns the job with exactly this ID; null if none exists. */
export async function readJob(
  { api }: Session,
  id: string,
  namespace: string | null,
): Promise<JobView | null> {
  try {
    return (await api.get<JobView>(jobPath(id), { namespace })).body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Returns at most eleven jobs whose ID has this prefix. */
export async function jobsBeginning(
  { api, namespace }: Session,
  prefix: string,
): Promise<readonly JobName[]> {
  return (await api.get<readonly JobName[]>('/v1/jobs', { prefix, per_page: 11, namespace })).body;
}

/** Returns the job with an ID or ID prefix. @throws CommandError if none exists, or several. */
export async function findJob(session: Session, id: string): Promise<JobView> {
  const exact = session.namespace === '*' ? null : await readJob(session, id, session.namespace);
  if (exact !== null) return exact;
  const found = await jobsBeginning(session, id);
  const [only, ...others] = found;
  if (only === undefined) await requireNamespace(session);
  if (only === undefined) throw new CommandError(`There is no job ${JSON.stringify(id)}${placeOf(session)}`);
  if (others.length > 0) throw new CommandError(`Several jobs have IDs that begin so:\n${listJobs(found)}`);
  const job = await readJob(session, only.ID, only.Namespace);
  if (job === null) throw new CommandError(`The job ${JSON.stringify(only.ID)} has just been purged`);
  return job;
}

/**
 * Returns the job to be changed. Its full ID is required, because a prefix may match a different job later.
 *
 * @throws CommandError
 */
export async function requireJob(session: Session, id: string): Promise<JobView> {
  const job = session.namespace === '*' ? null : await readJob(session, id, session.namespace);
  if (job !== null) return job;
  if (session.namespace === '*') throw new CommandError('Which namespace? * will not do to change a job');
  const near = await jobsBeginning(session, id);
  if (near.length === 0) await requireNamespace(session);
  const hint =
    near.length === 0 ? '' : `. The whole ID is needed, of these one was meant perhaps:\n${listJobs(near)}`;
  throw new CommandError(`There is no job ${JSON.stringify(id)}${placeOf(session)}${hint}`);
}

function listJobs(found: readonly JobName[]): string {
  const lines = found.map(({ ID, Namespace }) =>
    `  ${ID}  ${Namespace === 'default' ? '' : Namespace}`.trimEnd(),
  );
  return lines.map(sanitizeForTerminal).join('\n');
}

function placeOf({ namespace }: Session): string {
  return ` in namespace ${JSON.stringify(namespace ?? 'default')}`;
}
