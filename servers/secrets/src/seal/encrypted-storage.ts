import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Storage } from '../storage/storage.js';

const version = 1;
const nonceLength = 12;
const tagLength = 16;

/** An entry that this key has not written, or that has been moved or changed since. */
export class TamperedEntryError extends Error {
  override readonly name = 'TamperedEntryError';
}

/**
 * Encrypts `plain` with AES-256-GCM: one byte of format version, the nonce, the text, the tag. The path is
 * authenticated with it, so that an entry cannot be moved to another path.
 */
export function encryptEntry(key: Buffer, path: string, plain: Uint8Array, nonce: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(version), nonce]);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(associatedData(path));
  return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws TamperedEntryError */
export function decryptEntry(key: Buffer, path: string, bytes: Uint8Array): Buffer {
  const entry = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.length < 1 + nonceLength + tagLength) throw new TamperedEntryError(`Entry ${path} is too short`);
  if (entry[0] !== version) throw new TamperedEntryError(`Entry ${path} has a format of another version`);
  const nonce = entry.subarray(1, 1 + nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  decipher.setAAD(associatedData(path));
  decipher.setAuthTag(entry.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(entry.subarray(1 + nonceLength, -tagLength)), decipher.final()]);
  } catch {
    throw new TamperedEntryError(`Entry ${path} cannot be decrypted: another key, or it has been changed`);
  }
}

function associatedData(path: string): Buffer {
  return Buffer.concat([Buffer.of(version), Buffer.from(path)]);
}

/**
 * A store whose values are encrypted before they reach `storage`. Paths stay readable: nothing secret may be part of
 * one. Random nonces bound a key to about four thousand million writes.
 */
export function encryptStorage(
  storage: Storage,
  key: Buffer,
  randomBytes: (length: number) => Buffer,
): Storage {
  return {
    async get(path) {
      const bytes = await storage.get(path);
      return bytes === null ? null : decryptEntry(key, path, bytes);
    },
    list: (prefix) => storage.list(prefix),
    write(changes) {
      return storage.write(
        changes.map(({ path, value }) => ({
          path,
          value: value === null ? null : encryptEntry(key, path, value, randomBytes(nonceLength)),
        })),
      );
    },
    space: () => storage.space(),
    close: () => storage.close(),
  };
}
