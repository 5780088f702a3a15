import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, selfAsOwner, type Processes } from '@tamis/http';
import { killOrphans } from './pid-file.js';
import type { TaskProcessDependencies } from './task-processes.js';

/** The folder with the directories of all allocations of a client. */
export interface AllocationRoot {
  readonly directory: string;
  /** Processes of tasks that an agent before this one had left running, and that have been ended. */
  readonly ended: number;
  /** Removes what is not to be kept. */
  close(): Promise<void>;
}

export interface AllocationRootDependencies extends TaskProcessDependencies {
  readonly processes: Processes;
  /** The user of this process. */
  readonly user: number;
}

/** Opens the folder in a data directory, and ends what an agent that was killed has left running there. */
export async function openAllocationRoot(
  dataDir: string,
  { processes, ...dependencies }: AllocationRootDependencies,
): Promise<AllocationRoot> {
  const directory = join(dataDir, 'alloc');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const ended = await killOrphans(directory, processes, dependencies);
  await letThrough(directory);
  return { directory, ended, close: async () => undefined };
}

const prefix = 'scheduler-allocations-';
/** In a temporary folder: whose it is. */
const ownerFile = 'owner.json';

/**
 * Makes a folder that lives no longer than the agent. Those of agents that were killed are cleared away: only of this
 * user, and only where the process that made it is known to be gone.
 */
export async function makeTemporaryRoot(
  temporaryDirectory: string,
  dependencies: AllocationRootDependencies,
): Promise<AllocationRoot> {
  const { processes } = dependencies;
  let ended = 0;
  for (const name of await readdir(temporaryDirectory).catch(() => [])) {
    const path = join(temporaryDirectory, name);
    if (!name.startsWith(prefix) || !(await isAbandoned(path, dependencies))) continue;
    ended += await killOrphans(path, processes, dependencies);
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
  const directory = await mkdtemp(join(temporaryDirectory, prefix));
  const owner = { ...selfAsOwner(processes), namespace: await processNamespace() };
  await writeFile(join(directory, ownerFile), JSON.stringify(owner), { mode: 0o600 });
  await letThrough(directory);
  return { directory, ended, close: () => rm(directory, { recursive: true, force: true }) };
}

/** Tasks of other users have to pass on their way to their own directories, and see nothing of the others. */
function letThrough(directory: string): Promise<void> {
  return chmod(directory, 0o711);
}

async function isAbandoned(path: string, { processes, user }: AllocationRootDependencies): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  const isOurs = found?.isDirectory() === true && found.uid === user && (found.mode & 0o022) === 0;
  if (!isOurs) return false;
  const text = await readFile(join(path, ownerFile), 'utf8').catch(() => '');
  const { pid, birth, namespace } = parse(text);
  if (typeof pid !== 'number' || typeof birth !== 'string') return false;
  // A number means another process elsewhere.
  return namespace === (await processNamespace()) && !isAlive({ pid, birth }, processes);
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/**
 * The namespace of process IDs, which tells those of one container from those of another; empty where there is none.
 */
function processNamespace(): Promise<string> {
  return readlink('/proc/self/ns/pid').catch(() => '');
}
