import { SecretsError } from '../errors.js';
import type { Logger } from '../logger.js';
import { createJsonCollection } from '../storage/json-collection.js';
import type { Storage } from '../storage/storage.js';
import type { AuthMount } from './method-type.js';

/** A record of a mount, kept under its path: the method whose data lies below it. */
interface MountRecord {
  readonly type: string;
}

/** Where the records are: paths of mounts behind it, as they are written. */
const prefix = 'sys/mount/';

/**
 * Holds what is mounted against what was mounted before. A mount that is not configured any more leaves its data, for
 * a block that brings it back, and that is told to the log.
 *
 * @throws SecretsError `conflict` for a mount whose path holds the data of another method, or lies in or around one that
 *   holds any: what one has stored would be read by the other as its own.
 */
export async function recordMounts(
  storage: Storage,
  mounts: readonly Pick<AuthMount, 'path' | 'type'>[],
  logger: Logger,
): Promise<void> {
  const records = createJsonCollection<MountRecord>(storage, prefix);
  for (const { path, type } of mounts) {
    const known = await records.get(path);
    if (known === null)
      await records.put(path, { type }).catch((error: unknown) => notRecorded(error, path, logger));
    else if (known.type !== type) throw otherMethod(path, type, known.type);
  }
  for (const path of await records.names()) {
    if (mounts.some((mount) => mount.path === path)) continue;
    const nested = mounts.find((mount) => isIn(mount.path, path) || isIn(path, mount.path));
    if (nested !== undefined) throw nestedData(nested.path, path);
    logger.warn(
      { mount: `auth/${path}`, type: (await records.get(path))?.type },
      'this mount is not configured any more: its data stays, its tokens live until they end and cannot be renewed',
    );
  }
}

/** A full disk must not keep the store shut: the next start tries again. */
function notRecorded(error: unknown, path: string, logger: Logger): void {
  if (!(error instanceof SecretsError)) throw error;
  logger.error({ mount: `auth/${path}`, reason: error.message }, 'a mount that is new was not recorded');
}

function isIn(path: string, other: string): boolean {
  return path.startsWith(`${other}/`);
}

function nestedData(path: string, known: string): SecretsError {
  return new SecretsError(
    'conflict',
    `auth/${known} holds data, and auth/${path} is in the way of it: mount at another path`,
  );
}

function otherMethod(path: string, type: string, known: string): SecretsError {
  return new SecretsError(
    'conflict',
    `auth/${path} holds the data of the method ${known}: mount ${type} at another path`,
  );
}
