import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, type Processes } from '@tamis/http';
import { killTasks, type TaskProcessDependencies, type TaskIdentity } from './task-processes.js';

/**
 * The suffix of a PID file, after the directory name of a task. File names of tasks never contain a plus.
 */
export const pidFileSuffix = '+process';

interface PidFile {
  readonly pid: number;
  readonly birth: string;
  readonly cgroup: string | null;
}

/** Records which process runs a task, in case this agent is killed but the process is not. */
export async function writePidFile(
  taskDirectory: string,
  { cgroup, leader }: TaskIdentity,
  processes: Processes,
): Promise<void> {
  const note: PidFile = { pid: leader, birth: processes.birth(leader), cgroup };
  await writeFile(`${taskDirectory}${pidFileSuffix}`, JSON.stringify(note), { mode: 0o600 });
}

/** Removes the PID file of a task whose process has ended. */
export async function removePidFile(taskDirectory: string): Promise<void> {
  await rm(`${taskDirectory}${pidFileSuffix}`, { force: true });
}

/**
 * Ends processes left running by an earlier run of this agent, so that nothing runs twice when its allocations restart. Returns
 * the number of ended processes. A PID that now belongs to a different process is left alone.
 *
 * @param root contains a directory for each allocation.
 */
export async function killOrphans(
  root: string,
  processes: Processes,
  dependencies: TaskProcessDependencies,
): Promise<number> {
  const allocations = await readdir(root).catch(() => []);
  const groups: number[] = [];
  const cgroups: string[] = [];
  const paths: string[] = [];
  for (const allocation of allocations) {
    for (const name of await readdir(join(root, allocation)).catch(() => [])) {
      if (!name.endsWith(pidFileSuffix)) continue;
      const path = join(root, allocation, name);
      paths.push(path);
      const note = parsePidFile(await readFile(path, 'utf8').catch(() => ''));
      if (note === null) continue;
      if (note.cgroup !== null) cgroups.push(note.cgroup);
      // On systems without process start times, a PID alone is not proof.
      if (note.birth !== '' && isAlive(note, processes)) groups.push(note.pid);
    }
  }
  const ended = await killTasks({ allocations: new Set(allocations), cgroups, groups }, dependencies);
  for (const path of paths) await rm(path, { force: true });
  return ended;
}

function parsePidFile(text: string): PidFile | null {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The file is incomplete. Processes of the task are still found by their environment variables.
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { pid, birth, cgroup } = parsed as Readonly<Record<string, unknown>>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 1 || typeof birth !== 'string')
    return null;
  return { pid, birth, cgroup: typeof cgroup === 'string' ? cgroup : null };
}
