import { join } from 'node:path';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';

/** File in the data directory with which an operator allows one more bootstrap. */
const bootstrapResetFile = 'acl-bootstrap-reset';

/** Maximum length of the file in bytes, enough for any index and a line break. */
const maxBytes = 64;

/**
 * Reads the index in that file; null if the file is missing. A user who can write the file can also read all secrets, so it
 * grants no additional rights.
 */
export function createBootstrapReset(
  dataDir: string | null,
  { readText }: Pick<Machine, 'readText'>,
): () => Promise<number | null> {
  if (dataDir === null) return async () => null;
  return async () => {
    const text = await readText(join(dataDir, bootstrapResetFile), maxBytes).catch(() => '');
    return /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null;
  };
}
