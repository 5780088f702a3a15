import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { readBatchToken } from '../../src/tokens/batch-reader.js';
import type { Token } from '../../src/tokens/token-entry.js';
import { openTokenStore } from '../../src/tokens/token-store.js';

const terms = {
  policies: [],
  noDefaultPolicy: false,
  maxTtl: 0,
  explicitMaxTtl: 0,
  period: 0,
  numUses: 0,
} as const;

const peers = ['10.0.0.1', '10.0.0.200', '2001:db8::1'] as const;
const some = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** What happens to a store: numbers choose among the tokens that are there. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    type: some('batch' as const, 'batch' as const, 'service' as const),
    parent: fc.option(fc.nat(20)),
    mount: some('auth/token', 'auth/cloud/login', 'auth/cloud/deep/login'),
    role: some('', 'dev', 'Dev', 'ops'),
    identity: some('', 'cloud/a', 'cloud/b'),
    ttl: fc.integer({ min: 1, max: 100 }),
    boundCidrs: some<readonly string[]>([], ['10.0.0.0/25'], ['2001:db8::/32', '10.0.0.1']),
  }),
  fc.record({ kind: fc.constant('revoke' as const), token: fc.nat(20) }),
  fc.record({ kind: fc.constant('end path' as const), path: some('auth', 'auth/token', 'auth/cloud') }),
  fc.record({ kind: fc.constant('end role' as const), role: some('dev', 'DEV', 'ops') }),
  fc.record({ kind: fc.constant('end identity' as const), identity: some('cloud/a', 'cloud/b') }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 60 }) }),
);

it('sees of every batch token what its store sees, whatever was made, revoked and ended', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const storage = createMemoryStorage();
      let time = 1_700_000_000_000;
      const tokens = await openTokenStore({
        storage,
        clock: { now: () => time },
        randomBytes,
        limits: { defaultTtl: 60, maxTtl: 100 },
        maxTokensOf: () => 0,
        requireSpace: async () => undefined,
        currentTerms: async () => null,
      });
      const made: Token[] = [await tokens.createRoot(null)];
      const pick = (at: number): Token => made[at % made.length]!;
      for (const each of steps) {
        if (each.kind === 'create') {
          const parent = each.parent === null ? null : pick(each.parent);
          if (parent?.entry.type === 'batch') continue;
          const { type, ttl, boundCidrs, mount: path, role, identity } = each;
          // What has ended, or ends within the second, makes nothing.
          if ((parent?.entry.expiresAt ?? Infinity) - time < 1_000) continue;
          const expected = {
            ...{ terms: { ...terms, type, ttl, boundCidrs }, policies: [], metadata: {}, displayName: '' },
            ...{ path, role, identity, parent, renewable: false, id: null },
          };
          // A parent that was revoked creates no service token.
          const grant = await tokens.create(expected).catch(() => null);
          if (grant !== null) made.push(grant.token);
        } else if (each.kind === 'revoke') {
          const { id, entry } = pick(each.token);
          if (entry.type === 'service') await tokens.revoke(id);
        } else if (each.kind === 'end path') await tokens.endGroup({ path: each.path });
        else if (each.kind === 'end role') await tokens.endRole('auth/cloud', each.role);
        else if (each.kind === 'end identity') await tokens.endGroup({ identity: each.identity });
        else time += each.seconds * 1000;
        for (const { id, entry } of made) {
          if (entry.type !== 'batch') continue;
          for (const peer of peers) {
            const seen = await readBatchToken(storage, id, { peer, now: time }).catch(codeOf);
            expect(seen).toEqual(await tokens.check(id, peer).catch(codeOf));
          }
        }
      }
    }),
    { numRuns: 60 },
  );
});

it('knows nothing of what this store has not sealed, or of a store that was never filled', async () => {
  const storage = createMemoryStorage();
  const look = (id: string): Promise<Token | null> =>
    readBatchToken(storage, id, { peer: '10.0.0.1', now: 0 });
  expect(await look('b.AAAA')).toBeNull();
  await openTokenStore({
    storage,
    clock: { now: () => 0 },
    randomBytes,
    limits: { defaultTtl: 60, maxTtl: 100 },
    maxTokensOf: () => 0,
    requireSpace: async () => undefined,
    currentTerms: async () => null,
  });
  for (const id of ['', 'b.', 'b.AAAA', `b.${randomBytes(80).toString('base64url')}`])
    expect(await look(id)).toBeNull();
});

function codeOf(error: unknown): unknown {
  return (error as { readonly code: unknown }).code;
}
