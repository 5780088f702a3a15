import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { Storage } from '../../src/storage/storage.js';
import { openTokenStore, type TokenStore } from '../../src/tokens/token-store.js';

function open(storage: Storage): Promise<TokenStore> {
  return openTokenStore({
    storage,
    clock: { now: () => 1_700_000_000_000 },
    randomBytes,
    limits: { defaultTtl: 60, maxTtl: 60 },
    maxTokensOf: () => 0,
    requireSpace: () => Promise.resolve(),
    currentTerms: () => Promise.resolve(null),
  });
}

it('a token is stored under a name that only the key of the store leads to', async () => {
  const storage = createMemoryStorage();
  const tokens = await open(storage);
  const { id, entry } = await tokens.createRoot(null);
  const paths = await storage.list('');
  const values = await Promise.all(paths.map((path) => storage.get(path)));
  const formsOf = (text: string): readonly string[] => [
    text,
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64url'),
    createHash('sha256').update(text).digest('hex'),
    createHash('sha256').update(text).digest('base64url'),
  ];
  const names = paths.join('\n');
  for (const form of [...formsOf(id), ...formsOf(entry.accessor)]) expect(names).not.toContain(form);
  const contents = values.map((value) => Buffer.from(value ?? []).toString('latin1')).join('\n');
  for (const form of formsOf(id)) expect(contents).not.toContain(form);
  // Another store has another key, and so another name for the very same token.
  const other = createMemoryStorage();
  await (await open(other)).createRoot(id);
  const hashes = (all: readonly string[]): readonly string[] =>
    all.flatMap((path) => path.match(/[0-9a-f]{64}/g) ?? []);
  expect(hashes(paths).length).toBeGreaterThan(0);
  expect(hashes(await other.list('')).filter((hash) => names.includes(hash))).toEqual([]);
  expect(await tokens.find(id)).toEqual(entry);
  expect(await tokens.find(`${id}x`)).toBeNull();
});

it('uses of a token are counted one by one, however many come at the very same moment', async () => {
  const tokens = await open(createMemoryStorage());
  const terms = {
    policies: [],
    noDefaultPolicy: false,
    type: 'service',
    ttl: 60,
    maxTtl: 0,
    explicitMaxTtl: 0,
    period: 0,
    numUses: 3,
    boundCidrs: [],
  } as const;
  const { token } = await tokens.create({
    terms,
    policies: ['default'],
    metadata: {},
    displayName: 'somebody',
    path: 'auth/cloud/login',
    role: 'dev',
    identity: 'somebody',
    parent: null,
    renewable: true,
    id: null,
  });
  const uses = await Promise.allSettled(Array.from({ length: 50 }, () => tokens.use(token.id, '127.0.0.1')));
  expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});
