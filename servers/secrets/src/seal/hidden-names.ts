import { createHmac } from 'node:crypto';
import type { Storage } from '../storage/storage.js';
import { decryptEntry, encryptEntry, oneKey } from './encrypted-storage.js';
import { createSortedNames } from './sorted-names.js';

/** Path of the encrypted key of the names. A store with this entry hides all paths except those below `core/`. */
export const namesPath = 'core/names';
/** Prefix of hidden paths. */
export const hiddenPrefix = 'x/';
const nonceLength = 12;
/** Length of the keyed hash of a path, in bytes. */
const hashLength = 24;
/** Length of the field with the length of the encrypted path, in bytes. */
const lengthLength = 2;

/** The keys of a store that hides its names. Their holder erases them. */
export interface NameKeys {
  /** Key of the hashes of paths. */
  readonly path: Buffer;
  /** Key of the encrypted paths. */
  readonly name: Buffer;
  /** Key of the proofs of requests to other servers. */
  readonly peer: Buffer;
}

/** Derives the keys of a store from the key of its names, which is erased. */
export function deriveNameKeys(nameKey: Buffer): NameKeys {
  const derive = (purpose: string): Buffer => createHmac('sha256', nameKey).update(purpose).digest();
  const keys = { path: derive('path'), name: derive('name'), peer: derive('peer') };
  nameKey.fill(0);
  return keys;
}

export function forgetNameKeys({ path, name, peer }: NameKeys): void {
  for (const key of [path, name, peer]) key.fill(0);
}

/**
 * Returns a store that hides its paths from `storage`. An entry is stored under a keyed hash of its path; its value begins with
 * the encrypted path. The paths are read once and cached in memory.
 *
 * @throws TamperedEntryError
 */
export async function hideNames(
  storage: Storage,
  nameKeys: NameKeys,
  randomBytes: (length: number) => Buffer,
): Promise<Storage> {
  const keys = oneKey(nameKeys.name);
  const hidden = (path: string): string =>
    hiddenPrefix +
    createHmac('sha256', nameKeys.path).update(path).digest().toString('base64url', 0, hashLength);

  function join(path: string, value: Uint8Array): Buffer {
    const name = encryptEntry(keys, hidden(path), Buffer.from(path), randomBytes(nonceLength));
    const length = Buffer.alloc(lengthLength);
    length.writeUInt16BE(name.length);
    return Buffer.concat([length, name, value]);
  }

  const found: string[] = [];
  for (const place of await storage.list(hiddenPrefix)) {
    const row = await storage.get(place);
    if (row === null) continue;
    const { name } = split(row);
    found.push(decryptEntry(keys, place, name).toString());
  }
  const names = createSortedNames(found);

  return {
    async get(path) {
      const row = await storage.get(hidden(path));
      return row === null ? null : split(row).value;
    },
    list: async (prefix) => names.startingWith(prefix),
    async write(changes) {
      await storage.write(
        changes.map(({ path, value }) => ({
          path: hidden(path),
          value: value === null ? null : join(path, value),
        })),
      );
      for (const { path, value } of changes) {
        if (value === null) names.remove(path);
        else names.add(path);
      }
    },
    space: () => storage.space(),
    close: () => storage.close(),
  };
}

function split(row: Uint8Array): { readonly name: Buffer; readonly value: Buffer } {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  const end = lengthLength + (bytes.length < lengthLength ? 0 : bytes.readUInt16BE());
  return { name: bytes.subarray(lengthLength, end), value: bytes.subarray(end) };
}
