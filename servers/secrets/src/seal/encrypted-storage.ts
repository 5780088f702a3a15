import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Storage } from '../storage/storage.js';

/** First byte of an entry: its key is the first one, or is named in the entry. */
const ofFirstKey = 1;
const ofNamedKey = 2;
const nonceLength = 12;
const tagLength = 16;

/** Error for an entry that was encrypted with another key, or was moved or changed. */
export class TamperedEntryError extends Error {
  override readonly name = 'TamperedEntryError';
}

/** A key with its number: 1 for the first one, which entries do not name. */
export interface NumberedKey {
  readonly term: number;
  readonly key: Buffer;
}

/** The keys that decrypt entries, and the newest one, which encrypts new entries. */
export interface Keys {
  newest(): NumberedKey;
  /** Returns a key by its number; null if none exists. */
  of(term: number): Buffer | null;
}

/** Returns the keys of entries that are all encrypted with one key. */
export function oneKey(key: Buffer): Keys {
  return { newest: () => ({ term: 1, key }), of: (term) => (term === 1 ? key : null) };
}

/**
 * Encrypts `plain` with AES-256-GCM: one byte of format version, the number of the key unless it is the first, the nonce, the
 * ciphertext, the tag. Version, number and path are authenticated too, so that an entry cannot be moved to another path.
 */
export function encryptEntry(keys: Keys, path: string, plain: Uint8Array, nonce: Buffer): Buffer {
  const { term, key } = keys.newest();
  const head = headOf(term);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.concat([head, Buffer.from(path)]));
  return Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Whether this version can read the format of an entry. A later version may write another format. */
export function hasKnownFormat([format]: Uint8Array): boolean {
  return format === ofFirstKey || format === ofNamedKey;
}

/** @throws TamperedEntryError */
export function decryptEntry(keys: Keys, path: string, bytes: Uint8Array): Buffer {
  const entry = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNamed = entry[0] === ofNamedKey;
  const headLength = isNamed ? 5 : 1;
  if (entry.length < headLength + nonceLength + tagLength)
    throw new TamperedEntryError(`Entry ${path} is too short`);
  if (!hasKnownFormat(entry)) throw new TamperedEntryError(`Entry ${path} has a format of another version`);
  const key = keys.of(isNamed ? entry.readUInt32BE(1) : 1);
  if (key === null) throw new TamperedEntryError(`Entry ${path} names a key that is not there`);
  const [head, nonce, text] = [
    entry.subarray(0, headLength),
    entry.subarray(headLength, headLength + nonceLength),
    entry.subarray(headLength + nonceLength, -tagLength),
  ];
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  decipher.setAAD(Buffer.concat([head, Buffer.from(path)]));
  decipher.setAuthTag(entry.subarray(-tagLength));
  try {
    // Not joined with the end, which is empty: a key in an entry would leave a copy that cannot be erased.
    const plain = decipher.update(text);
    decipher.final();
    return plain;
  } catch {
    throw new TamperedEntryError(`Entry ${path} cannot be decrypted: another key, or it has been changed`);
  }
}

function headOf(term: number): Buffer {
  if (term === 1) return Buffer.of(ofFirstKey);
  const head = Buffer.alloc(5, ofNamedKey);
  head.writeUInt32BE(term, 1);
  return head;
}

/**
 * Returns a store that encrypts values before they reach `storage`. Paths stay readable, so they must not contain secrets. Random
 * nonces limit a key to about 4 billion writes.
 */
export function encryptStorage(
  storage: Storage,
  keys: Keys,
  randomBytes: (length: number) => Buffer,
): Storage {
  return {
    async get(path) {
      const bytes = await storage.get(path);
      return bytes === null ? null : decryptEntry(keys, path, bytes);
    },
    list: (prefix) => storage.list(prefix),
    write(changes) {
      return storage.write(
        changes.map(({ path, value }) => ({
          path,
          value: value === null ? null : encryptEntry(keys, path, value, randomBytes(nonceLength)),
        })),
      );
    },
    space: () => storage.space(),
    close: () => storage.close(),
  };
}
