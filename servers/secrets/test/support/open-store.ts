import { systemProcesses } from '@tamis/http';
import { openLmdbStorage } from '../../src/storage/lmdb.js';
import type { Storage } from '../../src/storage/storage.js';

/** Opens a store on disk, as a process of this machine that is itself alone. */
export function openStore(directory: string): Promise<Storage> {
  const processes = systemProcesses(process.pid, (pid, signal) => process.kill(pid, signal));
  return openLmdbStorage(directory, processes, () => Date.now());
}
