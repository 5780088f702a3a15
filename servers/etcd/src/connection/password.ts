import { readFileSync, statSync } from 'node:fs';
import { EtcdError } from '../errors.js';
import type { UserFile } from './settings.js';

/** Permission bits that only the owner of a file may have. */
const others = 0o077;

/**
 * Returns the password of a user: the content of the file up to the first line break.
 *
 * @throws EtcdError `configuration`: if the file cannot be read, or is readable by others.
 */
export function readPassword({ passwordFile }: UserFile): string {
  if ((modeOf(passwordFile) & others) !== 0)
    throw refused(`${passwordFile} is open to others than its owner: chmod 600 it`);
  try {
    return readFileSync(passwordFile, 'utf8').replace(/\r?\n[^]*$/, '');
  } catch (error) {
    throw refused((error as Error).message, error);
  }
}

function modeOf(file: string): number {
  try {
    return statSync(file).mode;
  } catch (error) {
    throw refused((error as Error).message, error);
  }
}

function refused(problem: string, cause?: unknown): EtcdError {
  return new EtcdError('configuration', `etcd passwordFile: ${problem}`, { cause });
}
