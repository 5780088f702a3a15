import { systemProcesses } from '@tamis/http';
import { tableShapes } from '../model/resources.js';
import { openLmdbStorage } from '../storage/lmdb.js';
import { createMemoryStorage } from '../storage/memory.js';
import type { Storage } from '../storage/storage.js';

/** @throws StorageError when the data directory cannot be used. */
export function openOwnStorage(dataDir: string | null): Storage {
  if (dataDir === null) return createMemoryStorage();
  const processes = systemProcesses(process.pid, (pid, signal) => process.kill(pid, signal));
  return openLmdbStorage({ dir: dataDir, shapes: tableShapes, processes });
}
