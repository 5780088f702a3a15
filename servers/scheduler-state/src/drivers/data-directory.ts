import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockStore, type StoreLock } from '@tamis/http';
import { tableShapes } from '@tamis/scheduler-model/resources.js';
import { hasLmdbStore, openLmdbStorage, storePathIn } from '../storage/lmdb.js';
import { makeDataDirectory } from '@tamis/scheduler-model/base/make-data-directory.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import type { LogEvent, Storage } from '../storage/storage.js';
import type { OpenStore } from './driver.js';

/** @throws StorageError if the directory cannot be used, StoreLockError if another process uses it. */
export async function openDataDirectory(dir: string): Promise<OpenStore> {
  makeDataDirectory(dir);
  // Locked before the store is opened: a process suspended during a commit would block the next one.
  const lock = await lockStore(dir, 'state');
  try {
    const storage = openLmdbStorage({ dir, lock, shapes: tableShapes });
    return { storage, shared: null, isOwn: lock.isLocked };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Directory where a store is built until complete. */
const unfinished = 'unfinished-import';

/**
 * Creates the store of a directory atomically, if it has none or an empty one. The store is built in another directory and moved
 * when `fill` resolves, so that a crash leaves no incomplete store.
 *
 * @returns null if a non-empty store exists; then `fill` is not called.
 * @throws the errors of `fill`, StorageError, StoreLockError
 */
export async function fillDataDirectory<R extends object>(
  dir: string,
  fill: (storage: Storage) => Promise<R>,
): Promise<R | null> {
  makeDataDirectory(dir);
  const lock = await lockStore(dir, 'state');
  const place = join(dir, unfinished);
  try {
    if (await isFilled(dir, lock)) return null;
    rmSync(place, { recursive: true, force: true });
    const filled = await withStore(place, lock, fill);
    if (!lock.isLocked()) throw new StorageError('write-failed', `${dir} was taken over by another process`);
    renameSync(storePathIn(place), storePathIn(dir));
    synchronise(dir);
    return filled;
  } finally {
    rmSync(place, { recursive: true, force: true });
    await lock.release();
  }
}

async function isFilled(dir: string, lock: StoreLock): Promise<boolean> {
  if (!hasLmdbStore(dir)) return false;
  return withStore(dir, lock, async (storage) => {
    const { value } = (await storage.subscribe().next()) as IteratorYieldResult<LogEvent>;
    return value.kind !== 'reset' || value.contents.index !== 0;
  });
}

/** @param lock of the data directory; released after the store is closed. */
async function withStore<R>(
  dir: string,
  { isLocked }: StoreLock,
  use: (storage: Storage) => Promise<R>,
): Promise<R> {
  const storage = openLmdbStorage({
    dir,
    lock: { isLocked, release: async () => undefined },
    shapes: tableShapes,
  });
  try {
    return await use(storage);
  } finally {
    await storage.close();
  }
}

/** Flushes the entries of a directory to disk. */
function synchronise(dir: string): void {
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
