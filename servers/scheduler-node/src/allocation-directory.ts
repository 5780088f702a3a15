import type { Stats } from 'node:fs';
import { chmod, lchown, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Task } from '@tamis/scheduler-model/task.js';
import type { TaskDirectories } from './task-environment.js';
import type { User } from './users.js';

/**
 * The files of an allocation:
 *
 *     <allocation>/alloc/{data,logs,tmp}         shared by its tasks; logs is the agent's
 *     <allocation>/<task>/{local,secrets,tmp}    of one task, which starts in <task>
 */
const shared = 'alloc';
const sharedParts = ['data', 'tmp'] as const;
const taskParts = ['local', 'secrets', 'tmp'] as const;

type PreparedTask = Pick<Task, 'Name' | 'User' | 'DispatchPayload'>;

export interface DirectoriesOfTask extends TaskDirectories {
  readonly task: string;
}

/** Returns the directories of a task. */
export function taskDirectories(allocationDirectory: string, name: string): DirectoriesOfTask {
  // A task with the name of the shared directory must get a directory of its own.
  const task = join(allocationDirectory, name === shared ? `%61lloc` : fileName(name));
  return {
    alloc: join(allocationDirectory, shared),
    task,
    local: join(task, 'local'),
    secrets: join(task, 'secrets'),
  };
}

export function logDirectory(allocationDirectory: string): string {
  return join(allocationDirectory, shared, 'logs');
}

/** Returns a file name for a name set by a job submitter. It cannot lead out of the directory. */
export function fileName(name: string): string {
  const safe = encodeURIComponent(name === '.' || name === '..' ? name.replaceAll('.', '_') : name);
  return safe.slice(0, 200);
}

/**
 * Creates the directories of an allocation. Only the agent can access them, unless tasks run as other users. Then users can
 * traverse known paths, and shared directories are open to all.
 *
 * @param payload dispatch payload of the job in Base64, written for tasks that request it.
 */
export async function makeAllocationDirectory(
  directory: string,
  tasks: readonly PreparedTask[],
  payload: string | null,
): Promise<void> {
  const hasUsers = tasks.some(({ User }) => User !== '');
  for (const part of sharedParts) {
    await mkdir(join(directory, shared, part), { recursive: true, mode: 0o700 });
  }
  await mkdir(logDirectory(directory), { recursive: true, mode: 0o700 });
  if (hasUsers) {
    await chmod(directory, 0o711);
    // Like the system's temporary directory: all users can write, but remove only their own files.
    for (const part of ['', ...sharedParts]) await chmod(join(directory, shared, part), 0o1777);
  }
  for (const task of tasks) await makeTaskDirectory(directory, task, payload);
}

/**
 * Creates the directory of a task. It is built in a temporary place and moved, so that it is complete or missing. An existing one
 * is not changed: it belongs to the task, which may have added links to other places.
 */
async function makeTaskDirectory(
  allocationDirectory: string,
  { Name, DispatchPayload }: PreparedTask,
  payload: string | null,
): Promise<void> {
  const { task } = taskDirectories(allocationDirectory, Name);
  if (await isThere(task)) return;
  const unfinished = `${task}+new`;
  await rm(unfinished, { recursive: true, force: true });
  for (const part of taskParts) await mkdir(join(unfinished, part), { recursive: true, mode: 0o700 });
  const file = DispatchPayload?.File ?? '';
  if (file !== '' && payload !== null) {
    const path = join(unfinished, 'local', fileName(file));
    await writeFile(path, Buffer.from(payload, 'base64'), { mode: 0o600 });
  }
  await rename(unfinished, task);
}

export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Changes the owner of a task's directory to its user. The directory itself is changed last and checked first: while the agent
 * owns it, the task has not run and the agent created everything in it.
 */
export async function giveTaskDirectory(directory: string, { uid, gid }: User): Promise<void> {
  if ((await lstat(directory)).uid === uid) return;
  for (const part of taskParts) {
    for (const name of await readdir(join(directory, part)))
      await lchown(join(directory, part, name), uid, gid);
    await lchown(join(directory, part), uid, gid);
  }
  await lchown(directory, uid, gid);
}

/** Returns the first parent directory that a user cannot traverse; null if none exists. */
export async function blockedDirectory(directory: string, user: User): Promise<string | null> {
  const parents = [directory];
  for (let at = dirname(directory); at !== parents.at(-1); at = dirname(at)) parents.push(at);
  for (const parent of parents.reverse()) {
    if (!mayPass(await stat(parent), user)) return parent;
  }
  return null;
}

function mayPass({ mode, uid, gid }: Stats, user: User): boolean {
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid || user.groups.includes(gid)) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
