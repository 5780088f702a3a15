import { writeJson } from '@tamis/http';
import type { Job } from '@tamis/scheduler-model/job.js';
import { CommandError } from '../command-error.js';
import { findJob, jobPath } from '../find-job.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';

/** `job inspect` */
export async function inspectJob(session: Session, given: Given): Promise<void> {
  const newest = await findJob(session, given.required('JOB'));
  const version = given.count('version');
  const job = version === null ? newest : await readVersion(session, newest, version);
  await session.out.write(`${writeJson({ Job: job }, 2)}\n`);
}

async function readVersion(
  { api }: Session,
  { ID, Namespace: namespace }: Job,
  version: number,
): Promise<Job> {
  const { body } = await api.get<{ readonly Versions: readonly Job[] }>(jobPath(ID, 'versions'), {
    namespace,
  });
  const found = body.Versions.find(({ Version }) => Number(Version) === version);
  if (found !== undefined) return found;
  const cached = body.Versions.map(({ Version }) => String(Version)).join(', ');
  throw new CommandError(
    `There is no version ${version} of ${JSON.stringify(ID)}: those that are kept are ${cached}`,
  );
}
