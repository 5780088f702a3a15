import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from './errors.js';
import { StorageError } from './storage-error.js';

/**
 * Makes a data directory, or one in it, with those above, where they are not there.
 *
 * @param mode of what is made. Tasks of other users pass through a data directory to their files, and see nothing else.
 * @throws StorageError `unusable`, with what to do
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

/** The runtime's own way never ends where a system says ENOENT of a directory whose parent is there, as Linux does in /proc. */
function makeDirectories(dir: string, mode: number): void {
  if (existsSync(dir)) return;
  const parent = dirname(dir);
  if (parent !== dir) makeDirectories(parent, mode);
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    // Another process may have been there first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
