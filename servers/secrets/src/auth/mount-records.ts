import { SecretsError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { createJsonCollection } from '../storage/json-collection.js';
import { putJson, removeEntry } from '../storage/json-entry.js';
import type { Change, Storage } from '../storage/storage.js';
import type { AuthMount } from './method-type.js';

/** The stored record of a mount: the method that owns the data below its path. */
interface MountRecord {
  readonly type: string;
}

/** Prefix of the records, followed by the mount path. */
const prefix = 'sys/mount/';

type RecordedMount = Pick<AuthMount, 'path' | 'type'>;

/**
 * Compares the configured mounts with the recorded ones. If a mount is no longer configured, its data stays, and this is logged.
 * The mount can then be configured again. A mount without data can be replaced by any other.
 *
 * @returns the paths that were mounted before.
 * @throws SecretsError `conflict` if the path of a mount has data of another method, or contains or is inside such a path: one
 * method would read the data of the other. Then nothing is recorded.
 */
export async function recordMounts(
  storage: Storage,
  mounts: readonly RecordedMount[],
  logger: Logger,
): Promise<readonly string[]> {
  const records = createJsonCollection<MountRecord>(storage, prefix);
  const known = new Map<string, string | undefined>();
  for (const path of await records.names()) known.set(path, (await records.get(path))?.type);
  const changes: Change[] = [];
  for (const [path, type] of known) {
    const rival = mounts.find((mount) => excludes(mount, path, type));
    const isRemoved = mounts.every((mount) => mount.path !== path);
    if (rival === undefined && !isRemoved) continue;
    const hasData = (await storage.list(`auth/${path}/`)).length > 0;
    if (rival === undefined) warnOfRemoved(path, type, hasData, logger);
    else if (hasData) throw conflict(rival, path, type);
    else if (isRemoved) changes.push(removeEntry(prefix + path));
  }
  for (const { path, type } of mounts)
    if (known.get(path) !== type) changes.push(putJson(prefix + path, { type }));
  await writeRecords(storage, changes, logger);
  return [...known.keys()];
}

function warnOfRemoved(path: string, type: string | undefined, hasData: boolean, logger: Logger): void {
  const data = hasData ? 'its data stays, ' : '';
  logger.warn(
    { mount: `auth/${path}`, type },
    `this mount is not configured any more: ${data}its tokens live until they end and cannot be renewed`,
  );
}

/** Writes the records. Errors are only logged, because a full disk must not prevent opening the store. The next start retries. */
async function writeRecords(storage: Storage, changes: readonly Change[], logger: Logger): Promise<void> {
  if (changes.length === 0) return;
  try {
    await storage.write(changes);
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    logger.error({ reason: error.message }, 'mounts that are new were not recorded');
  }
}

/** Whether a mount can be used only if the recorded one at `path` has no data. */
function excludes(mount: RecordedMount, path: string, type: string | undefined): boolean {
  return mount.path === path ? mount.type !== type : isIn(mount.path, path) || isIn(path, mount.path);
}

function isIn(path: string, other: string): boolean {
  return path.startsWith(`${other}/`);
}

function conflict({ path, type }: RecordedMount, known: string, knownType = 'another'): SecretsError {
  const problem =
    path === known
      ? `auth/${path} holds the data of the method ${knownType}: mount ${type} at another path`
      : `auth/${known} holds data, and auth/${path} is in the way of it: mount at another path`;
  return new SecretsError('conflict', problem);
}
