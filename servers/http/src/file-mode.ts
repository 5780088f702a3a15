import { platform } from 'node:os';

/** Mode bits that let other users read or replace a secret. The group may read. */
const readableByAll = 0o004;
const writableByOthers = 0o022;

/**
 * Returns how a file or directory with secrets is exposed, and how to fix it; null if it is not exposed.
 *
 * @param mode as returned by `stat`. Meaningless on systems without file owners, such as Windows.
 * @param kind other users may read the names in a directory.
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
