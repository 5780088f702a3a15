import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A cgroup: the kernel also adds all processes that its members start (cgroups(7), version 2). */
export interface Cgroup {
  readonly path: string;
  /** @throws the file system's error when this process may not. */
  add(pid: number): Promise<void>;
  pids(): Promise<readonly number[]>;
}

/** The groups that this agent makes for its tasks. By hand, for a group is a folder with three files. */
export interface Cgroups {
  /** @throws the file system's error. */
  create(name: string): Promise<Cgroup>;
}

/** The folder of the groups, below the agent's own group. */
const folder = 'scheduler-tasks';
/** Starts programs in their group, see `gate` of the driver. */
const shell = '/bin/sh';

/** Checks whether this process may create groups; null if not. */
export async function openCgroups(proc = '/proc/self'): Promise<Cgroups | null> {
  const parent = await ownCgroup(proc);
  if (parent === null || !existsSync(shell)) return null;
  const base = join(parent, folder);
  const probe = join(base, `probe-${process.pid}`);
  try {
    await mkdir(probe, { recursive: true });
    // A folder of another kind of file system takes no processes.
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

/** Milliseconds after which an empty group is abandoned: its agent was killed and has not restarted. */
const emptyTime = 60_000;

/** A group with processes cannot be removed. */
async function removeEmpty(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const path = join(base, name);
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() !== true || Date.now() - found.mtimeMs < emptyTime) continue;
    await rmdir(path).catch(() => undefined);
  }
}

export function cgroupAt(path: string): Cgroup {
  return {
    path,
    add: (pid) => writeFile(join(path, 'cgroup.procs'), String(pid)),
    async pids() {
      const text = await readFile(join(path, 'cgroup.procs'), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map(Number);
    },
  };
}

/** Ends all processes of a group at once, as far as the kernel knows how to (since Linux 5.14). */
export function killCgroup(path: string): void {
  try {
    writeFileSync(join(path, 'cgroup.kill'), '1');
  } catch {
    // The caller also ends its processes one by one.
  }
}

/** The folder of the group that this process is in, null without version 2. */
async function ownCgroup(proc: string): Promise<string | null> {
  const mounts = await readFile(join(proc, 'mountinfo'), 'utf8').catch(() => '');
  // Root and mount point, …, then a dash and the type (proc_pid_mountinfo(5)).
  const [, mount] = /^\d+ \d+ \S+ \/ (\S+) .*? - cgroup2 /m.exec(mounts) ?? [];
  const [, own] = /^0::(\/.*)$/m.exec(await readFile(join(proc, 'cgroup'), 'utf8').catch(() => '')) ?? [];
  if (mount === undefined || own === undefined || own.includes('..')) return null;
  return join(mount, own);
}
