import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A cgroup. The kernel also adds the processes that its members start (cgroups(7), version 2). */
export type Cgroup = ReturnType<typeof cgroupAt>;

/** The cgroups that this agent creates for its tasks. Implemented here because a cgroup is only a directory with three files. */
export interface Cgroups {
  /** @throws the file system's error. */
  create(name: string): Promise<Cgroup>;
}

/** Directory of the cgroups, below the agent's own. */
const folder = 'scheduler-tasks';
/** Shell that starts programs in their cgroup, see `gate` of the driver. */
const shell = '/bin/sh';

/** Returns the cgroups of this agent; null if this process may not create any. */
export async function openCgroups(proc = '/proc/self'): Promise<Cgroups | null> {
  const parent = await ownCgroup(proc);
  if (parent === null || !existsSync(shell)) return null;
  const base = join(parent, folder);
  const probe = join(base, `probe-${process.pid}`);
  try {
    await mkdir(probe, { recursive: true });
    // A directory on another type of file system does not accept processes.
    await readFile(join(probe, 'cgroup.procs'), 'utf8');
    await rmdir(probe);
    await removeEmpty(base);
  } catch {
    return null;
  }
  return {
    async create(name) {
      const path = join(base, name);
      await mkdir(path, { recursive: true });
      return cgroupAt(path);
    },
  };
}

/** Age from which an empty cgroup counts as abandoned, in ms: its agent was killed and has not restarted. */
const emptyTime = 60_000;

/** Removes abandoned cgroups. One that still has processes cannot be removed. */
async function removeEmpty(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const path = join(base, name);
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() !== true || Date.now() - found.mtimeMs < emptyTime) continue;
    await rmdir(path).catch(() => undefined);
  }
}

export function cgroupAt(path: string) {
  return {
    path,
    /** @throws the file system's error if this process has no permission. */
    add: (pid: number): Promise<void> => writeFile(join(path, 'cgroup.procs'), String(pid)),
    async pids(): Promise<readonly number[]> {
      const text = await readFile(join(path, 'cgroup.procs'), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map(Number);
    },
  };
}

/** Kills all processes of a cgroup at once if the kernel supports it (since Linux 5.14). */
export function killCgroup(path: string): void {
  try {
    writeFileSync(join(path, 'cgroup.kill'), '1');
  } catch {
    // Errors are ignored, because the caller also kills the processes one by one.
  }
}

/** Returns the cgroup directory of this process; null without version 2. */
async function ownCgroup(proc: string): Promise<string | null> {
  const mounts = await readFile(join(proc, 'mountinfo'), 'utf8').catch(() => '');
  // Matches root and mount point, a dash, and the type (proc_pid_mountinfo(5)).
  const [, mount] = /^\d+ \d+ \S+ \/ (\S+) .*? - cgroup2 /m.exec(mounts) ?? [];
  const [, own] = /^0::(\/.*)$/m.exec(await readFile(join(proc, 'cgroup'), 'utf8').catch(() => '')) ?? [];
  if (mount === undefined || own === undefined || own.includes('..')) return null;
  return join(mount, own);
}
