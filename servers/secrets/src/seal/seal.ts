import { SecretsError } from '../errors.js';
import { createMemoryStorage } from '../storage/memory.js';
import type { Storage } from '../storage/storage.js';
import { decryptEntry, encryptEntry, encryptStorage, TamperedEntryError } from './encrypted-storage.js';

/** Guards the store: nothing in it can be read before the unseal key has been given. */
export interface Seal {
  isInitialized(): Promise<boolean>;
  /**
   * Makes the data key and wraps it with a new unseal key, which is returned and kept nowhere. What `fill` writes
   * becomes part of the store in the same step, or nothing does.
   *
   * @throws SecretsError `bad-request` when it has been done before
   */
  initialize(fill: (storage: Storage) => Promise<void>): Promise<Buffer>;
  /**
   * The store, readable, for the holder of the unseal key.
   *
   * @throws SecretsError `bad-request` for a wrong key
   */
  open(unsealKey: Buffer): Promise<Storage>;
}

const keyringPath = 'core/keyring';
const unsealKeyLength = 32;
const nonceLength = 12;

export function createSeal(storage: Storage, randomBytes: (length: number) => Buffer): Seal {
  /** What is initialized stays so: then this can be told of a store that is lost, too. */
  let isKnown = false;
  const isInitialized = async (): Promise<boolean> => (isKnown ||= (await storage.get(keyringPath)) !== null);
  let isBusy = false;
  return {
    isInitialized,
    async initialize(fill) {
      if (isBusy) throw alreadyInitialized();
      isBusy = true;
      try {
        if (await isInitialized()) throw alreadyInitialized();
        const unsealKey = await makeStore(storage, randomBytes, fill);
        isKnown = true;
        return unsealKey;
      } finally {
        isBusy = false;
      }
    },
    async open(unsealKey) {
      const wrapped = await storage.get(keyringPath);
      if (wrapped === null) throw new SecretsError('bad-request', 'the server is not initialized');
      try {
        return encryptStorage(storage, decryptEntry(unsealKey, keyringPath, wrapped), randomBytes);
      } catch (error) {
        if (error instanceof TamperedEntryError)
          throw new SecretsError('bad-request', 'the unseal key is wrong');
        throw error;
      }
    },
  };
}

/** Everything in one write: a store with a key but without its first entries could never be used. */
async function makeStore(
  storage: Storage,
  randomBytes: (length: number) => Buffer,
  fill: (storage: Storage) => Promise<void>,
): Promise<Buffer> {
  const unsealKey = randomBytes(unsealKeyLength);
  const dataKey = randomBytes(unsealKeyLength);
  const draft = createMemoryStorage();
  await fill(encryptStorage(draft, dataKey, randomBytes));
  const entries = await Promise.all(
    (await draft.list('')).map(async (path) => ({ path, value: await draft.get(path) })),
  );
  const wrapped = encryptEntry(unsealKey, keyringPath, dataKey, randomBytes(nonceLength));
  dataKey.fill(0);
  await storage.write([...entries, { path: keyringPath, value: wrapped }]);
  return unsealKey;
}

function alreadyInitialized(): SecretsError {
  return new SecretsError('bad-request', 'the server is initialized already');
}

/** Reads an unseal key as hex digits or base64, the two forms in which it is printed; null for anything else. */
export function readUnsealKey(text: string): Buffer | null {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(/^[A-Za-z0-9+/]{43}=$/.test(trimmed) ? trimmed : '', 'base64');
  return key.length === unsealKeyLength ? key : null;
}
