import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { migrateStore } from '../src/program/migrate.js';
import { createSeal } from '../src/seal/seal.js';
import type { OpenStore } from '../src/storage/driver.js';
import { createMemoryStorage } from '../src/storage/memory.js';
import { createFakeClock } from './support/fake-clock.js';
import { createModelled, openModelled } from './support/modelled-store.js';

const clock = createFakeClock();
const text = (value: Uint8Array | null): string | null =>
  value === null ? null : Buffer.from(value).toString();

async function initialized(): Promise<{ store: OpenStore; key: Buffer }> {
  const store = { storage: createMemoryStorage(), election: null };
  const seal = createSeal(store.storage, randomBytes, () => 0);
  const key = await seal.initialize((draft) =>
    draft.write(
      Array.from({ length: 250 }, (_, at) => ({
        path: `auth/cloud/role/r${at}`,
        value: Buffer.from(`${at}`),
      })),
    ),
  );
  const opened = await seal.open(Buffer.from(key));
  await opened.keyring.rotate();
  await opened.storage.write([{ path: 'sys/policy/late', value: Buffer.from('late') }]);
  return { store, key };
}

const move = (source: OpenStore, target: OpenStore, unsealKey: Buffer | null): Promise<number> =>
  migrateStore({ source, target, unsealKey: unsealKey && Buffer.from(unsealKey), clock, randomBytes });

describe('moving a store', () => {
  it('hides the names on the way to etcd, leaves the values sealed, and comes back the same', async () => {
    const { store: directory, key } = await initialized();
    const etcd = await openModelled(createModelled());
    expect(await move(directory, etcd, key)).toBe(254);
    const paths = await etcd.storage.list('');
    expect(paths.filter((path) => !/^(?:core|x)\//.test(path))).toEqual([]);
    const moved = await createSeal(etcd.storage, randomBytes, () => 0, true).open(Buffer.from(key));
    expect(text(await moved.storage.get('auth/cloud/role/r249'))).toBe('249');
    expect(text(await moved.storage.get('sys/policy/late'))).toBe('late');
    const back: OpenStore = { storage: createMemoryStorage(), election: null };
    expect(await move(etcd, back, null)).toBe(254);
    const again = await createSeal(back.storage, randomBytes, () => 0).open(Buffer.from(key));
    expect(await again.storage.list('auth/')).toHaveLength(250);
    expect(text(await again.storage.get('auth/cloud/role/r7'))).toBe('7');
    const other = await openModelled(createModelled());
    expect(await move(back, other, null)).toBe(254);
    for (const { storage } of [etcd, other]) void storage.close();
  });

  it.each([
    ['a wrong key', async () => randomBytes(32), 'the unseal key is wrong'],
    ['no key', async () => null, 'takes the unseal key'],
  ])('refuses %s, and changes nothing', async (_, keyOf, problem) => {
    const { store } = await initialized();
    const etcd = await openModelled(createModelled());
    await expect(move(store, etcd, await keyOf())).rejects.toThrow(problem);
    expect(await etcd.storage.list('')).toEqual([]);
    void etcd.storage.close();
  });

  it('refuses a target that is in use, and a source that is empty', async () => {
    const { store, key } = await initialized();
    const { store: other } = await initialized();
    await expect(move(store, other, key)).rejects.toThrow('the target is initialized');
    const empty: OpenStore = { storage: createMemoryStorage(), election: null };
    await expect(move(empty, { ...empty, storage: createMemoryStorage() }, key)).rejects.toThrow(
      'the source is not initialized',
    );
  });

  it('does not call a target initialized that holds something else', async () => {
    const { store } = await initialized();
    const storage = createMemoryStorage();
    const forgetful = {
      ...storage,
      get: async (path: string) => (path.endsWith('r7') ? null : storage.get(path)),
    };
    await expect(move(store, { storage: forgetful, election: null }, null)).rejects.toThrow('not the same');
    expect(await storage.get('core/keyring')).toBeNull();
  });
});
