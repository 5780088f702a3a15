import { jobPath, requireJob } from '../find-job.js';
import { type Given, readPair } from '../given.js';
import { type Session, shortId } from '../session.js';
import { followJob, type RegistrationResponse } from './registered.js';
import { UsageError } from '../usage-error.js';
import { CommandError } from '../command-error.js';
import { writeJson } from '@tamis/http';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import type { AllocationRow } from '../views/allocation-table.js';
import { exitCodes } from '../exit-codes.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';

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

/** `job restart`: restarts the tasks of its allocations, one allocation after the other. */
export async function restartJob(session: Session, given: Given): Promise<number> {
  const { api, err, isJson, out } = session;
  const { ID, Namespace: namespace } = await requireJob(session, given.required('JOB'));
  const [group, task] = [given.text('group'), given.text('task')];
  const { body } = await api.get<readonly AllocationRow[]>(jobPath(ID, 'allocations'), { namespace });
  const running = body.filter(
    ({ ClientStatus, TaskGroup }) => ClientStatus === 'running' && (group === null || TaskGroup === group),
  );
  if (running.length === 0)
    throw new CommandError(`Nothing of ${JSON.stringify(ID)} runs that could restart`);
  const restarted: string[] = [];
  for (const { ID: id, Name } of running) {
    try {
      await api.put(`/v1/client/allocation/${id}/restart`, { TaskName: task ?? '' });
      restarted.push(id);
      if (!isJson) await out.write(`${sanitizeForTerminal(Name)} (${shortId(id, session)}) starts again\n`);
    } catch (error) {
      if (session.signal.aborted) throw error;
      const reason = reasonOf(error);
      await err.write(
        `${sanitizeForTerminal(Name)} (${shortId(id, session)}): ${sanitizeForTerminal(reason)}\n`,
      );
    }
  }
  if (isJson) await out.write(`${writeJson({ Restarted: restarted }, 2)}\n`);
  return restarted.length === running.length ? 0 : exitCodes.failed;
}

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
