import { statSync } from 'node:fs';
import { SecretsError } from '../base/errors.js';

/**
 * Checks that an open file has not been removed, replaced or truncated. Writes to a removed file are lost, and reading a mapped
 * file past its end hangs or kills the process. The file must never shrink in normal use.
 *
 * @returns throws SecretsError `storage-failed`, without the path, if the file was removed, replaced or truncated.
 */
export function lockFile(path: string): () => void {
  const { dev, ino, size } = statSync(path);
  let maxSize = size;
  let isCut = false;
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw lost('removed');
    if (found.ino !== ino || found.dev !== dev) throw lost('replaced');
    // Truncated data is lost even if the file grows again.
    isCut ||= found.size < maxSize;
    if (isCut) throw lost('cut short');
    maxSize = found.size;
  };
}

function lost(what: string): SecretsError {
  return new SecretsError(
    'storage-failed',
    `the file of the store was ${what} while it was in use: stop the server, and bring the file back`,
  );
}
