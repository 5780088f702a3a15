import { badRequest, SecretsError } from '../base/errors.js';
import { createMemoryStorage } from '../storage/memory.js';
import type { Storage } from '../storage/storage.js';
import {
  decryptEntry,
  encryptEntry,
  encryptStorage,
  hasKnownFormat,
  oneKey,
  TamperedEntryError,
} from './encrypted-storage.js';
import { deriveNameKeys, forgetNameKeys, hideNames, namesPath, type NameKeys } from './hidden-names.js';
import { keysPath, openKeyring, type Keyring } from './keyring.js';

/** A store whose seal is open. */
export interface OpenSeal {
  /** The decrypted store. */
  readonly storage: Storage;
  readonly keyring: Keyring;
  /** Key shared by all servers that can open the store; null for a store with readable names. */
  readonly peerKey: Buffer | null;
  /** Erases all keys from memory. Nothing works afterwards. */
  forget(): void;
  /**
   * Opens the store again in its current state, with the same root key.
   *
   * @param bound the storage for writes. Default: the store itself.
   * @throws TamperedEntryError if the root key has been replaced: then the new unseal key is needed
   */
  again(bound?: Storage): Promise<OpenSeal>;
  /** Whether a key is the unseal key, or the next one. */
  verifies(unsealKey: Buffer): Promise<boolean>;
  /** Whether there is an unconfirmed next unseal key. */
  hasNextKey(): Promise<boolean>;
  /**
   * Creates the next unseal key. Both open the store until an operator who has it confirms it, so that none is lost in transit.
   *
   * @throws SecretsError `bad-request` if there is one: another operator may have it already
   */
  makeNextKey(): Promise<Buffer>;
  /**
   * Ends the previous unseal key. The root key and the key of new entries are replaced as well.
   *
   * @throws SecretsError `bad-request` for a key that is not the next one
   */
  confirmNextKey(unsealKey: Buffer): Promise<void>;
  dropNextKey(): Promise<void>;
}

/** Paths of the root key, wrapped with the unseal key, and with the next one while there are two. */
const wrappedPath = 'core/keyring';
const nextWrappedPath = 'core/keyring-next';
const keyLength = 32;
const nonceLength = 12;

/**
 * Creates the seal of a store. @param hidesNames whether a new store hides the paths of its entries, because others can read the
 * store.
 */
export function createSeal(
  root: Storage,
  randomBytes: (length: number) => Buffer,
  now: () => number,
  hidesNames = false,
) {
  /** Cached: an initialized store stays initialized, also when it can no longer be read. */
  let isKnown = false;
  const isInitialized = async (): Promise<boolean> => (isKnown ||= (await root.get(wrappedPath)) !== null);
  let isBusy = false;

  const wrap = (unsealKey: Buffer, path: string, rootKey: Buffer): { path: string; value: Buffer } => ({
    path,
    value: encryptEntry(oneKey(unsealKey), path, rootKey, randomBytes(nonceLength)),
  });

  /** Returns the root key; null if it was wrapped with another key. */
  async function unwrap(unsealKey: Buffer, path: string): Promise<Buffer | null> {
    const wrapped = await root.get(path);
    if (wrapped === null) return null;
    try {
      return decryptEntry(oneKey(unsealKey), path, wrapped);
    } catch (error) {
      if (error instanceof TamperedEntryError) return null;
      throw error;
    }
  }

  /** @throws SecretsError `conflict` */
  async function refuseLaterVersion(): Promise<void> {
    for (const path of [wrappedPath, nextWrappedPath, keysPath, namesPath]) {
      const entry = await root.get(path);
      if (entry === null || hasKnownFormat(entry)) continue;
      throw new SecretsError(
        'conflict',
        `the store was written by another version of this server (${path} has the format ${entry[0]}): start that version, or restore a backup that this one has made`,
      );
    }
  }

  const unwrapEither = async (unsealKey: Buffer): Promise<Buffer | null> =>
    (await unwrap(unsealKey, wrappedPath)) ?? (await unwrap(unsealKey, nextWrappedPath));

  /** Creates the store in one write: a store with a key but without its first entries could never be used. */
  async function makeStore(fill: (storage: Storage) => Promise<void>): Promise<Buffer> {
    const [unsealKey, rootKey] = [randomBytes(keyLength), randomBytes(keyLength)];
    const draft = createMemoryStorage();
    const nameKey = hidesNames ? randomBytes(keyLength) : null;
    let below: Storage = draft;
    let nameKeys: NameKeys | null = null;
    if (nameKey !== null) {
      const value = encryptEntry(oneKey(rootKey), namesPath, nameKey, randomBytes(nonceLength));
      await draft.write([{ path: namesPath, value }]);
      nameKeys = deriveNameKeys(nameKey);
      below = await hideNames(draft, nameKeys, randomBytes);
    }
    await fill(encryptStorage(below, oneKey(rootKey), randomBytes));
    if (nameKeys !== null) forgetNameKeys(nameKeys);
    const entries = await Promise.all(
      (await draft.list('')).map(async (path) => ({ path, value: await draft.get(path) })),
    );
    const wrapped = wrap(unsealKey, wrappedPath, rootKey);
    rootKey.fill(0);
    await root.write([...entries, wrapped]);
    return unsealKey;
  }

  async function readNameKeys(storage: Storage, keyring: Keyring): Promise<NameKeys | null> {
    const stored = await storage.get(namesPath);
    if (stored !== null) return deriveNameKeys(decryptEntry(keyring, namesPath, stored));
    if (!hidesNames) return null;
    throw new SecretsError(
      'conflict',
      'the names in this store are readable: fill it with secrets operator migrate',
    );
  }

  async function openWith(rootKey: Buffer, storage: Storage): Promise<OpenSeal> {
    const keyring = await openKeyring({ storage, rootKey, randomBytes, now });
    const nameKeys = await readNameKeys(storage, keyring);
    const below = nameKeys === null ? storage : await hideNames(storage, nameKeys, randomBytes);
    const hasNextKey = async (): Promise<boolean> => (await storage.get(nextWrappedPath)) !== null;
    return {
      storage: encryptStorage(below, keyring, randomBytes),
      keyring,
      peerKey: nameKeys?.peer ?? null,
      forget() {
        keyring.forget();
        if (nameKeys !== null) forgetNameKeys(nameKeys);
      },
      again: (bound = storage) => keyring.withRoot((key) => openWith(Buffer.from(key), bound)),
      async verifies(key) {
        const found = await unwrapEither(key);
        found?.fill(0);
        return found !== null;
      },
      hasNextKey,
      makeNextKey: () =>
        keyring.withRoot(async (key) => {
          if (await hasNextKey()) throw rekeyUnderWay();
          const next = randomBytes(keyLength);
          await storage.write([wrap(next, nextWrappedPath, key)]);
          return next;
        }),
      async confirmNextKey(key) {
        const found = await unwrap(key, nextWrappedPath);
        if (found === null) throw badRequest('key is not the next unseal key');
        found.fill(0);
        await keyring.replaceRoot((fresh) => [
          wrap(key, wrappedPath, fresh),
          { path: nextWrappedPath, value: null },
        ]);
      },
      dropNextKey: () => storage.write([{ path: nextWrappedPath, value: null }]),
    };
  }

  return {
    isInitialized,
    /**
     * Creates the root key and wraps it with a new unseal key, which is returned but not stored. The writes of `fill` are part of
     * the same write.
     *
     * @throws SecretsError `bad-request` if the store is already initialized
     */
    async initialize(fill: (storage: Storage) => Promise<void>): Promise<Buffer> {
      if (isBusy) throw alreadyInitialized();
      isBusy = true;
      try {
        if (await isInitialized()) throw alreadyInitialized();
        const unsealKey = await makeStore(fill);
        isKnown = true;
        return unsealKey;
      } finally {
        isBusy = false;
      }
    },
    /**
     * Opens the store with the unseal key.
     *
     * @throws SecretsError `bad-request` for a wrong key
     */
    async open(unsealKey: Buffer): Promise<OpenSeal> {
      if (!(await isInitialized())) throw badRequest('the server is not initialized');
      await refuseLaterVersion();
      const rootKey = await unwrapEither(unsealKey);
      if (rootKey === null) throw badRequest('the unseal key is wrong');
      return openWith(rootKey, root);
    },
  };
}

/** Returns the error for a second rekey: an operator may already have the next key, which a new one would end. */
export function rekeyUnderWay(): SecretsError {
  return badRequest(
    'rekey already in progress: a next unseal key waits to be confirmed. Confirm it (sys/rekey/verify, secrets rekey --confirm), or cancel it (DELETE sys/rekey/init, secrets rekey --cancel)',
  );
}

function alreadyInitialized(): SecretsError {
  return badRequest('the server is initialized already');
}

/** Reads an unseal key as hex digits or base64, the two forms in which it is printed; null for anything else. */
export function readUnsealKey(text: string): Buffer | null {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(/^[A-Za-z0-9+/]{43}=$/.test(trimmed) ? trimmed : '', 'base64');
  return key.length === keyLength ? key : null;
}
