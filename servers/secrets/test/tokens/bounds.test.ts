import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { RootStorage, Space } from '../../src/storage/storage.js';
import { startServer, type TestResponse, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
afterEach(() => server.close());

const logIn = (role = 'dev'): Promise<TestResponse> =>
  server.call('POST', 'auth/cloud/login', { token: null, body: { role } });
const tokenOf = ({ body }: TestResponse): string => String(body.auth?.client_token);

describe('the stored tokens of one identity', () => {
  const mount = { maxTokensPerIdentity: 5 };

  it('are limited for every way to create them, and the number survives a restart', async () => {
    const storage = { ...createMemoryStorage(), close: async (): Promise<void> => undefined };
    server = await startServer({ mount, storage, unsealed: false });
    const { unsealKey, rootToken: root } = await server.server.initialize();
    const key = Buffer.from(unsealKey);
    await server.server.unseal(unsealKey);
    await server.call('PUT', 'auth/cloud/role/dev', { token: root, body: { ttl: 60 } });
    await server.call('PUT', 'auth/cloud/role/batch', { token: root, body: { type: 'batch' } });
    const responses = await Promise.all(Array.from({ length: 20 }, () => logIn()));
    const made = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status !== 200);
    expect([made.length, refused.length]).toEqual([5, 15]);
    expect([refused[0]?.status, refused[0]?.body.errors]).toEqual([
      429,
      [expect.stringContaining('5 tokens already')],
    ]);
    expect((await logIn('batch')).status).toBe(200);
    await server.close();

    server = await startServer({ mount, storage, unsealed: false });
    await server.server.unseal(key);
    expect((await logIn()).status).toBe(429);
    await server.call('PUT', 'auth/token/revoke-self', { token: tokenOf(made[0]!), body: {} });
    expect([(await logIn()).status, (await logIn()).status]).toEqual([200, 429]);
    await server.clock.awaited(30_000);
    server.clock.advance(120_000);
    await server.clock.awaited(30_000);
    expect((await logIn()).status).toBe(200);
  });

  it('have those among them that it makes itself', async () => {
    server = await startServer({ mount });
    const policy = 'path "auth/token/create" { capabilities = ["update"] }';
    await server.call('PUT', 'sys/policies/acl/maker', { body: { policy } });
    await server.call('PUT', 'auth/cloud/role/dev', { body: { policies: ['maker'] } });
    const token = tokenOf(await logIn());
    const children: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      children.push((await server.call('POST', 'auth/token/create', { token, body: {} })).status);
    }
    expect(children).toEqual([200, 200, 200, 200, 429, 429]);
  });
});

describe('the tokens that one without an identity has made', () => {
  const policy = 'path "auth/token/create*" { capabilities = ["update", "sudo"] }';
  const make = (token: string | undefined, path = 'create'): Promise<TestResponse> =>
    server.call('POST', `auth/token/${path}`, {
      ...(token !== undefined && { token }),
      body: { policies: ['maker'] },
    });

  it('are so many at once with theirs, orphans too, and another family has its own', async () => {
    server = await startServer({ mount: { maxTokensPerIdentity: 4 } });
    await server.call('PUT', 'sys/policies/acl/maker', { body: { policy } });
    const [maker, other] = [tokenOf(await make(undefined)), tokenOf(await make(undefined))];
    const child = tokenOf(await make(maker));
    const grandchild = tokenOf(await make(child));
    expect((await make(grandchild, 'create-orphan')).status).toBe(200);
    const responses = await Promise.all([maker, child, grandchild].map((token) => make(token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body.errors).toEqual([expect.stringContaining('family of tokens has 4 tokens already')]);
    const batch = await server.call('POST', 'auth/token/create', { token: maker, body: { type: 'batch' } });
    expect([batch.status, (await make(other)).status]).toEqual([200, 200]);
    for (let at = 0; at < 5; at += 1) expect((await make(undefined)).status).toBe(200);
    await server.call('POST', 'auth/token/revoke', { body: { token: child } });
    expect((await make(maker)).status).toBe(200);
  });

  it('are any number where identities have any number', async () => {
    server = await startServer({ mount: { maxTokensPerIdentity: 0 } });
    await server.call('PUT', 'sys/policies/acl/maker', { body: { policy } });
    const maker = tokenOf(await make(undefined));
    for (let at = 0; at < 5; at += 1) expect((await make(maker)).status).toBe(200);
  });
});

describe('a store that is short of space', () => {
  it('takes no new tokens, but everything that frees some, and says so', async () => {
    let space: Space = { free: 1_000_000_000, total: 10_000_000_000 };
    const storage: RootStorage = { ...createMemoryStorage(), space: async () => space };
    server = await startServer({ storage });
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    const token = tokenOf(await logIn());
    expect((await server.call('GET', 'sys/health')).body.warnings).toBeUndefined();
    space = { free: 60_000_000, total: 10_000_000_000 };
    server.clock.advance(1_000);
    const refused = await logIn();
    expect([refused.status, refused.body.errors]).toEqual([503, [expect.stringContaining('short of space')]]);
    expect((await server.call('PUT', 'auth/token/revoke-self', { token, body: {} })).status).toBe(204);
    const health = await server.call('GET', 'sys/health');
    expect([health.status, health.body.warnings]).toEqual([200, [expect.stringContaining('short of space')]]);
    space = { free: 0, total: 10_000_000_000 };
    server.clock.advance(1_000);
    const full = await server.call('GET', 'sys/health');
    expect([full.status, full.body.errors]).toEqual([
      503,
      ['the store cannot be written: there is no space left'],
    ]);
  });

  it('reports each failed write, and works again after the first success', async () => {
    const memory = createMemoryStorage();
    let isBroken = false;
    const storage: RootStorage = {
      ...memory,
      write: (changes) =>
        isBroken ? Promise.reject(new Error('Input/output error')) : memory.write(changes),
    };
    server = await startServer({ storage });
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    isBroken = true;
    const responses = await Promise.all([
      server.call('PUT', 'auth/cloud/role/other', { body: {} }),
      server.call('DELETE', 'auth/cloud/role/dev'),
      logIn(),
      server.call('POST', 'auth/token/create', { body: {} }),
      server.call('PUT', 'sys/policies/acl/p', { body: { policy: '' } }),
    ]);
    for (const { status, body } of responses) {
      expect([status, body.errors]).toEqual([503, [expect.stringContaining('store cannot be written')]]);
    }
    expect((await server.call('GET', 'auth/cloud/role/dev')).status).toBe(200);
    expect((await server.call('GET', 'sys/health')).status).toBe(503);
    isBroken = false;
    server.clock.advance(1_000);
    expect((await server.call('GET', 'sys/health')).status).toBe(200);
    expect((await server.call('PUT', 'auth/cloud/role/other', { body: {} })).status).toBe(204);
    expect(server.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });
});

describe('a token that another has made', () => {
  it('does not claim to live longer than it, when it is made and when it is renewed', async () => {
    server = await startServer();
    await server.call('PUT', 'auth/cloud/role/dev', { body: { ttl: 90, policies: ['maker'] } });
    const policy = 'path "auth/token/*" { capabilities = ["create", "update", "read"] }';
    await server.call('PUT', 'sys/policies/acl/maker', { body: { policy } });
    const parent = tokenOf(await logIn());
    for (const type of ['service', 'batch']) {
      const made = await server.call('POST', 'auth/token/create', {
        token: parent,
        body: { ttl: '700h', type },
      });
      expect([made.body.auth?.lease_duration, made.body.warnings]).toEqual([
        90,
        [expect.stringContaining('90 seconds')],
      ]);
      const look = await server.call('GET', 'auth/token/lookup-self', { token: tokenOf(made) });
      expect(look.body.data).toMatchObject({ ttl: 90, creation_ttl: 90 });
    }
    const child = tokenOf(
      await server.call('POST', 'auth/token/create', { token: parent, body: { ttl: 3_600 } }),
    );
    server.clock.advance(60_000);
    const renew = async (token: string): Promise<unknown> =>
      (await server.call('PUT', 'auth/token/renew-self', { token, body: { increment: 3_600 } })).body.auth
        ?.lease_duration;
    expect(await renew(child)).toBe(30);
    expect(await renew(parent)).toBe(3_600);
    expect(await renew(child)).toBe(3_600);
    const root = await server.call('POST', 'auth/token/create', { body: { ttl: 3_600 } });
    expect(root.body.auth?.lease_duration).toBe(3_600);
  });
});
