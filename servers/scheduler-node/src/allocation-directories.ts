import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileName } from './allocation-directory.js';

/** Maximum number of finished allocations with kept files. Prevents short jobs from filling the disk. */
const maxDirectories = 50;

/** Directory names of allocations; other entries are left unchanged. */
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The directories of finished allocations. The most recent ones are kept for inspection. */
export function createAllocationDirectories(root: string) {
  const ended = new Set<string>();
  const of = (id: string): string => join(root, fileName(id));

  function remove(id: string): void {
    ended.delete(id);
    // If removal fails, the next start finds the directory again.
    rm(of(id), { recursive: true, force: true }).catch(() => undefined);
  }

  function trim(): void {
    for (const id of ended) {
      if (ended.size <= maxDirectories) return;
      remove(id);
    }
  }

  return {
    of,
    /** Called when an allocation starts or restarts. */
    begin: (id: string): void => void ended.delete(id),
    /** Called when an allocation has finished. Removes the oldest directory if there are too many. */
    end(id: string): void {
      ended.add(id);
      trim();
    },
    /** Treats directories of an earlier run of the agent as finished, unless their allocations run now. */
    async adopt(isRunning: (id: string) => boolean): Promise<void> {
      const names = (await readdir(root).catch(() => [])).filter((name) => uuidForm.test(name));
      const times = await Promise.all(names.map((name) => modifiedAt(join(root, name))));
      const byAge = names.map((name, at) => ({ name, time: times[at] ?? 0 })).sort((a, b) => a.time - b.time);
      const newer = [...ended];
      ended.clear();
      for (const { name } of byAge) if (!isRunning(name)) ended.add(name);
      for (const id of newer) ended.add(id);
      trim();
    },
    /** Removes directories of allocations that the servers have deleted. */
    retain(isKnown: (id: string) => boolean): void {
      for (const id of [...ended]) if (!isKnown(id)) remove(id);
    },
  };
}

function modifiedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
