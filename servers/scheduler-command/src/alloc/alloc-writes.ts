import { isFinished, isTerminal, type Statuses } from '@tamis/scheduler-model/allocation-status.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { shortId, writeDone, type Session } from '../session.js';

/** `alloc stop` */
export async function stopAllocation(session: Session, given: Given): Promise<void> {
  const id = await findId(session, 'allocation', given.required('ALLOC'));
  const { body: before } = await session.api.get<Statuses>(`/v1/allocation/${id}`);
  const stopped = await session.api.put<{ readonly EvalID: string }>(
    `/v1/allocation/${id}/stop`,
    {},
    { no_shutdown_delay: given.has('no-shutdown-delay') },
  );
  const evaluation = shortId(stopped.EvalID, session);
  await writeDone(
    session,
    stopped,
    isTerminal(before)
      ? `${shortId(id, session)} is ${stateOf(before)}, there is nothing to stop; evaluation ${evaluation} looks at its job`
      : `${shortId(id, session)} stops, evaluation ${evaluation} decides what takes its place`,
  );
}

function stateOf(allocation: Statuses): string {
  return isFinished(allocation) ? `${allocation.ClientStatus} already` : 'stopping already';
}

/** `alloc restart` */
export async function restartAllocation(session: Session, given: Given): Promise<void> {
  const id = await findId(session, 'allocation', given.required('ALLOC'));
  const task = given.argument('TASK');
  const body = { TaskName: task ?? '', AllTasks: given.has('all-tasks') };
  const restarted = await session.api.put<object | null>(`/v1/client/allocation/${id}/restart`, body);
  await writeDone(session, restarted ?? {}, `${shortId(id, session)}${ofTask(task)} starts again`);
}

/** `alloc signal` */
export async function signalAllocation(session: Session, given: Given): Promise<void> {
  const id = await findId(session, 'allocation', given.required('ALLOC'));
  const task = given.argument('TASK');
  const signal = given.text('signal') ?? 'SIGKILL';
  const sent = await session.api.put<object | null>(`/v1/client/allocation/${id}/signal`, {
    ...{ TaskName: task ?? '', Task: task ?? '', Signal: signal },
  });
  await writeDone(session, sent ?? {}, `${sanitizeForTerminal(signal)} sent to ${shortId(id, session)}${ofTask(task)}`);
}

function ofTask(task: string | null): string {
  return task === null ? '' : ` task ${sanitizeForTerminal(task)}`;
}
