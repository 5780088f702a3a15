import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from './errors.js';
import { StorageError } from './storage-error.js';

/**
 * Creates a directory and its missing parents.
 *
 * @param mode of the created directories. The default lets tasks of other users reach their files without listing directories.
 * @throws StorageError `unusable`, with advice
 */
export function makeDataDirectory(dir: string, mode = 0o711): void {
  try {
    makeDirectories(dir, mode);
    if (!statSync(dir).isDirectory()) throw new Error('it is not a directory');
  } catch (error) {
    const advice = 'name another one, which this user may write';
    throw new StorageError(
      'unusable',
      `${dir} cannot be the data directory: ${reasonOf(error)}: ${advice}`,
      error,
    );
  }
}

/**
 * Replaces the recursive `mkdir` of Node.js, which never returns if the system reports ENOENT although the parent exists, as in
 * /proc on Linux.
 */
function makeDirectories(dir: string, mode: number): void {
  if (existsSync(dir)) return;
  const parent = dirname(dir);
  if (parent !== dir) makeDirectories(parent, mode);
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
