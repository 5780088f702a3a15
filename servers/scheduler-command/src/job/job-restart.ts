import { writeJson } from '@tamis/http';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import type { AllocationRow } from '../views/allocation-table.js';
import { CommandError } from '../command-error.js';
import { exitCodes } from '../exit-codes.js';
import { jobPath, requireJob } from '../find-job.js';
import type { Given } from '../given.js';
import { shortId, type Session } from '../session.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

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
