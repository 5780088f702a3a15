import { chmod, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findLocks, lockStore, type Processes } from '@tamis/http';
import { killOrphans } from './pid-file.js';
import type { TaskProcessDependencies } from './task-processes.js';

/** The directory that contains the directories of all allocations of a client. */
export interface AllocationRoot {
  readonly directory: string;
  /** Number of ended processes that an earlier agent had left running. */
  readonly ended: number;
  /** Removes temporary directories. */
  close(): Promise<void>;
}

export interface AllocationRootDependencies extends TaskProcessDependencies {
  readonly processes: Processes;
  /** The user of this process. */
  readonly user: number;
}

/** Name of the lock of the directory. */
const lockName = 'alloc';

/**
 * Opens the directory in a data directory, and ends processes left running by a killed agent.
 *
 * @throws StoreLockError if another agent uses it
 */
export async function openAllocationRoot(
  dataDir: string,
  { processes, ...dependencies }: AllocationRootDependencies,
): Promise<AllocationRoot> {
  const directory = join(dataDir, 'alloc');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { release } = await lockStore(dataDir, lockName);
  const ended = await killOrphans(directory, processes, dependencies);
  await letThrough(directory);
  return { directory, ended, close: release };
}

const prefix = 'scheduler-allocations-';

/**
 * Creates a directory that exists only as long as the agent. Directories of killed agents are removed if they belong to this user
 * and their process has ended.
 */
export async function makeTemporaryRoot(
  temporaryDirectory: string,
  { processes, user, ...dependencies }: AllocationRootDependencies,
): Promise<AllocationRoot> {
  let ended = 0;
  for (const name of await readdir(temporaryDirectory).catch(() => [])) {
    const path = join(temporaryDirectory, name);
    if (!name.startsWith(prefix) || !(await isAbandoned(path, user))) continue;
    ended += await killOrphans(path, processes, dependencies);
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
  const directory = await mkdtemp(join(temporaryDirectory, prefix));
  const { release } = await lockStore(directory, lockName);
  await letThrough(directory);
  return {
    directory,
    ended,
    async close() {
      await release();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Allows tasks of other users to reach their own directories, without listing the others. */
function letThrough(directory: string): Promise<void> {
  return chmod(directory, 0o711);
}

async function isAbandoned(path: string, user: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  const isOurs = found?.isDirectory() === true && found.uid === user && (found.mode & 0o022) === 0;
  if (!isOurs) return false;
  const locks = await findLocks(path, lockName).catch(() => null);
  // A directory without locks was created just now.
  return locks !== null && locks.wasLocked && !locks.isLocked;
}
