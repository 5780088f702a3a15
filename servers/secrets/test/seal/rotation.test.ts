import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeal, type OpenSeal } from '../../src/seal/seal.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { RootStorage } from '../../src/storage/storage.js';

/** A store of which a process may be killed at any write: that one may be there or not, the next never comes. */
function killable(): { storage: RootStorage; killAt(write: 'before' | 'after' | null): void } {
  const memory = createMemoryStorage();
  let kill: 'before' | 'after' | null = null;
  const storage: RootStorage = {
    ...memory,
    async write(changes) {
      if (kill === 'before') throw new Error('killed');
      await memory.write(changes);
      if (kill === 'after') throw new Error('killed');
    },
  };
  return { storage, killAt: (when) => (kill = when) };
}

const open = (storage: RootStorage, key: Buffer): Promise<OpenSeal> =>
  createSeal(storage, randomBytes, () => 0).open(Buffer.from(key));

const text = async ({ storage }: OpenSeal, path: string): Promise<string | null> => {
  const value = await storage.get(path);
  return value === null ? null : Buffer.from(value).toString();
};

const actions = ['write', 'rotate', 'next', 'confirm', 'drop', 'reopen'] as const;
const steps = fc.array(
  fc.record({
    action: fc.constantFrom(...actions),
    path: fc.constantFrom('a', 'b/c', 'auth/x'),
    kill: fc.constantFrom(null, null, 'before' as const, 'after' as const),
  }),
  { maxLength: 25 },
);

describe('the keys of a store', () => {
  it('are replaced again and again, with kills between, and nothing is lost that a holder of a key had', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { storage, killAt } = killable();
        /** Keys that an operator has received and that must open; the first is the confirmed one. */
        let owner = await createSeal(storage, randomBytes, () => 0).initialize(async () => undefined);
        let next: Buffer | null = null;
        let seal = await open(storage, owner);
        const written = new Map<string, string>();
        for (const [at, { action, path, kill }] of all.entries()) {
          killAt(kill);
          const value = `value ${at}`;
          let isDone = true;
          try {
            if (action === 'write') await seal.storage.write([{ path, value: Buffer.from(value) }]);
            if (action === 'rotate') await seal.keyring.rotate();
            if (action === 'next' && next === null) next = await seal.makeNextKey();
            if (action === 'drop') await seal.dropNextKey();
            if (action === 'confirm' && next !== null) await seal.confirmNextKey(Buffer.from(next));
          } catch {
            isDone = false;
          }
          killAt(null);
          if (action === 'confirm' && next !== null && isDone) [owner, next] = [next, null];
          if (action === 'drop' && isDone) next = null;
          if (isDone && action === 'write') written.set(path, value);
          if (isDone && action !== 'reopen') continue;
          // After a kill the outcome is unknown: an operator with either key gets in, and finds out.
          const isNext = next !== null && (await open(storage, next).catch(() => null)) !== null;
          const isOld = (await open(storage, owner).catch(() => null)) !== null;
          expect(isNext || isOld).toBe(true);
          if (!isOld && next !== null) [owner, next] = [next, null];
          if (!isNext) next = null;
          seal = await open(storage, owner);
          if (!isDone && action === 'write') written.set(path, (await text(seal, path)) ?? '');
        }
        for (const [path, value] of written) expect((await text(seal, path)) ?? '').toBe(value);
      }),
    );
  });

  it('are one more for what is written after a rotation', async () => {
    const storage = createMemoryStorage();
    const key = await createSeal(storage, randomBytes, () => 0).initialize(async () => undefined);
    const seal = await open(storage, key);
    await seal.storage.write([{ path: 'old', value: Buffer.from('1') }]);
    expect(seal.keyring.status()).toMatchObject({ term: 1, installedAt: null });
    await seal.keyring.rotate();
    await seal.storage.write([{ path: 'new', value: Buffer.from('2') }]);
    expect(seal.keyring.status()).toMatchObject({ term: 2, installedAt: 0 });
    const heads = await Promise.all(['old', 'new'].map(async (path) => (await storage.get(path))?.[0]));
    expect(heads).toEqual([1, 2]);
    const [oldEntry, newEntry] = await Promise.all(['old', 'new'].map((path) => storage.get(path)));
    // No entry is taken for one of another key, nor for one at another path.
    await storage.write([
      { path: 'moved', value: newEntry ?? null },
      { path: 'mixed', value: Buffer.concat([Buffer.from(newEntry!.subarray(0, 5)), oldEntry!.subarray(1)]) },
    ]);
    for (const path of ['moved', 'mixed'])
      await expect(seal.storage.get(path)).rejects.toThrow('cannot be decrypted');
  });

  it('end with the unseal key before: it opens nothing once the next one is confirmed', async () => {
    const storage = createMemoryStorage();
    const key = await createSeal(storage, randomBytes, () => 0).initialize(async () => undefined);
    const seal = await open(storage, key);
    const dropped = await seal.makeNextKey();
    await seal.dropNextKey();
    // Of two at once, one gets a key, and no later one ends it.
    const [made, refused] = await Promise.allSettled([seal.makeNextKey(), seal.makeNextKey()]);
    if (made.status === 'rejected') throw made.reason;
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'bad-request' } });
    const next = made.value;
    for (const each of [key, next]) expect(await seal.verifies(each)).toBe(true);
    for (const wrong of [key, dropped, randomBytes(32)]) {
      await expect(seal.confirmNextKey(wrong)).rejects.toThrow('key is not the next unseal key');
    }
    await seal.confirmNextKey(next);
    expect(await seal.hasNextKey()).toBe(false);
    for (const each of [key, dropped])
      await expect(open(storage, each)).rejects.toThrow('the unseal key is wrong');
    expect((await open(storage, next)).keyring.status().term).toBe(2);
  });

  it('are erased when the seal is closed', async () => {
    const storage = createMemoryStorage();
    const key = await createSeal(storage, randomBytes, () => 0).initialize(async () => undefined);
    const seal = await open(storage, key);
    await seal.keyring.rotate();
    const [first, second] = [seal.keyring.of(1)!, seal.keyring.of(2)!];
    seal.keyring.forget();
    for (const each of [first, second]) expect(each.every((byte) => byte === 0)).toBe(true);
  });
});
