import { createLocks } from '../base/locks.js';
import type { Change, Storage } from '../storage/storage.js';
import { decryptEntry, encryptEntry, oneKey, type Keys } from './encrypted-storage.js';

/** The keys of an open store. The root key encrypts nothing but the others, once there are others. */
export interface Keyring extends Keys {
  /** The number of the key that entries are written with, and since when. */
  status(): { readonly term: number; readonly installedAt: number | null };
  /** Makes another key for what is written from now on. What was written before stays under the key before. */
  rotate(): Promise<void>;
  /** Runs something with the root key, which is not replaced meanwhile. */
  withRoot<T>(use: (rootKey: Buffer) => Promise<T>): Promise<T>;
  /** Replaces the root key, and rotates. What `more` gives is written in the same step. */
  replaceRoot(more: (rootKey: Buffer) => readonly Change[]): Promise<void>;
  /** Erases all keys. */
  forget(): void;
}

interface DataKey {
  readonly term: number;
  readonly key: Buffer;
  /** Milliseconds since 1970; null for the first one, which no time was kept of. */
  readonly installedAt: number | null;
}

export interface KeyringOptions {
  readonly storage: Storage;
  readonly rootKey: Buffer;
  readonly randomBytes: (length: number) => Buffer;
  readonly now: () => number;
}

/** The keys of entries, encrypted with the root key. Not there until the first rotation: the root key is the first one. */
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

  /** One write: the store has the new key, or nothing has changed. */
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

/** As {@link printKeys} has written them. */
function parseKeys(plain: Buffer): readonly DataKey[] {
  const parsed = JSON.parse(plain.toString('utf8')) as readonly (Omit<DataKey, 'key'> & { key: string })[];
  plain.fill(0);
  return parsed.map(({ key, ...each }) => ({ ...each, key: Buffer.from(key, 'base64') }));
}
