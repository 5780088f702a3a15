import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, readOwner, writeOwner, type Processes } from '../storage/owner.js';

/** Behind the directory of a task: which process runs it. */
const suffix = '.process';

/** Notes which process runs a task, for the case that this agent is killed and the process is not. */
export async function noteProcess(taskDirectory: string, pid: number, processes: Processes): Promise<void> {
  await writeFile(`${taskDirectory}${suffix}`, writeOwner({ pid, birth: processes.birth(pid) }), {
    mode: 0o600,
  });
}

/** The process is over. */
export async function forgetProcess(taskDirectory: string): Promise<void> {
  await rm(`${taskDirectory}${suffix}`, { force: true });
}

/**
 * Ends what an earlier run of this agent has left running, so that nothing runs twice once its allocations are started
 * again. Returns how many processes that were. A number that belongs to another process by now is left alone.
 *
 * @param root holds a directory for each allocation.
 * @param end ends a process and all of its group.
 */
export async function endLeftovers(
  root: string,
  processes: Processes,
  end: (pid: number) => void,
): Promise<number> {
  let ended = 0;
  for (const allocation of await readdir(root).catch(() => [])) {
    const directory = join(root, allocation);
    for (const name of await readdir(directory).catch(() => [])) {
      if (!name.endsWith(suffix)) continue;
      const path = join(directory, name);
      const owner = readOwner(await readFile(path, 'utf8').catch(() => ''));
      // Where the system does not tell processes apart, a number alone is no proof.
      if (owner !== null && owner.birth !== '' && isAlive(owner, processes)) {
        end(owner.pid);
        ended += 1;
      }
      await rm(path, { force: true });
    }
  }
  return ended;
}
