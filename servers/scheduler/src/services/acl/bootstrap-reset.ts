import { join } from 'node:path';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';

/** The file in the data directory by which an operator allows one more bootstrap. */
const bootstrapResetFile = 'acl-bootstrap-reset';

/** Enough for any index, and for a line break behind it. */
const maxBytes = 64;

/**
 * Reads the index that stands in that file; null when there is none. Whoever can write the file could as well read the
 * state, with all its secrets: it gives nobody more than they have.
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
