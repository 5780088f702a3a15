import { constants } from 'node:os';
import { suggestName } from '@tamis/config';
import { driverConfigErrors } from '../driver-config.js';
import { isSame } from '../same-spec.js';
import type { TaskGroup } from '../task-group.js';
import type { Task } from '../task.js';
import { taskConditionErrors } from './conditions.js';
import { formatDuration, when, within } from './findings.js';
import { clip, quote } from '../quote.js';
import { restartErrors } from './policies.js';
import { logErrors, resourceErrors } from './resources.js';

/** Maximum length of a task's name in characters, escaped for a path. Prevents two long names from sharing a directory. */
const maxNameLength = 200;

export function taskErrors(task: Task, group: TaskGroup, type: string): string[] {
  return [
    ...nameErrors(task.Name),
    ...when(task.Driver === '', 'Missing task driver'),
    ...when(task.User.includes('\0'), 'User contains a null character'),
    ...driverConfigErrors(task.Driver, task.Config),
    ...environmentErrors(task.Env),
    ...metaErrors(task.Meta),
    ...when(
      task.KillTimeout < 0,
      `KillTimeout must be a positive value (got ${formatDuration(task.KillTimeout)})`,
    ),
    ...when(
      task.ShutdownDelay < 0,
      `ShutdownDelay must be a positive value (got ${formatDuration(task.ShutdownDelay)})`,
    ),
    ...signalErrors(task.KillSignal),
    ...resourceErrors(task.Resources),
    ...logErrors(task.LogConfig, group.EphemeralDisk),
    ...taskConditionErrors(task, type),
    // A task inherits the policy of its group, whose findings are reported already.
    ...(isSame(task.RestartPolicy, group.RestartPolicy) ? [] : restartErrors(task.RestartPolicy)),
    ...within('Dispatch Payload', payloadErrors(task.DispatchPayload)),
    ...within('Lifecycle', lifecycleErrors(task)),
  ];
}

function nameErrors(name: string): string[] {
  if (name === '') return ['Missing task name'];
  if (/[/\\]/.test(name)) return ['Task name cannot include slashes'];
  if (name.includes('\0')) return ['Task name cannot include null characters'];
  if (name === '.' || name === '..') return ['Task name cannot be . or ..'];
  return when(
    encodeURIComponent(name).length > maxNameLength,
    `Task name is longer than ${maxNameLength} characters, escaped as in a URL`,
  );
}

/** Returns mistakes in environment variables with which no process can be started. */
function environmentErrors(environment: Task['Env']): string[] {
  const errors: string[] = [];
  for (const [name, value] of Object.entries(environment ?? {})) {
    if (name === '' || /[=\0]/.test(name)) errors.push(`Env: ${quote(name)} is no name of a variable`);
    if (value.includes('\0')) errors.push(`Env.${clip(name)}: value contains a null character`);
  }
  return errors;
}

/** Checks metadata, which tasks receive in their environment. */
export function metaErrors(meta: Task['Meta']): string[] {
  const errors: string[] = [];
  // Avoids a list of entries, because there may be many.
  for (const name in meta) {
    const value = meta[name] ?? '';
    if (name.includes('\0') || value.includes('\0')) {
      errors.push(`Meta[${quote(name)}] contains a null character`);
    }
  }
  return errors;
}

function signalErrors(signal: string): string[] {
  if (signal === '' || Object.hasOwn(constants.signals, signal)) return [];
  const near = suggestName(signal, Object.keys(constants.signals));
  return [`Unknown KillSignal ${quote(signal)}${near === null ? '' : `: did you mean ${near}?`}`];
}

/** Returns mistakes in the name of the payload file, which is created in the task's directory under this exact name. */
function payloadErrors(payload: Task['DispatchPayload']): string[] {
  if (payload === null) return [];
  const { File: file } = payload;
  if (file === '') return ['Missing file'];
  const isName = /^[A-Za-z0-9._~-]{1,200}$/.test(file) && file !== '.' && file !== '..';
  return when(
    !isName,
    `File ${quote(file)} is not one name of letters, digits, dots, dashes and underscores`,
  );
}

const hooks = ['prestart', 'poststart', 'poststop'];

function lifecycleErrors({ Lifecycle, Leader }: Task): string[] {
  if (Lifecycle === null) return [];
  const { Hook, Sidecar } = Lifecycle;
  if (Hook === '') return ['no lifecycle hook provided'];
  const near = suggestName(Hook, hooks);
  return [
    ...when(
      !hooks.includes(Hook),
      `invalid hook: ${quote(Hook)}${near === null ? '' : `: did you mean ${near}?`}`,
    ),
    ...when(Hook === 'poststop' && Sidecar, 'a poststop task cannot be a sidecar'),
    ...when(Hook === 'poststop' && Leader, 'a poststop task cannot be the leader'),
  ];
}
