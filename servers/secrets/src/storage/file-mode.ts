import { stat } from 'node:fs/promises';
import { exposureOf } from '@tamis/http';
import { badRequest } from '../base/errors.js';

/**
 * Refuses a file of secrets that all users may read, or that others than its owner may write. Accepts missing files and files
 * that are not regular.
 *
 * @throws SecretsError `bad-request` that names the mode and the fix
 */
export async function refuseOpenFile(path: string): Promise<void> {
  const found = await stat(path).catch(ignoreMissing);
  if (found?.isFile() === true) refuse(exposureOf(path, found.mode));
}

/** Refuses a directory in which others than its owner may create files. @throws SecretsError `bad-request` */
export async function refuseOpenDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(ignoreMissing);
  if (found?.isDirectory() === true) refuse(exposureOf(path, found.mode, 'directory'));
}

function refuse(exposure: string | null): void {
  if (exposure !== null) throw badRequest(exposure);
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
