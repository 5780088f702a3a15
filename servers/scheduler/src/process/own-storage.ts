import { lockStore } from '@tamis/http';
import { tableShapes } from '../model/resources.js';
import { makeDataDirectory, openLmdbStorage } from '../storage/lmdb.js';
import { createMemoryStorage } from '../storage/memory.js';
import type { Storage } from '../storage/storage.js';

/** A storage that no other process has. */
export interface OwnStorage {
  readonly storage: Storage;
  /** Whether that is still so, see `StoreLock`. */
  readonly isOwn: () => boolean;
}

/** @throws StorageError when the data directory cannot be used, StoreLockError when another process has it. */
export async function openOwnStorage(dataDir: string | null): Promise<OwnStorage> {
  if (dataDir === null) return { storage: createMemoryStorage(), isOwn: () => true };
  makeDataDirectory(dataDir);
  // Before the store is touched: who is stopped in the middle of a commit would hold up whoever opens it.
  const lock = await lockStore(dataDir, 'state');
  try {
    return { storage: openLmdbStorage({ dir: dataDir, lock, shapes: tableShapes }), isOwn: lock.isHeld };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
