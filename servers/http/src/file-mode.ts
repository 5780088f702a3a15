import { platform } from 'node:os';

/** Bits of a mode that give a secret away, or let others put their own in its place. A group may read. */
const readableByAll = 0o004;
const writableByOthers = 0o022;

/**
 * Returns how a file or directory with secrets is exposed, and what to do; null if it is not.
 *
 * @param mode as returned by `stat`. On systems where files have no owner, such as Windows, it is meaningless.
 * @param kind in a directory, other users may read the names.
 */
export function exposureOf(path: string, mode: number, kind: 'file' | 'directory' = 'file'): string | null {
  if (platform() === 'win32') return null;
  const permissions = mode & 0o777;
  const isFile = kind === 'file';
  const faults = [
    ...(isFile && (permissions & readableByAll) !== 0 ? ['everybody may read it'] : []),
    ...((permissions & writableByOthers) === 0 ? [] : ['others than its owner may write it']),
  ];
  if (faults.length === 0) return null;
  const written = permissions.toString(8).padStart(4, '0');
  const remedy = isFile ? 'chmod 600' : 'chmod 700';
  return `${path} holds secrets and has the mode ${written}: ${faults.join(' and ')}. Run ${remedy} on it`;
}
