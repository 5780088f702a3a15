import { lockStore } from '@tamis/http';
import { tableShapes } from '../../model/resources.js';
import { makeDataDirectory, openLmdbStorage } from '../lmdb.js';
import type { OpenStore } from './driver.js';

/** @throws StorageError when the directory cannot be used, StoreLockError when another process has it. */
export async function openDataDirectory(dir: string): Promise<OpenStore> {
  makeDataDirectory(dir);
  // Before the store is touched: who is stopped in the middle of a commit would hold up whoever opens it.
  const lock = await lockStore(dir, 'state');
  try {
    const storage = openLmdbStorage({ dir, lock, shapes: tableShapes });
    return { storage, shared: null, isOwn: lock.isHeld };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
