import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decryptEntry, encryptEntry, oneKey, TamperedEntryError } from '../../src/seal/encrypted-storage.js';
import { createSeal, readUnsealKey } from '../../src/seal/seal.js';
import { createMemoryStorage } from '../../src/storage/memory.js';

const key = randomBytes(32);
const keys = oneKey(key);
const nonce = (): Buffer => randomBytes(12);

describe('an encrypted entry', () => {
  it('is read by its key at its path alone', () => {
    const entry = encryptEntry(keys, 'a', Buffer.from('secret'), nonce());
    expect(decryptEntry(keys, 'a', entry).toString()).toBe('secret');
    expect(() => decryptEntry(keys, 'b', entry)).toThrow(TamperedEntryError);
    expect(() => decryptEntry(oneKey(randomBytes(32)), 'a', entry)).toThrow(TamperedEntryError);
  });

  it('is refused with any bit changed, cut or longer', () => {
    const entry = encryptEntry(keys, 'a', Buffer.from('secret'), nonce());
    for (let bit = 0; bit < entry.length * 8; bit += 1) {
      const changed = Buffer.from(entry);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => decryptEntry(keys, 'a', changed)).toThrow(TamperedEntryError);
    }
    for (let length = 0; length < entry.length; length += 1) {
      expect(() => decryptEntry(keys, 'a', entry.subarray(0, length))).toThrow(TamperedEntryError);
    }
    expect(() => decryptEntry(keys, 'a', Buffer.concat([entry, Buffer.of(0)]))).toThrow(TamperedEntryError);
  });
});

describe('the seal', () => {
  it('opens with the key that it gave out, and no other', async () => {
    const storage = createMemoryStorage();
    const seal = createSeal(storage, randomBytes, () => 0);
    expect(await seal.isInitialized()).toBe(false);
    await expect(seal.open(key)).rejects.toThrow('not initialized');
    const unsealKey = await seal.initialize((draft) =>
      draft.write([{ path: 'a', value: Buffer.from('first') }]),
    );
    await expect(seal.initialize(async () => undefined)).rejects.toThrow('already');
    await expect(seal.open(key)).rejects.toThrow('unseal key is wrong');
    const { storage: opened } = await createSeal(storage, randomBytes, () => 0).open(unsealKey);
    expect(Buffer.from((await opened.get('a'))!).toString()).toBe('first');
    expect(Buffer.from((await storage.get('a'))!).includes('first')).toBe(false);
  });

  it('is made once by two who try at the same time, and not at all when its first entries fail', async () => {
    const seal = createSeal(createMemoryStorage(), randomBytes, () => 0);
    await expect(seal.initialize(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await seal.isInitialized()).toBe(false);
    const results = await Promise.allSettled([1, 2, 3].map(() => seal.initialize(async () => undefined)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('reads its key in both forms in which it is printed', () => {
    expect(readUnsealKey(`${key.toString('hex')}\n`)).toEqual(key);
    expect(readUnsealKey(key.toString('base64'))).toEqual(key);
    for (const text of ['', 'x', key.toString('hex').slice(1), key.toString('base64').slice(0, -1)]) {
      expect(readUnsealKey(text)).toBeNull();
    }
  });
});
