import { chmod, mkdir, open as openFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { required, text } from '@tamis/config';
import {
  commitInLmdb,
  hushLmdbErrors,
  lockStore,
  requireFreeSpace,
  reusableInLmdb,
  StoreLockError,
  type StoreLock,
} from '@tamis/http';
import { open, type RootDatabase } from 'lmdb';
import { badRequest, SecretsError } from '../base/errors.js';
import { defineStorageDriver } from './driver.js';
import { refuseOpenDirectory, refuseOpenFile } from './file-mode.js';
import { lockFile } from './locked-file.js';
import { maxPathLength, type Change, type RootStorage, type Space, type StoredEntry } from './storage.js';

/** The driver `lmdb`: a local directory, used by one process at a time. */
export const lmdbDriver = defineStorageDriver({
  name: 'lmdb',
  // Other products use this name for a store in a directory.
  aliases: ['file'],
  fields: { path: required(text()) },
  place: ({ path }) => path,
  open: async ({ path }) => ({ storage: await openLmdbStorage(path), election: null }),
});

/** Mode of the directory: only the owner. The content is encrypted, but a user who can write it could restore an old state. */
const directoryMode = 0o700;
const fileMode = 0o600;

type Database = RootDatabase<Buffer, Buffer>;

/**
 * Unused space that the file of the store keeps, in bytes, while the disk has space. Allows tokens to be revoked after other
 * programs have filled the disk.
 */
const reserveBytes = 3_145_728;
/** Bytes of the reserve that may be used up before it is filled again. */
const reserveSlack = 1_048_576;
/** Bytes that remain for revocations, in addition to those of one commit. */
const revocationBytes = 1_048_576;
/** Maximum size of the values of a revocation, in bytes. */
const maxRevocationBytes = 1_024;
/** Number of written bytes after which the reserve is checked. */
const checkedBytes = 262_144;
/** Key of the entry that fills the reserve. No other key begins with 0. */
const reserveKey = Buffer.from([0, 1]);

/**
 * Opens the store in a directory, and creates it if missing; its parent must exist. The store is locked until it is closed or the
 * process ends.
 *
 * @throws SecretsError `in-use` that names the process using the store, or `bad-request` if others than its owner could read or
 * change it, or if it cannot be locked.
 */
export async function openLmdbStorage(directory: string): Promise<RootStorage> {
  await mkdir(directory, { mode: directoryMode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    const advice = 'name one that this user can make there, or make it first';
    throw badRequest(`${directory} cannot be the store: ${error.message}: ${advice}`);
  });
  await refuseOpenDirectory(directory);
  const path = join(directory, 'secrets.mdb');
  const lock = await takeLock(directory);
  try {
    const database = await openDatabase(path);
    requireReader(database, directory);
    await fillReserve(database, directory);
    return storageOf(database, directory, lockFile(path), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Locks the directory before the database is opened, because a process suspended during a commit would block others that open it.
 */
async function takeLock(directory: string): Promise<StoreLock> {
  try {
    return await lockStore(directory, 'secrets');
  } catch (error) {
    if (!(error instanceof StoreLockError)) throw error;
    throw new SecretsError(error.code === 'in-use' ? 'in-use' : 'bad-request', error.message);
  }
}

async function openDatabase(path: string): Promise<Database> {
  for (const file of [path, `${path}-lock`]) {
    await refuseOpenFile(file);
    // Created here with the right mode, because the library would make it readable for all users for a moment.
    await (await openFile(file, 'a', fileMode)).close();
  }
  await chmod(path, fileMode);
  hushLmdbErrors();
  return open<Buffer, Buffer>({
    path,
    encoding: 'binary',
    // Stores paths as bytes, so that they sort bytewise.
    keyEncoding: 'binary',
    // Commits resolve once they are on disk. Otherwise there would be a second promise for flushing, whose rejection would be
    // unhandled.
    overlappingSync: false,
    eventTurnBatching: false,
  });
}

/**
 * Throws if the store cannot be read. The library identifies readers by process ID, which another container may also use. Its own
 * error does not say so.
 */
function requireReader(database: Database, directory: string): void {
  try {
    database.get(Buffer.from('core'));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SecretsError(
      'in-use',
      `${directory} is in use by a process of another container, whose lock was removed: stop it first`,
    );
  }
}

/** Adds unused pages to the file if there are too few. Does nothing if the disk has little space left. */
async function fillReserve(database: Database, directory: string): Promise<void> {
  try {
    const missing = reserveBytes - reusableInLmdb(database);
    if (missing < reserveSlack) return;
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize < 2 * reserveBytes) return;
    await database.put(reserveKey, Buffer.alloc(missing));
    await database.remove(reserveKey);
  } catch {
    // For example a quota of the user. The reserve stays smaller until the next attempt.
  }
}

function storageOf(
  database: Database,
  directory: string,
  requireWhole: () => void,
  { isLocked, release }: StoreLock,
): RootStorage {
  let isOpen = true;
  let unchecked = 0;
  let filling: Promise<void> = Promise.resolve();

  function countWritten(bytes: number): void {
    unchecked += bytes;
    if (unchecked < checkedBytes) return;
    unchecked = 0;
    filling = filling.then(() => fillReserve(database, directory));
  }

  function requireFile(): void {
    requireWhole();
    if (!isLocked()) throw new SecretsError('storage-failed', 'another process has taken over the store');
  }
  return {
    isOwn: isLocked,
    entries: function* (): Generator<StoredEntry, void> {
      requireFile();
      for (const { key, value } of database.getRange()) {
        if (key[0] !== 0) yield [key.toString('utf8'), Uint8Array.from(value)];
      }
    },
    async get(entry) {
      requireFile();
      const value = database.get(keyOf(entry));
      // Copied: the library may return a view of memory that it reuses.
      return value === undefined ? null : Uint8Array.from(value);
    },
    async list(prefix) {
      requireFile();
      const start = Buffer.from(prefix);
      const paths: string[] = [];
      for (const key of database.getKeys({ start })) {
        if (!key.subarray(0, start.length).equals(start)) break;
        if (key[0] !== 0) paths.push(key.toString('utf8'));
      }
      return paths;
    },
    async write(changes: readonly Change[]) {
      const entries = changes.map(
        ({ path, value }) => [keyOf(path), value === null ? null : Buffer.from(value)] as const,
      );
      requireFile();
      const sizes = changes.map(({ value }) => value?.length ?? 0);
      const size = sizes.reduce((sum, each) => sum + each, 0);
      requireFreeSpace(database, directory, sizes, size > maxRevocationBytes ? revocationBytes : 0);
      await commitInLmdb(database, entries);
      countWritten(size);
    },
    async space() {
      requireFile();
      return spaceOf(database, directory);
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await filling;
      await database.close();
      await release();
    },
  };
}

/** Returns the free space: that of the file system plus the unused pages of the file, which never shrinks, minus the reserve. */
async function spaceOf(database: Database, directory: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const free = bavail * bsize + reusableInLmdb(database) - reserveBytes;
  return { free: Math.max(0, free), total: blocks * bsize };
}

function keyOf(path: string): Buffer {
  const key = Buffer.from(path);
  if (key.length === 0 || key.length > maxPathLength) {
    throw new RangeError(`A path has 1 to ${maxPathLength} bytes, not ${key.length}`);
  }
  return key;
}
