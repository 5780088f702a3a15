import type { Clock } from '../base/clock.js';
import { badRequest, SecretsError } from '../base/errors.js';
import { encryptEntry } from '../seal/encrypted-storage.js';
import { deriveNameKeys, hiddenPrefix, hideNames, namesPath } from '../seal/hidden-names.js';
import { createSeal } from '../seal/seal.js';
import { deleteAll, writeAll } from '../storage/backup.js';
import type { OpenStore } from '../storage/driver.js';
import type { Change, Storage, StoredEntry } from '../storage/storage.js';
import { whileActive } from '../storage/while-active.js';

/** The entry that marks a store as initialized. Written last, after all other entries have been verified. */
const lastPath = 'core/keyring';
const nonceLength = 12;
const nameKeyLength = 32;

export interface MigrateOptions {
  readonly source: OpenStore;
  readonly target: OpenStore;
  /** Used only to encrypt entry names, if they are readable in the source but hidden in the target; null if not given. */
  readonly unsealKey: Buffer | null;
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Buffer;
}

/**
 * Copies a store to a new one without decrypting the values, and compares all entries before the target counts as initialized. The
 * source is not changed.
 *
 * @returns the number of entries that were compared.
 * @throws SecretsError if either store is in use, the target is not new, or the unseal key is required but missing
 */
export async function migrateStore(options: MigrateOptions): Promise<number> {
  const { source, target, clock } = options;
  const alone = <T>({ election }: OpenStore, action: () => Promise<T>): Promise<T> =>
    election === null ? action() : whileActive(election, clock, action);
  return alone(source, () => alone(target, () => copy(options)));
}

async function copy(options: MigrateOptions): Promise<number> {
  const { source, target } = options;
  if ((await target.storage.get(lastPath)) !== null) {
    throw badRequest('the target is initialized: a store is moved into a new one');
  }
  const entries: StoredEntry[] = [];
  for await (const entry of source.storage.entries()) entries.push(entry);
  const last = entries.find(([path]) => path === lastPath);
  if (last === undefined) throw badRequest('the source is not initialized: there is nothing to move');
  // Deletes the entries of an interrupted migration.
  await deleteAll(target.storage);
  const core = entries.filter((entry) => isCore(entry) && entry !== last);
  const others = entries.filter((entry) => !isCore(entry));
  const areHidden = entries.some(([path]) => path === namesPath);
  const naming = areHidden || target.election === null ? null : await makeNaming(options);
  const into: Storage = naming?.storage ?? target.storage;
  const coreEntries = naming === null ? core : [...core, naming.entry];
  await writeAll(into, others.map(changeOf));
  await writeAll(target.storage, coreEntries.map(changeOf));
  const count = (await compare(into, others)) + (await compare(target.storage, coreEntries));
  const found = (await target.storage.list('')).length;
  if (found !== count) {
    throw new SecretsError('storage-failed', `the target holds ${found} entries instead of ${count}`);
  }
  await target.storage.write([changeOf(last)]);
  return count + (await compare(target.storage, [last]));
}

function isCore([path]: StoredEntry): boolean {
  return path.startsWith('core/') && !path.startsWith(hiddenPrefix);
}

function changeOf([path, value]: StoredEntry): Change {
  return { path, value };
}

/** Creates the name encryption for a target that hides names. The values remain encrypted as they are. */
async function makeNaming({
  source,
  target,
  unsealKey,
  clock,
  randomBytes,
}: MigrateOptions): Promise<{ readonly storage: Storage; readonly entry: StoredEntry }> {
  if (unsealKey === null) {
    throw badRequest(
      'the names in the source are readable, and the target hides them: this takes the unseal key, --key-file FILE',
    );
  }
  const opened = await createSeal(source.storage, randomBytes, () => clock.now()).open(unsealKey);
  const nameKey = randomBytes(nameKeyLength);
  try {
    const value = encryptEntry(opened.keyring, namesPath, nameKey, randomBytes(nonceLength));
    return {
      storage: await hideNames(target.storage, deriveNameKeys(nameKey), randomBytes),
      entry: [namesPath, value],
    };
  } finally {
    nameKey.fill(0);
    opened.forget();
  }
}

/** Compares entries with those in a store; returns their number. @throws SecretsError `storage-failed` if one differs */
async function compare(storage: Storage, entries: readonly StoredEntry[]): Promise<number> {
  for (const [path, value] of entries) {
    const found = await storage.get(path);
    if (found !== null && Buffer.compare(found, value) === 0) continue;
    throw new SecretsError(
      'storage-failed',
      'an entry is not the same in the target: it was not initialized, move the store again',
      path,
    );
  }
  return entries.length;
}
