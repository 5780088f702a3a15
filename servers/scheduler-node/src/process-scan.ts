import { readdir, readFile } from 'node:fs/promises';
import { markers } from './task-environment.js';

/** A process whose environment identifies its task. */
export interface TaskProcess {
  readonly pid: number;
  /** ID of its allocation. */
  readonly allocation: string;
  readonly task: string;
}

/**
 * Finds the processes of all tasks, whatever group or session they have moved to. Implemented here because packages for it run
 * `ps` and do not return the environment.
 */
export type ProcessScan = () => Promise<readonly TaskProcess[]>;

/** Maximum number of environments read concurrently. */
const maxReads = 32;

/**
 * Scans the processes of this machine; finds none without /proc. Calls during a scan share the next one, so that a hundred tasks
 * stopping together cost two scans.
 *
 * @param self PID of this process, which is never returned: an agent may itself be a task.
 */
export function createProcessScan(self: number, root = '/proc'): ProcessScan {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly TaskProcess[]> | null = null;

  return () => {
    if (next !== null) return next;
    const looking = current.then(() => {
      next = null;
      return look(root, self);
    });
    next = looking;
    current = looking.catch(() => undefined);
    return looking;
  };
}

async function look(root: string, self: number): Promise<readonly TaskProcess[]> {
  const names = await readdir(root).catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== self);
  const found: TaskProcess[] = [];
  for (let at = 0; at < pids.length; at += maxReads) {
    const some = await Promise.all(pids.slice(at, at + maxReads).map((pid) => readMarks(root, pid)));
    found.push(...some.filter((process) => process !== null));
  }
  return found;
}

/** Returns the identity set when the process started; null if it has ended, belongs to another user or is not a task. */
async function readMarks(root: string, pid: string): Promise<TaskProcess | null> {
  const text = `\0${await readFile(`${root}/${pid}/environ`, 'latin1').catch(() => '')}`;
  const allocation = variableIn(text, markers.allocation);
  if (allocation === null) return null;
  return { pid: Number(pid), allocation, task: variableIn(text, markers.task) ?? '' };
}

function variableIn(text: string, name: string): string | null {
  const start = text.indexOf(`\0${name}=`);
  if (start === -1) return null;
  const end = text.indexOf('\0', start + 1);
  const bytes = Buffer.from(text.slice(start + name.length + 2, end === -1 ? undefined : end), 'latin1');
  return bytes.toString('utf8');
}
