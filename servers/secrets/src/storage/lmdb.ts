import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Change, Storage } from './storage.js';

/** Owner alone: what is inside is encrypted, but who could write it could bring back an old state. */
const directoryMode = 0o700;
const fileMode = 0o600;
/** Bytes of one path: what fits in a key of the database. */
const longestPath = 1_900;

/**
 * Opens the store in a directory, which is made when it is not there; the one above it must be. One process at a time
 * should use it.
 */
export async function openLmdbStorage(directory: string): Promise<Storage> {
  await mkdir(directory, { mode: directoryMode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const path = join(directory, 'secrets.mdb');
  const database = open<Buffer, Buffer>({
    path,
    encoding: 'binary',
    // Paths as bytes, so that they sort as bytes.
    keyEncoding: 'binary',
  });
  await chmod(path, fileMode);
  return {
    async get(entry) {
      const value = database.get(keyOf(entry));
      // The library may hand out a view of memory that it uses again.
      return value === undefined ? null : Uint8Array.from(value);
    },
    async list(prefix) {
      const start = Buffer.from(prefix);
      const paths: string[] = [];
      for (const key of database.getKeys({ start })) {
        if (!key.subarray(0, start.length).equals(start)) break;
        paths.push(key.toString('utf8'));
      }
      return paths;
    },
    async write(changes: readonly Change[]) {
      const entries = changes.map(({ path, value }) => [keyOf(path), value] as const);
      await database.transaction(() => {
        for (const [key, value] of entries) {
          if (value === null) void database.remove(key);
          else void database.put(key, Buffer.from(value));
        }
      });
      await database.flushed;
    },
    close: () => database.close(),
  };
}

function keyOf(path: string): Buffer {
  const key = Buffer.from(path);
  if (key.length === 0 || key.length > longestPath) {
    throw new RangeError(`A path has 1 to ${longestPath} bytes, not ${key.length}`);
  }
  return key;
}
