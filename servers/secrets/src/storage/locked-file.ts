import { statSync } from 'node:fs';
import { SecretsError } from '../base/errors.js';

/**
 * Checks that a file is still the one that is open, and whole. A system lets any process with the right remove or cut a file that
 * is in use: what is written to a removed one is lost, and reading a mapped one past its end hangs or kills the process. The file
 * must be one that never shrinks.
 *
 * @returns throws SecretsError `storage-failed`, without the path, when the file was removed, replaced or cut short.
 */
export function lockFile(path: string): () => void {
  const { dev, ino, size } = statSync(path);
  let maxSize = size;
  let isCut = false;
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw lost('removed');
    if (found.ino !== ino || found.dev !== dev) throw lost('replaced');
    // What was in it is gone, however long it gets again.
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
