import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { RootStorage } from '../../src/storage/storage.js';
import { readBatchToken } from '../../src/tokens/batch-reader.js';
import type { Token } from '../../src/tokens/token-entry.js';
import { openTokenStore, type NewToken, type TokenStore } from '../../src/tokens/token-store.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';
import { plainTerms } from '../support/fake-method.js';
import { startServer } from '../support/secrets-server.js';

const hour = 3_600_000;
const maxTtl = 3_600;

const open = (storage: RootStorage, clock: FakeClock, maximum = 0): Promise<TokenStore> =>
  openTokenStore({
    storage,
    clock,
    randomBytes,
    limits: { defaultTtl: maxTtl, maxTtl },
    maxTokensOf: () => maximum,
    requireSpace: async () => undefined,
    currentTerms: async () => plainTerms,
  });

const expected = (changes: Partial<NewToken> = {}, terms: Partial<NewToken['terms']> = {}): NewToken => ({
  terms: { ...plainTerms, type: 'service', ...terms },
  policies: ['default'],
  metadata: {},
  displayName: 'x',
  path: 'auth/cloud/login',
  role: 'dev',
  identity: 'cloud/a',
  parent: null,
  renewable: true,
  id: null,
  ...changes,
});

describe('deleting a role', () => {
  it('revokes its batch tokens and leaves its service tokens until they are renewed', async () => {
    const { createCloudMethod } = await import('../../src/auth/cloud/cloud-method.js');
    const server = await startServer({
      mount: {
        createMethod: (context) => {
          const method = createCloudMethod(context);
          const logIn = async ({ body }: { body: Readonly<Record<string, unknown>> }) => ({
            identity: {
              alias: 'a',
              role: 'dev',
              metadata: {},
              token: {
                ...plainTerms,
                type: body.type === 'batch' ? ('batch' as const) : ('service' as const),
              },
            },
            warnings: [],
          });
          return {
            ...method,
            rows: [{ path: 'login', operations: { write: { logIn } } }, ...method.rows.slice(1)],
          };
        },
        maxTokensPerIdentity: 2,
      },
    });
    const logIn = (type: string) => server.call('POST', 'auth/cloud/login', { token: null, body: { type } });
    const lookUp = async (token: string): Promise<number> =>
      (await server.call('GET', 'auth/token/lookup-self', { token })).status;
    const role = { bound_group_ids: ['g'] };
    await server.call('PUT', 'auth/cloud/role/dev', { body: role });
    const service = String((await logIn('service')).body.auth?.client_token);
    const batch = String((await logIn('batch')).body.auth?.client_token);
    await server.call('DELETE', 'auth/cloud/role/dev');
    expect([await lookUp(service), await lookUp(batch)]).toEqual([200, 403]);
    const renewal = await server.call('POST', 'auth/token/renew-self', { token: service, body: {} });
    expect([renewal.status, renewal.body.errors]).toEqual([400, ['the role of this token is gone']]);
    expect(await lookUp(service)).toBe(200);
    // Living tokens of a deleted role count against the maximum of the identity.
    expect([(await logIn('service')).status, (await logIn('service')).status]).toEqual([200, 429]);
    await server.close();
  });
});

describe('the maximum of tokens per identity', () => {
  it('does not count tokens that have expired before the sweep', async () => {
    const clock = createFakeClock();
    const store = await open(createMemoryStorage(), clock, 2);
    await store.create(expected({}, { ttl: 10 }));
    await store.create(expected({}, { ttl: 20 }));
    await expect(store.create(expected())).rejects.toMatchObject({ code: 'too-many-requests' });
    clock.advance(11_000);
    await store.create(expected());
    await expect(store.create(expected())).rejects.toMatchObject({ code: 'too-many-requests' });
  });

  it('does not count revoked tokens whose removal failed', async () => {
    const storage = createMemoryStorage();
    let fails = false;
    const failing: RootStorage = {
      ...storage,
      async write(changes) {
        if (fails && changes.some(({ path, value }) => path.startsWith('sys/token/id/') && value === null))
          throw new Error('the disk failed');
        await storage.write(changes);
      },
    };
    const store = await open(failing, createFakeClock(), 2);
    await store.create(expected());
    await store.create(expected());
    await expect(store.create(expected())).rejects.toMatchObject({ code: 'too-many-requests' });
    fails = true;
    await expect(store.endGroup({ identity: 'cloud/a' })).rejects.toThrow('the disk failed');
    fails = false;
    await store.create(expected());
    expect(await store.accessors({ identity: 'cloud/a' })).toHaveLength(1);
    await store.create(expected());
    await expect(store.create(expected())).rejects.toMatchObject({ code: 'too-many-requests' });
  });

  it('reads the tokens of a full identity once, not with each refused request', async () => {
    const storage = createMemoryStorage();
    let reads = 0;
    const counting: RootStorage = { ...storage, get: (path) => ((reads += 1), storage.get(path)) };
    const store = await open(counting, createFakeClock(), 50);
    for (let made = 0; made < 50; made += 1) await store.create(expected());
    const refused = Array.from({ length: 20 }, () => store.create(expected()).catch(() => null));
    reads = 0;
    expect(await Promise.all(refused)).toEqual(refused.map(() => null));
    await store.create(expected()).catch(() => null);
    expect(reads).toBeLessThan(150);
  });
});

describe('a revoked token with a chosen id', () => {
  it.each(['service', 'batch'] as const)(
    'leaves no %s child to the next token with that id',
    async (type) => {
      const storage = createMemoryStorage();
      const store = await open(storage, createFakeClock());
      const parent = (await store.create(expected({ id: 'chosen-id', role: '' }))).token;
      const before = (await store.create(expected({ parent, role: '' }, { type }))).token;
      await store.revoke('chosen-id');
      // Checked before the revocation, added after it.
      const late = await store.create(expected({ parent, role: '' }, { type })).then(
        ({ token }) => token.id,
        (error: unknown) => error,
      );
      if (type === 'service') expect(late).toMatchObject({ code: 'permission-denied' });
      await store.create(expected({ id: 'chosen-id', role: '' }));
      expect(await store.find(before.id)).toBeNull();
      if (typeof late === 'string') expect(await store.find(late)).toBeNull();
      expect(await store.accessors(null)).toHaveLength(1);
    },
  );
});

/** A token of the model: what was done to it and to those above it decides whether it may ever work again. */
interface Modelled {
  readonly token: Token;
  readonly parent: Modelled | null;
  readonly role: string;
  readonly identity: string;
  revoked: boolean;
}

const isRevoked = (each: Modelled): boolean =>
  each.revoked || (each.parent !== null && isRevoked(each.parent));

const name = fc.constantFrom('a', 'b');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      type: fc.constantFrom('service' as const, 'batch' as const),
      parent: fc.option(fc.nat(20)),
      role: name,
      identity: name,
      period: fc.constantFrom(0, 600),
    }),
  },
  fc.record({ kind: fc.constant('revoke' as const), token: fc.nat(20) }),
  fc.record({ kind: fc.constant('end identity' as const), name }),
  fc.record({ kind: fc.constant('end role' as const), name }),
  fc.record({ kind: fc.constant('delete role' as const), name }),
  fc.record({ kind: fc.constant('renew' as const), token: fc.nat(20) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('jump' as const),
      hours: fc.constantFrom(-5_000, -3, -1, 1, 3, 5_000),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'sweep' as const }) },
  fc.constant({ kind: 'restart' as const }),
);
/** The clock goes on, a sweep removes what has expired by it, and it goes back. */
const excursion = fc
  .constantFrom(1, 3, 5_000)
  .map((hours) => [
    { kind: 'jump' as const, hours },
    { kind: 'sweep' as const },
    { kind: 'jump' as const, hours: -hours },
  ]);
const history = fc
  .tuple(fc.array(step, { maxLength: 20 }), excursion, fc.array(step, { maxLength: 10 }))
  .map((parts) => parts.flat());

describe('a revoked token', () => {
  it('stays revoked whatever jumps the clock makes, at the active server and at standbys', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const storage = createMemoryStorage();
        const clock = createFakeClock();
        let store = await open(storage, clock);
        const made: Modelled[] = [];
        for (const each of steps) {
          const chosen = (at: number): Modelled | undefined => made[at % Math.max(1, made.length)];
          if (each.kind === 'create') {
            const parent = each.parent === null ? null : (chosen(each.parent) ?? null);
            if (parent?.token.entry.type === 'batch') continue;
            const { type, role, identity } = each;
            const period = type === 'batch' ? 0 : each.period;
            const one = expected(
              {
                role: parent === null ? role : '',
                identity: `cloud/${identity}`,
                parent: parent?.token ?? null,
              },
              { type, period },
            );
            const grant = await store.create(one).catch(() => null);
            if (grant !== null) {
              const own = { role: one.role, identity, revoked: false };
              made.push({ token: grant.token, parent, ...own });
            }
          } else if (each.kind === 'revoke') {
            const one = chosen(each.token);
            if (one === undefined || one.token.entry.type === 'batch') continue;
            await store.revoke(one.token.id);
            one.revoked = true;
          } else if (each.kind === 'end identity') {
            await store.endGroup({ identity: `cloud/${each.name}` });
            for (const one of made) if (one.identity === each.name) one.revoked = true;
          } else if (each.kind === 'end role') {
            await store.endGroup({ mount: 'auth/cloud', role: each.name });
            for (const one of made) if (one.role === each.name) one.revoked = true;
          } else if (each.kind === 'delete role') {
            await store.endRole('auth/cloud', each.name);
            for (const one of made)
              if (one.role === each.name && one.token.entry.type === 'batch') one.revoked = true;
          } else if (each.kind === 'renew') {
            const one = chosen(each.token);
            if (one !== undefined) await store.renew(one.token.id, 0).catch(() => null);
          } else if (each.kind === 'jump') clock.jump(each.hours * hour);
          else if (each.kind === 'sweep') await store.sweep();
          else store = await open(storage, clock);
          for (const one of made.filter(isRevoked)) {
            const { id, entry } = one.token;
            expect(await store.find(id)).toBeNull();
            if (entry.type === 'service') continue;
            const seen = readBatchToken(storage, id, { peer: '10.0.0.1', now: clock.now() });
            await expect(seen).rejects.toMatchObject({ code: 'permission-denied' });
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('stays revoked after its marks were removed and the clock goes back', async () => {
    const storage = createMemoryStorage();
    const clock = createFakeClock();
    const store = await open(storage, clock);
    const batch = (await store.create(expected({}, { type: 'batch' }))).token;
    await store.endGroup({ path: 'auth/cloud' });
    clock.jump(3 * hour);
    await store.sweep();
    expect(await storage.list('sys/token/ended/')).toEqual([]);
    clock.jump(-3 * hour);
    expect(await store.find(batch.id)).toBeNull();
    expect(await (await open(storage, clock)).find(batch.id)).toBeNull();
    const next = (await store.create(expected({}, { type: 'batch' }))).token;
    expect(await store.find(next.id)).not.toBeNull();
  });
});
