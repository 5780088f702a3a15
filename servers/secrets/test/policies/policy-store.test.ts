import { expect, it } from 'vitest';
import { createPolicyStore } from '../../src/policies/policy-store.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { Storage } from '../../src/storage/storage.js';

const allow = (capability: string): string => `path "a" { capabilities = ["${capability}"] }`;

/** A store whose next read waits, with what it has found, until the test lets it go on. */
function slowStorage(): {
  readonly storage: Storage;
  blockNextRead(): { readonly found: Promise<void>; goOn(): void };
} {
  const storage = createMemoryStorage();
  let block: ((value: Uint8Array | null) => Promise<Uint8Array | null>) | null = null;
  return {
    storage: {
      ...storage,
      async get(path) {
        const value = await storage.get(path);
        const waiting = block;
        block = null;
        return waiting === null ? value : waiting(value);
      },
    },
    blockNextRead() {
      let goOn = (): void => undefined;
      let isFound = (): void => undefined;
      const released = new Promise<void>((resolve) => (goOn = resolve));
      const found = new Promise<void>((resolve) => (isFound = resolve));
      block = async (value) => {
        isFound();
        await released;
        return value;
      };
      return { found, goOn: () => goOn() };
    },
  };
}

it('never keeps a text that was replaced while it was read', async () => {
  const { storage, blockNextRead } = slowStorage();
  const before = createPolicyStore(storage);
  await before.write('p', allow('delete'));
  const policies = createPolicyStore(storage);
  const { found, goOn } = blockNextRead();
  const early = policies.capabilities(['p'], 'a');
  await found;
  await policies.write('p', allow('read'));
  goOn();
  expect(await early).toEqual(['delete']);
  expect(await policies.capabilities(['p'], 'a')).toEqual(['read']);
  await policies.remove('p');
  expect(await policies.capabilities(['p'], 'a')).toEqual(['deny']);
});

it('allows root everything and tokens without policies nothing', async () => {
  const policies = createPolicyStore(createMemoryStorage());
  expect(await policies.capabilities(['root'], 'any/thing')).toEqual(['root']);
  expect(await policies.capabilities(['gone', '../config', '__proto__', ''], 'any/thing')).toEqual(['deny']);
  expect(await policies.capabilities(['default'], 'auth/token/renew-self')).toEqual(['update']);
});

it('goes on with old policies whose paths look like templates', async () => {
  const storage = createMemoryStorage();
  const text = 'path "a/{{x}}" { policy = "read" } path "b" { policy = "read" }';
  await storage.write([{ path: 'sys/policy/old', value: Buffer.from(JSON.stringify(text)) }]);
  const policies = createPolicyStore(storage);
  await expect(policies.write('new', text)).rejects.toMatchObject({ code: 'bad-request' });
  expect(await policies.capabilities(['old'], 'b')).toEqual(['list', 'read']);
});
