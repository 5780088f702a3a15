import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { RootStorage } from '../../src/storage/storage.js';
import type { TokenGroup } from '../../src/tokens/token-groups.js';
import { openTokenStore, type NewToken, type TokenStore } from '../../src/tokens/token-store.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';
import { plainTerms } from '../support/fake-method.js';
import { startServer, type TestResponse, type TestServer } from '../support/secrets-server.js';

const day = 86_400_000;

describe('an operator', () => {
  let server: TestServer;
  afterEach(() => server.close());

  const logIn = (role = 'dev'): Promise<TestResponse> =>
    server.call('POST', 'auth/cloud/login', { token: null, body: { role } });
  const tokenOf = ({ body }: TestResponse): string => String(body.auth?.client_token);
  const works = async (token: string): Promise<boolean> =>
    (await server.call('GET', 'auth/token/lookup-self', { token })).status === 200;

  it('finds the tokens of an identity that is locked out, and ends them', async () => {
    server = await startServer({ mount: { maxTokensPerIdentity: 3 } });
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    await server.call('PUT', 'auth/cloud/role/ops', { body: {} });
    const made = [await logIn(), await logIn('ops'), await logIn()];
    expect((await logIn()).status).toBe(429);
    const all = await server.call('LIST', 'auth/token/accessors');
    const keys = all.body.data?.keys as readonly string[];
    expect(keys).toHaveLength(4);
    const [accessor] = [made[0]!.body.auth?.accessor];
    expect(keys).toContain(accessor);
    const found = await server.call('POST', 'auth/token/lookup-accessor', { body: { accessor } });
    expect(found.body.data).toMatchObject({
      identity: 'cloud/someone',
      role: 'dev',
      path: 'auth/cloud/login',
    });
    const listed = async (query: string): Promise<number> =>
      ((await server.call('GET', `auth/token/accessors?list=true&${query}`)).body.data?.keys as string[])
        ?.length;
    expect(await listed('mount=cloud')).toBe(3);
    expect(await listed('mount=auth/cloud/&role=DEV')).toBe(2);
    expect(await listed('identity=cloud/someone')).toBe(3);
    expect((await server.call('LIST', 'auth/token/accessors?identity=cloud/nobody')).status).toBe(404);
    const ended = await server.call('POST', 'auth/token/revoke-all', { body: { identity: 'cloud/someone' } });
    expect([ended.status, ended.body.data]).toEqual([200, { revoked: 3 }]);
    for (const each of made) expect(await works(tokenOf(each))).toBe(false);
    const again = await logIn();
    expect(again.status).toBe(200);
    expect(await works(tokenOf(again))).toBe(true);
    expect(await listed('mount=cloud')).toBe(1);
  });

  it.each<[what: string, method: string, path: string, body: unknown, status: number]>([
    [
      'of a mount, as clients of other servers do',
      'PUT',
      'sys/leases/revoke-prefix/auth/cloud',
      undefined,
      204,
    ],
    ['of a path of a mount', 'POST', 'sys/leases/revoke-prefix/auth/cloud/login', undefined, 204],
    ['by the old name', 'PUT', 'sys/revoke-prefix/auth/cloud', undefined, 204],
    ['of a mount', 'POST', 'auth/token/revoke-all', { mount: 'cloud' }, 200],
    ['of a role', 'POST', 'auth/token/revoke-all', { mount: 'cloud', role: 'Batch' }, 200],
    ['of an identity', 'POST', 'auth/token/revoke-all', { identity: 'cloud/someone' }, 200],
  ])('ends the batch tokens %s', async (_what, method, path, body, status) => {
    server = await startServer();
    await server.call('PUT', 'auth/cloud/role/batch', { body: { type: 'batch' } });
    const token = tokenOf(await logIn('batch'));
    const root = tokenOf(await server.call('POST', 'auth/token/create', { body: {} }));
    expect(await works(token)).toBe(true);
    expect((await server.call(method, path, { body })).status).toBe(status);
    expect([await works(token), await works(root)]).toEqual([false, true]);
    expect(await works(tokenOf(await logIn('batch')))).toBe(true);
  });

  it.each([
    ['sys/leases/revoke-prefix/auth/clou', 400],
    ['sys/leases/revoke-prefix/cloud', 400],
    ['sys/leases/revoke-prefix/auth/cloud/login/batch', 204],
    ['sys/leases/revoke-prefix', 404],
  ])('ends no token of others: %s', async (path, status) => {
    server = await startServer();
    await server.call('PUT', 'auth/cloud/role/batch', { body: { type: 'batch' } });
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    const tokens = [tokenOf(await logIn('batch')), tokenOf(await logIn())];
    expect((await server.call('PUT', path)).status).toBe(status);
    expect(await Promise.all(tokens.map(works))).toEqual([true, true]);
  });

  it('gets the list of mounts if an unknown one is named', async () => {
    const storage = { ...createMemoryStorage(), close: async (): Promise<void> => undefined };
    server = await startServer({ storage, unsealed: false });
    const { unsealKey, rootToken: root } = await server.server.initialize();
    const key = Buffer.from(unsealKey);
    await server.server.unseal(unsealKey);
    const revoke = async (path: string, body?: object): Promise<unknown> => {
      const { status, body: response } = await server.call('PUT', path, {
        token: root,
        ...(body && { body }),
      });
      return response?.errors ?? status;
    };
    const refusal = ['there is no mount at this path: there is auth/cloud, auth/token'];
    expect(await revoke('sys/leases/revoke-prefix/auth/clod')).toEqual(refusal);
    expect(await revoke('sys/revoke-prefix/clod')).toEqual(refusal);
    expect(await revoke('auth/token/revoke-all', { mount: 'clod' })).toEqual(refusal);
    expect(await revoke('auth/token/revoke-all', { mount: 'clod', role: 'dev' })).toEqual(refusal);
    await server.close();
    server = await startServer({ storage, unsealed: false, mount: { path: 'other' } });
    await server.server.unseal(key);
    expect(await revoke('sys/leases/revoke-prefix/auth/cloud')).toBe(204);
    expect(await revoke('sys/leases/revoke-prefix/auth/clod')).toEqual([
      expect.stringContaining('auth/other'),
    ]);
  });

  it('keeps root tokens, whatever is ended', async () => {
    server = await startServer();
    const made = tokenOf(await server.call('POST', 'auth/token/create', { body: { policies: ['x'] } }));
    expect((await server.call('PUT', 'sys/leases/revoke-prefix/auth')).status).toBe(204);
    expect(await works(made)).toBe(false);
    expect((await server.call('GET', 'auth/token/lookup-self')).status).toBe(200);
  });

  it.each([
    {},
    { role: 'dev' },
    { identity: 'cloud/someone', mount: 'cloud' },
    { identity: 'cloud/someone', role: 'dev' },
    { mount: '' },
    { mount: ['cloud'] },
  ])('must say whose tokens are to end: %j', async (body) => {
    server = await startServer();
    const response = await server.call('POST', 'auth/token/revoke-all', { body });
    expect(response.status).toBe(400);
  });

  it.each<[method: string, path: string, body: Record<string, unknown> | undefined, message: string]>([
    [
      'POST',
      'auth/token/revoke-all',
      { mount: 'cloud', rol: 'x' },
      'no field "rol" here: did you mean "role"?',
    ],
    ['POST', 'auth/token/revoke-all', { mount: 'cloud', x: 1 }, 'no field "x" here: there is mount, role'],
    ['PUT', 'sys/leases/revoke-prefix/auth/cloud', { role: 'x' }, 'no field "role" here: there is sync'],
    ['POST', 'auth/token/lookup', { tokn: 'x' }, 'no field "tokn" here: did you mean "token"?'],
    ['POST', 'auth/token/revoke', { accessor: 'x', token: 'y' }, 'no field "accessor" here: there is token'],
    ['POST', 'auth/token/renew', { token: 'x', incremnt: 5 }, 'no field "incremnt" here'],
    ['POST', 'auth/token/lookup-accessor', { accesor: 'x' }, 'did you mean "accessor"?'],
    ['POST', 'auth/token/revoke-accessor', { accesor: 'x' }, 'did you mean "accessor"?'],
    ['LIST', 'auth/token/accessors?moun=cloud', undefined, 'no parameter "moun" here: did you mean "mount"?'],
  ])('gets an error for a slip, and ends nothing: %s %s %j', async (method, path, body, message) => {
    server = await startServer();
    await server.call('PUT', 'auth/cloud/role/batch', { body: { type: 'batch' } });
    const token = tokenOf(await logIn('batch'));
    const response = await server.call(method, path, { body });
    expect([response.status, response.body.errors]).toEqual([400, [expect.stringContaining(message)]]);
    expect(await works(token)).toBe(true);
    expect(
      (await server.call('PUT', 'sys/leases/revoke-prefix/auth/cloud', { body: { sync: true } })).status,
    ).toBe(204);
  });

  it('needs sudo: rights to make and end single tokens are not enough', async () => {
    server = await startServer();
    const few = '["create", "read", "update", "delete", "list"]';
    const policy = `path "*" { capabilities = ${few} }`;
    await server.call('PUT', 'sys/policies/acl/few', { body: { policy } });
    const token = tokenOf(await server.call('POST', 'auth/token/create', { body: { policies: ['few'] } }));
    for (const [method, path] of [
      ['LIST', 'auth/token/accessors'],
      ['POST', 'auth/token/revoke-all'],
      ['PUT', 'sys/leases/revoke-prefix/auth/cloud'],
      ['PUT', 'sys/revoke-prefix/auth/cloud'],
    ] as const) {
      const body = method === 'LIST' ? undefined : { mount: 'cloud' };
      expect([path, (await server.call(method, path, { token, body })).status]).toEqual([path, 403]);
    }
  });

  it('who removes a role ends its batch tokens, also when it is made again', async () => {
    const { createCloudFixture } = await import('../support/cloud-fixture.js');
    const ended: string[] = [];
    const fixture = await createCloudFixture({ endRole: async (role) => void ended.push(role) });
    await fixture.role();
    await fixture.call('delete', 'role/Dev');
    await fixture.close();
    expect(ended).toEqual(['Dev']);
    const { createCloudMethod } = await import('../../src/auth/cloud/cloud-method.js');
    server = await startServer({
      mount: {
        createMethod: (context) => {
          const method = createCloudMethod(context);
          const login = {
            path: 'login',
            operations: {
              write: {
                logIn: async () => ({
                  identity: {
                    alias: 'a',
                    role: 'dev',
                    metadata: {},
                    token: { ...plainTerms, type: 'batch' as const },
                  },
                  warnings: [],
                }),
              },
            },
          };
          return { ...method, rows: [login, ...method.rows.slice(1)] };
        },
      },
    });
    const role = { bound_group_ids: ['g'], token_type: 'batch' };
    await server.call('PUT', 'auth/cloud/role/dev', { body: role });
    await server.call('PUT', 'auth/cloud/role/other', { body: role });
    const token = tokenOf(await logIn());
    await server.call('DELETE', 'auth/cloud/role/other');
    expect(await works(token)).toBe(true);
    await server.call('DELETE', 'auth/cloud/role/DEV');
    expect(await works(token)).toBe(false);
    await server.call('PUT', 'auth/cloud/role/dev', { body: role });
    expect(await works(token)).toBe(false);
    expect(await works(tokenOf(await logIn()))).toBe(true);
  });
});

describe('a group of tokens', () => {
  const open = (storage: RootStorage, clock: FakeClock, maxTtl = 32 * 86_400): Promise<TokenStore> =>
    openTokenStore({
      storage,
      clock,
      randomBytes,
      limits: { defaultTtl: maxTtl, maxTtl },
      maxTokensOf: () => 0,
      requireSpace: async () => undefined,
      currentTerms: async () => plainTerms,
    });
  const expected = (mount: string, role: string, alias: string, type: 'service' | 'batch'): NewToken => ({
    terms: { ...plainTerms, type },
    policies: ['default'],
    metadata: {},
    displayName: 'x',
    path: `auth/${mount}/login`,
    role,
    identity: `${mount}/${alias}`,
    parent: null,
    renewable: true,
    id: null,
  });

  it('ends as a whole and alone, with others created, ended and recreated meanwhile', async () => {
    const name = fc.constantFrom('a', 'b');
    const token = fc.record({
      mount: name,
      role: name,
      alias: name,
      type: fc.constantFrom('service', 'batch'),
    });
    const group = fc.oneof(
      fc.record({ path: name.map((mount) => `auth/${mount}`) }),
      fc.record({ mount: name.map((mount) => `auth/${mount}`), role: name }),
      fc.record({ identity: fc.tuple(name, name).map((parts) => parts.join('/')) }),
    );
    const step = fc.oneof({ weight: 3, arbitrary: token }, group, fc.constant('restart' as const));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const storage = createMemoryStorage();
        const clock = createFakeClock();
        let store = await open(storage, clock);
        const made: {
          readonly id: string;
          readonly of: typeof token extends fc.Arbitrary<infer T> ? T : never;
          alive: boolean;
        }[] = [];
        for (const each of steps) {
          if (each === 'restart') store = await open(storage, clock);
          else if ('alias' in each) {
            const { mount, role, alias, type } = each;
            const { token: one } = await store.create(
              expected(mount, role, alias, type as 'service' | 'batch'),
            );
            made.push({ id: one.id, of: each, alive: true });
          } else {
            await store.endGroup(each as TokenGroup);
            for (const one of made) {
              const { mount, role, alias } = one.of;
              const isIn =
                'path' in each
                  ? each.path === `auth/${mount}`
                  : 'role' in each
                    ? each.mount === `auth/${mount}` && each.role === role
                    : each.identity === `${mount}/${alias}`;
              if (isIn) one.alive = false;
            }
          }
        }
        for (const { id, alive } of made) expect((await store.find(id)) !== null).toBe(alive);
        const services = made.filter(({ alive, of }) => alive && of.type === 'service');
        expect(await store.accessors(null)).toHaveLength(services.length);
      }),
      { numRuns: 100 },
    );
  });

  it('ends what is being made while it is ended', async () => {
    const storage = createMemoryStorage();
    const store = await open(storage, createFakeClock());
    const generation = store.generation();
    await store.endGroup({ path: 'auth/cloud' });
    const late = { ...expected('cloud', 'dev', 'a', 'service'), generation };
    await expect(store.create(late)).rejects.toMatchObject({ code: 'permission-denied' });
    expect(await store.accessors(null)).toEqual([]);
    const batch = await store.create({ ...expected('cloud', 'dev', 'a', 'batch'), generation });
    expect(await store.find(batch.token.id)).toBeNull();
  });

  it('is remembered as long as any of its tokens could live, whatever the bound is set to later', async () => {
    const storage = createMemoryStorage();
    const clock = createFakeClock();
    const first = await open(storage, clock, 100 * 86_400);
    const { token } = await first.create(expected('cloud', 'dev', 'a', 'batch'));
    const second = await open(storage, clock, 86_400);
    await second.endGroup({ path: 'auth/cloud' });
    const marks = async (): Promise<number> => (await storage.list('sys/token/ended/')).length;
    clock.advance(99 * day);
    await second.sweep();
    expect([await marks(), await (await open(storage, clock, 86_400)).find(token.id)]).toEqual([1, null]);
    clock.advance(2 * day);
    await second.sweep();
    expect([await marks(), await second.find(token.id)]).toEqual([0, null]);
  });
});

describe('a chain of tokens', () => {
  it('is no longer than what one use can look at', async () => {
    const storage = createMemoryStorage();
    let looks = 0;
    const counting: RootStorage = {
      ...storage,
      get(path) {
        looks += 1;
        return storage.get(path);
      },
    };
    const server = await startServer({ storage: counting });
    await server.call('PUT', 'sys/policies/acl/maker', {
      body: { policy: 'path "auth/token/create" { capabilities = ["update"] }' },
    });
    let token: string | undefined;
    let made = 0;
    for (;;) {
      const response: TestResponse = await server.call('POST', 'auth/token/create', {
        ...(token !== undefined && { token }),
        body: { policies: ['maker'] },
      });
      if (response.status !== 200) {
        expect([response.status, response.body.errors?.[0]]).toEqual([
          400,
          expect.stringContaining('at most 16 ancestors'),
        ]);
        break;
      }
      token = String(response.body.auth?.client_token);
      made += 1;
      expect(made).toBeLessThan(100);
    }
    expect(made).toBe(16);
    looks = 0;
    expect((await server.call('GET', 'auth/token/lookup-self', { token: token! })).status).toBe(200);
    expect(looks).toBeLessThan(25);
    await server.close();
  });
});
