import { chmod, mkdir, open as openFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, readOwner, selfAsOwner, writeOwner, type Processes } from '@tamis/http';
import { open, type RootDatabase } from 'lmdb';
import { SecretsError } from '../errors.js';
import { refuseOpenDirectory, refuseOpenFile } from './file-mode.js';
import { holdFile } from './held-file.js';
import type { Change, Space, Storage } from './storage.js';

/** Owner alone: what is inside is encrypted, but who could write it could bring back an old state. */
const directoryMode = 0o700;
const fileMode = 0o600;
/** Bytes of one path: what fits in a key of the database. */
const longestPath = 1_900;
/** Which process has the store open. No path begins with a zero byte, so no list holds it. */
const ownerKey = Buffer.from('\0owner');

type Database = RootDatabase<Buffer, Buffer>;

/**
 * Opens the store in a directory, which is made when it is not there; the one above it must be. The store belongs to
 * this process until it is closed, or until this process is gone.
 *
 * @param now milliseconds since 1970, for the note whose the store is.
 * @throws SecretsError `in-use` that names the process that has the store, or `bad-request` for one that others than
 *   its owner could read or change.
 */
export async function openLmdbStorage(
  directory: string,
  processes: Processes,
  now: () => number,
): Promise<Storage> {
  await mkdir(directory, { mode: directoryMode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const path = join(directory, 'secrets.mdb');
  await refuseOpenDirectory(directory);
  for (const file of [path, `${path}-lock`]) {
    await refuseOpenFile(file);
    // The library would make it for everybody to read, if only for a moment.
    await (await openFile(file, 'a', fileMode)).close();
  }
  const database = open<Buffer, Buffer>({
    path,
    encoding: 'binary',
    // Paths as bytes, so that they sort as bytes.
    keyEncoding: 'binary',
    // A commit is on disk when it is done, and fails when it cannot be: a second promise would fail unheard.
    overlappingSync: false,
    eventTurnBatching: false,
  });
  try {
    await chmod(path, fileMode);
    takeOver(database, directory, processes, now);
  } catch (error) {
    await database.close();
    throw error;
  }
  return storageOf(database, directory, processes.self, holdFile(path));
}

/** One transaction looks and writes, and the library lets only one process at a time have one. */
function takeOver(database: Database, directory: string, processes: Processes, now: () => number): void {
  const found = database.transactionSync(() => {
    const [since = '', note = ''] = textOf(database.get(ownerKey)).split('\n');
    const owner = readOwner(note);
    if (owner !== null && isAlive(owner, processes)) return { owner, since };
    database.putSync(
      ownerKey,
      Buffer.from(`${new Date(now()).toISOString()}\n${writeOwner(selfAsOwner(processes))}`),
    );
    return null;
  });
  if (found === null) return;
  const { owner, since } = found;
  throw new SecretsError(
    'in-use',
    `${directory} is in use by process ${owner.pid} since ${since}: stop it first, or name another directory`,
  );
}

function textOf(value: Buffer | undefined): string {
  return value === undefined ? '' : Buffer.from(value).toString('utf8');
}

function storageOf(database: Database, directory: string, self: number, requireFile: () => void): Storage {
  let isOpen = true;
  return {
    async get(entry) {
      requireFile();
      const value = database.get(keyOf(entry));
      // The library may hand out a view of memory that it uses again.
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
      const entries = changes.map(({ path, value }) => [keyOf(path), value] as const);
      requireFile();
      // The promise of the whole tells of every failure; those of its parts must only not go unheard.
      const heard = (part: Promise<unknown>): void => void part.catch(() => undefined);
      try {
        await database.batch(() => {
          for (const [key, value] of entries) {
            heard(value === null ? database.remove(key) : database.put(key, Buffer.from(value)));
          }
        });
      } catch (error) {
        throw await causeOf(error);
      }
    },
    async space() {
      requireFile();
      return spaceOf(database, directory);
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      giveUp(database, self, requireFile);
      await database.close();
    },
  };
}

/** A note that stays behind does no harm: its process is gone. */
function giveUp(database: Database, self: number, requireFile: () => void): void {
  try {
    requireFile();
    const [, note] = textOf(database.get(ownerKey)).split('\n');
    if (readOwner(note)?.pid === self) database.removeSync(ownerKey);
  } catch {
    // A full disk or a lost file is no reason not to stop.
  }
}

/** The library puts the reason into a promise beside its error. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { readonly commitError?: Promise<unknown> };
  if (commitError === undefined) return error;
  return commitError.then(
    () => error,
    (cause: unknown) => cause,
  );
}

interface DatabaseStats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** The space that the file system has left, with the pages in the file that hold nothing any more: the file never shrinks. */
async function spaceOf(database: Database, directory: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(directory);
  // The library does not say what its statistics hold.
  const stats = database.getStats() as DatabaseStats;
  const used = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
  const reusable = Math.max(0, stats.lastPageNumber - used) * stats.pageSize;
  return { free: bavail * bsize + reusable, total: blocks * bsize };
}

function keyOf(path: string): Buffer {
  const key = Buffer.from(path);
  if (key.length === 0 || key.length > longestPath) {
    throw new RangeError(`A path has 1 to ${longestPath} bytes, not ${key.length}`);
  }
  return key;
}
