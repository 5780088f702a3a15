import { constants } from 'node:os';
import { t } from 'tamis';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import type { Input } from '@tamis/scheduler-model/row-type.js';

/** Commands for the tasks of an allocation, as clients send them. */
export const restartShape = t.struct({ TaskName: t.string, AllTasks: t.bool });
/** The original scheduler names the task `Task`. */
export const signalShape = t.struct({ TaskName: t.string, Task: t.string, Signal: t.string });

/** A command for one task of an allocation, or for all running tasks. */
export type TaskCommand =
  | { readonly kind: 'restart'; readonly task: string | null; readonly isForAll: boolean }
  | { readonly kind: 'signal'; readonly task: string | null; readonly signal: NodeJS.Signals };

/** @throws SchedulerError `bad-request` */
export function restartCommand({ AllTasks, TaskName }: Input<typeof restartShape>): TaskCommand {
  const task = TaskName || null;
  if (task !== null && AllTasks === true) {
    throw badRequest('TaskName and AllTasks say different things: leave one of them out');
  }
  return { kind: 'restart', task, isForAll: AllTasks === true };
}

/** @throws SchedulerError `bad-request` */
export function signalCommand({ Signal, Task, TaskName }: Input<typeof signalShape>): TaskCommand {
  const names = new Set([Task ?? '', TaskName ?? ''].filter((name) => name !== ''));
  if (names.size > 1) throw badRequest('Task and TaskName are different: leave one of them out');
  const [task = null] = names;
  return { kind: 'signal', task, signal: readSignal(Signal ?? '') };
}

function readSignal(name: string): NodeJS.Signals {
  if (isSignal(name)) return name;
  const [like] = [name.toUpperCase(), `SIG${name.toUpperCase()}`].filter(isSignal);
  const hint = like === undefined ? 'such as "SIGHUP" or "SIGUSR1"' : `did you mean ${quote(like)}?`;
  throw badRequest(name === '' ? `Signal is missing, ${hint}` : `unknown signal ${quote(name)}, ${hint}`);
}

function isSignal(name: string): name is NodeJS.Signals {
  return Object.hasOwn(constants.signals, name);
}
