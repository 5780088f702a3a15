import { createLocks } from '../base/locks.js';
import type { Change, Storage } from '../storage/storage.js';
import { decryptEntry, encryptEntry, oneKey, type Keys } from './encrypted-storage.js';

/** The keys of an open store. After the first rotation, the root key encrypts only the other keys. */
export interface Keyring extends Keys {
  /** Returns the number of the key that encrypts new entries, and when it was created. */
  status(): { readonly term: number; readonly installedAt: number | null };
  /** Creates a new key for all later writes. Existing entries keep their keys. */
  rotate(): Promise<void>;
  /** Calls a function with the root key, which is not replaced during the call. */
  withRoot<T>(use: (rootKey: Buffer) => Promise<T>): Promise<T>;
  /** Replaces the root key, and rotates. The changes returned by `more` are part of the same write. */
  replaceRoot(more: (rootKey: Buffer) => readonly Change[]): Promise<void>;
  /** Erases all keys. */
  forget(): void;
}

interface DataKey {
  readonly term: number;
  readonly key: Buffer;
  /** Time of its creation, in ms since 1970; null for the first key. */
  readonly installedAt: number | null;
}

export interface KeyringOptions {
  readonly storage: Storage;
  readonly rootKey: Buffer;
  readonly randomBytes: (length: number) => Buffer;
  readonly now: () => number;
}

/**
 * Path of the keys of entries, encrypted with the root key. Missing before the first rotation: then the root key is the only key.
 */
export const keysPath = 'core/data-keys';
const keyLength = 32;
const nonceLength = 12;

export async function openKeyring({ storage, randomBytes, now, ...given }: KeyringOptions): Promise<Keyring> {
  let { rootKey } = given;
  const stored = await storage.get(keysPath);
  let keys: readonly DataKey[] =
    stored === null
      ? [{ term: 1, key: Buffer.from(rootKey), installedAt: null }]
      : parseKeys(decryptEntry(oneKey(rootKey), keysPath, stored));
  const lock = createLocks();
  const newest = (): DataKey => keys[keys.length - 1] as DataKey;

  /** Adds a key in one write: the store has the new key, or nothing has changed. */
  async function add(root: Buffer, more: readonly Change[]): Promise<void> {
    const added = { term: newest().term + 1, key: randomBytes(keyLength), installedAt: now() };
    const grown = [...keys, added];
    const plain = printKeys(grown);
    const value = encryptEntry(oneKey(root), keysPath, plain, randomBytes(nonceLength));
    plain.fill(0);
    await storage.write([{ path: keysPath, value }, ...more]);
    keys = grown;
  }

  return {
    newest,
    of: (term) => keys.find((each) => each.term === term)?.key ?? null,
    status: () => newest(),
    rotate: () => lock('root', () => add(rootKey, [])),
    withRoot: (use) => lock('root', () => use(rootKey)),
    replaceRoot: (more) =>
      lock('root', async () => {
        const fresh = randomBytes(keyLength);
        await add(fresh, more(fresh));
        rootKey.fill(0);
        rootKey = fresh;
      }),
    forget() {
      rootKey.fill(0);
      for (const { key } of keys) key.fill(0);
    },
  };
}

function printKeys(keys: readonly DataKey[]): Buffer {
  return Buffer.from(
    JSON.stringify(keys.map(({ key, ...each }) => ({ ...each, key: key.toString('base64') }))),
  );
}

/** Parses the result of {@link printKeys}. */
function parseKeys(plain: Buffer): readonly DataKey[] {
  const parsed = JSON.parse(plain.toString('utf8')) as readonly (Omit<DataKey, 'key'> & { key: string })[];
  plain.fill(0);
  return parsed.map(({ key, ...each }) => ({ ...each, key: Buffer.from(key, 'base64') }));
}
