import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { watchDeployment } from '../job/watch-job.js';
import { shortId, writeDone, type Session } from '../session.js';

interface Written {
  readonly RevertedJobVersion: number | null;
}

/** `deployment promote` */
export async function promoteDeployment(session: Session, given: Given): Promise<number> {
  const { api, isJson } = session;
  const id = await findId(session, 'deployment', given.required('DEPLOYMENT'));
  const groups = given.texts('group');
  const body = { DeploymentID: id, ...(groups.length === 0 ? { All: true } : { Groups: groups }) };
  const written = await api.put<Written>(`/v1/deployment/promote/${id}`, body);
  await writeDone(session, written, `${shortId(id, session)} promoted`);
  return given.has('detach') || isJson ? 0 : watchDeployment(session, id);
}

/** `deployment pause` */
export async function pauseDeployment(session: Session, given: Given): Promise<void> {
  await setPaused(session, given, true);
}

/** `deployment resume` */
export async function resumeDeployment(session: Session, given: Given): Promise<number> {
  const id = await setPaused(session, given, false);
  return given.has('detach') || session.isJson ? 0 : watchDeployment(session, id);
}

async function setPaused(session: Session, given: Given, Pause: boolean): Promise<string> {
  const id = await findId(session, 'deployment', given.required('DEPLOYMENT'));
  const body = { DeploymentID: id, Pause };
  const written = await session.api.put<Written>(`/v1/deployment/pause/${id}`, body);
  await writeDone(session, written, `${shortId(id, session)} ${Pause ? 'paused' : 'resumed'}`);
  return id;
}

/** `deployment fail` */
export async function failDeployment(session: Session, given: Given): Promise<void> {
  const id = await findId(session, 'deployment', given.required('DEPLOYMENT'));
  const written = await session.api.put<Written>(`/v1/deployment/fail/${id}`, { DeploymentID: id });
  const version = written.RevertedJobVersion;
  const reported = `${shortId(id, session)} failed${version === null ? '' : `, the job returns to version ${version}`}`;
  await writeDone(session, written, reported);
}
