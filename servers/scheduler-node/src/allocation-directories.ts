import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileName } from './allocation-directory.js';

/** The directories of allocations that are over, of which the last are kept to look into. */
export interface AllocationDirectories {
  of(id: string): string;
  /** An allocation runs, for the first time or again. */
  begin(id: string): void;
  /** An allocation is over: the oldest goes when there are too many. */
  end(id: string): void;
  /** Counts directories of an earlier run of the agent as ended, unless their allocations run now. */
  adopt(isRunning: (id: string) => boolean): Promise<void>;
  /** Removes those of allocations that the servers have forgotten. */
  retain(isKnown: (id: string) => boolean): void;
}

/** Allocations that are over and keep their files. Stops short jobs from filling the disk. */
const maxDirectories = 50;

/** Names of directories of allocations; others in the folder are not touched. */
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createAllocationDirectories(root: string): AllocationDirectories {
  const ended = new Set<string>();
  const of = (id: string): string => join(root, fileName(id));

  function remove(id: string): void {
    ended.delete(id);
    // A directory that cannot be removed now is found again at the next start.
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
    begin: (id) => void ended.delete(id),
    end(id) {
      ended.add(id);
      trim();
    },
    async adopt(isRunning) {
      const names = (await readdir(root).catch(() => [])).filter((name) => uuidForm.test(name));
      const times = await Promise.all(names.map((name) => modifiedAt(join(root, name))));
      const byAge = names.map((name, at) => ({ name, time: times[at] ?? 0 })).sort((a, b) => a.time - b.time);
      const newer = [...ended];
      ended.clear();
      for (const { name } of byAge) if (!isRunning(name)) ended.add(name);
      for (const id of newer) ended.add(id);
      trim();
    },
    retain(isKnown) {
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
