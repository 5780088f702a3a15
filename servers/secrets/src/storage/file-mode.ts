import { stat } from 'node:fs/promises';
import { SecretsError } from '../errors.js';

/** Reading by everybody, writing by the group, writing by everybody. */
const openFile = 0o026;
const openDirectory = 0o022;

/**
 * Refuses a file of secrets that everybody may read, or that others than its owner may write. One that is not there,
 * and what is no regular file, is as safe as it can be.
 *
 * @throws SecretsError `bad-request` that names the mode, and what to do
 */
export async function refuseOpenFile(path: string): Promise<void> {
  const found = await stat(path).catch(ignoreMissing);
  if (found?.isFile() === true) refuseMode(path, found.mode, openFile, 'chmod 600');
}

/** Refuses a directory in which others than its owner may put files. @throws SecretsError `bad-request` */
export async function refuseOpenDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(ignoreMissing);
  if (found?.isDirectory() === true) refuseMode(path, found.mode, openDirectory, 'chmod 700');
}

function refuseMode(path: string, mode: number, open: number, remedy: string): void {
  if ((mode & open) === 0) return;
  const written = (mode & 0o7777).toString(8).padStart(4, '0');
  const problem = (mode & 0o022) === 0 ? 'everybody may read it' : 'others than its owner may write it';
  throw new SecretsError(
    'bad-request',
    `${path} has the mode ${written}, so that ${problem}: ${remedy} ${path}`,
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
