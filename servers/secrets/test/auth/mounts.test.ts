import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authMethods } from '../../src/server/auth-methods.js';
import { SecretsError } from '../../src/base/errors.js';
import type { ServerConfig } from '../../src/server/server-config.js';
import { readServerSettings } from '../../src/program/settings/server-settings.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { RootStorage } from '../../src/storage/storage.js';
import { audience, clientId, createFakeCloud, tenant, type FakeCloud } from '../support/fake-cloud.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';
import { principal } from '../support/fake-resources.js';
import { loopbackFetch } from '../support/loopback-fetch.js';
import { phraseMethod } from '../support/phrase-method/phrase-method.js';
import { startServer, type TestResponse, type TestServer } from '../support/secrets-server.js';

/** Two mounts of one method and two of another, as a configuration names them: nothing else was written for that. */

let cloud: FakeCloud;
let clock: FakeClock;
let storage: RootStorage;
let server: TestServer;
let unsealKey: Buffer;
let root: string;

const endpoints = (): string => `endpoints {
  CloudPublicCloud {
    authority = "${cloud.origin}"  resource_manager = "${cloud.origin}/arm"
    resource_manager_audience = "${cloud.origin}/arm"  graph = "${cloud.origin}/graph"
  }
  metadata = "${cloud.origin}"
}`;
const all = (): string => `
  auth "cloud" { path = "team-a"  ${endpoints()} }
  auth "cloud" { path = "team-b/cloud"  login_burst = 2  login_rate = 1  ${endpoints()} }
  auth "phrase" { max_tokens_per_identity = 1 }
  auth "phrase" { path = "long"  shortest = 10 }`;

function read(text: string): ServerConfig {
  return readServerSettings([{ name: 'server.hcl', text: `storage "memory" {}\n${text}` }], {
    dev: true,
    onWarning: (warning) => expect(warning).toBe(''),
    methods: [...authMethods, phraseMethod],
  });
}

async function start(text: string): Promise<void> {
  server = await startServer({
    clock,
    storage,
    config: { auth: read(text).auth },
    unsealed: false,
    fetch: loopbackFetch,
    environment: { PHRASE_OF_ALL: 'speak friend and enter' },
  });
}

async function restart(text: string): Promise<void> {
  await server.close();
  await start(text);
  await server.server.unseal(Buffer.from(unsealKey));
}

beforeEach(async () => {
  clock = createFakeClock();
  cloud = await createFakeCloud({ now: clock.now });
  storage = { ...createMemoryStorage(), close: async () => undefined };
  await start(all());
  const made = await server.server.initialize();
  unsealKey = Buffer.from(made.unsealKey);
  root = made.rootToken;
  await server.server.unseal(made.unsealKey);
});
afterEach(async () => {
  await server.close();
  await cloud.close();
});

const call = (
  method: string,
  path: string,
  body?: unknown,
  token: string | null = root,
): Promise<TestResponse> => server.call(method, path, { token, body });
const statusOf = async (response: Promise<TestResponse>): Promise<number> => (await response).status;
const write = async (path: string, body: unknown): Promise<void> =>
  expect((await call('PUT', path, body)).status).toBe(204);
const configure = async (mount: string, resource = audience): Promise<void> => {
  await write(`auth/${mount}/config`, { tenant_id: tenant, resource, client_id: clientId });
  await write(`auth/${mount}/role/dev`, { bound_service_principal_ids: [principal], token_ttl: 60 });
};
const logIn = async (mount: string): Promise<TestResponse> =>
  call('POST', `auth/${mount}/login`, { role: 'dev', jwt: await cloud.token() }, null);
const speak = (mount: string, phrase: string): Promise<TestResponse> =>
  call('POST', `auth/${mount}/login/dev`, { phrase }, null);
const tokenOf = ({ body }: TestResponse): string => String(body.auth?.client_token);

describe('mounts of several methods', () => {
  it('are made once, however often the store could not be opened before', async () => {
    await server.close();
    const whole = storage;
    let isFull = true;
    storage = {
      ...whole,
      async get(path) {
        if (isFull && path === 'sys/audit/salt')
          throw new SecretsError('storage-failed', 'the disk is broken');
        return whole.get(path);
      },
    };
    await start(all());
    const idle = clock.pending;
    const unseal = (): Promise<void> => server.server.unseal(Buffer.from(unsealKey));
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(unseal()).rejects.toMatchObject({ code: 'storage-failed' });
    expect(clock.pending).toBe(idle);
    isFull = false;
    await unseal();
    expect(clock.pending).toBeGreaterThan(idle);
  });

  it('are listed, each with its method', async () => {
    const { data } = (await call('GET', 'sys/auth')).body;
    expect(
      Object.entries(data ?? {}).map(([path, mount]) => [path, (mount as { readonly type: string }).type]),
    ).toEqual([
      ['team-a/', 'cloud'],
      ['team-b/cloud/', 'cloud'],
      ['phrase/', 'phrase'],
      ['long/', 'phrase'],
      ['token/', 'token'],
    ]);
  });

  it.each([
    ['each where a role may log in', () => all(), ['auth/team-a', 'auth/team-b/cloud']],
    ['none where no method of the page is mounted', () => 'auth "phrase" {}', []],
  ])('have a button of the page: %s', async (_, blocks, mounts) => {
    await restart(blocks());
    const { status, text } = await server.call('GET', '/ui/', { token: null });
    expect(status).toBe(200);
    const buttons = [
      ...text.matchAll(/<button type="submit" formaction="\/v1\/(.*?)\/login">Log in at (.*?)</g),
    ];
    expect(buttons.map(([, action, label]) => [action, label])).toEqual(mounts.map((path) => [path, path]));
    expect(text.includes('<form')).toBe(mounts.length > 0);
  });

  it('keep configuration and roles apart', async () => {
    await configure('team-a');
    expect(await statusOf(call('GET', 'auth/team-b/cloud/config'))).toBe(404);
    expect(await statusOf(call('LIST', 'auth/team-b/cloud/role'))).toBe(404);
    await configure('team-b/cloud', 'https://other.example/');
    expect((await call('GET', 'auth/team-a/config')).body.data?.resource).toBe(audience);
    await call('DELETE', 'auth/team-b/cloud/role/dev');
    expect((await call('LIST', 'auth/team-a/role')).body.data?.keys).toEqual(['dev']);
  });

  it('log in by their own configuration, and say in the token where that was', async () => {
    await configure('team-a');
    await configure('team-b/cloud', 'https://other.example/');
    const response = await logIn('team-a');
    expect(await statusOf(logIn('team-b/cloud'))).toBe(403);
    const { data } = (await call('GET', 'auth/token/lookup-self', undefined, tokenOf(response))).body;
    expect(data).toMatchObject({ path: 'auth/team-a/login', display_name: `team-a-${principal}` });
  });

  it('take settings of their own from their blocks', async () => {
    expect(await statusOf(call('PUT', 'auth/phrase/role/dev', { phrase: 'four' }))).toBe(204);
    expect(await statusOf(call('PUT', 'auth/long/role/dev', { phrase: 'four' }))).toBe(400);
    expect(await statusOf(speak('phrase', 'speak friend and enter'))).toBe(200);
  });

  it('count logins and tokens by themselves', async () => {
    await configure('team-a');
    await configure('team-b/cloud');
    const statuses = [];
    for (const mount of ['team-b/cloud', 'team-b/cloud', 'team-b/cloud', 'team-a'])
      statuses.push((await logIn(mount)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    for (const mount of ['phrase', 'long']) await write(`auth/${mount}/role/dev`, { phrase: 'ten letters' });
    const spoken = [];
    for (const mount of ['phrase', 'phrase', 'long', 'long'])
      spoken.push((await speak(mount, 'ten letters')).status);
    expect(spoken).toEqual([200, 429, 200, 200]);
  });

  it('have rights of their own', async () => {
    await write('auth/phrase/role/dev', { phrase: 'a phrase', token_policies: 'reader' });
    await write('sys/policies/acl/reader', {
      policy: 'path "auth/phrase/role/+" { capabilities = ["read"] }',
    });
    await write('auth/long/role/dev', { phrase: 'a long phrase' });
    const token = tokenOf(await speak('phrase', 'a phrase'));
    expect(await statusOf(call('GET', 'auth/phrase/role/dev', undefined, token))).toBe(200);
    expect(await statusOf(call('GET', 'auth/long/role/dev', undefined, token))).toBe(403);
    expect(await statusOf(call('PUT', 'auth/phrase/role/dev', {}, token))).toBe(403);
  });

  it('renew by the role of their own mount', async () => {
    for (const mount of ['phrase', 'long'])
      await write(`auth/${mount}/role/dev`, { phrase: 'ten letters', token_ttl: 60 });
    const token = tokenOf(await speak('phrase', 'ten letters'));
    await write('auth/long/role/dev', { token_ttl: 500 });
    const renew = (): Promise<TestResponse> => call('PUT', 'auth/token/renew-self', {}, token);
    expect((await renew()).body.auth?.lease_duration).toBe(60);
    await write('auth/phrase/role/dev', { token_ttl: 90 });
    expect((await renew()).body.auth?.lease_duration).toBe(90);
  });
});

describe('a reload', () => {
  it.each<readonly [what: string, blocks: string, changed: readonly string[]]>([
    ['nothing for other order', 'auth "phrase" { path = "b" } auth "cloud" { path = "a" }', []],
    ['a mount that is gone', 'auth "cloud" { path = "a" }', ['the mount auth/b']],
    [
      'a mount that is renamed',
      'auth "cloud" { path = "a" } auth "phrase" { path = "c" }',
      ['the mount auth/b', 'the mount auth/c'],
    ],
    [
      'a mount of another method',
      'auth "cloud" { path = "a" } auth "cloud" { path = "b" }',
      ['the mount auth/b'],
    ],
    [
      'settings, each with its mount',
      'auth "cloud" { path = "a"  jwks_cooldown = "5s" } auth "phrase" { path = "b"  shortest = 9  login_rate = 3 }',
      ['auth/a: auth.jwks_cooldown', 'auth/b: a limit of logins in auth', 'auth/b: auth.shortest'],
    ],
  ])('reports %s', async (_, blocks, changed) => {
    await server.close();
    await start('auth "cloud" { path = "a" } auth "phrase" { path = "b" }');
    await server.server.reload(read(blocks));
    const settings = server.logger.lines.flatMap(({ fields }) => fields.setting ?? []);
    expect(settings.filter((setting) => /auth/.test(String(setting)))).toEqual(changed);
  });
});

describe('a mount that is not configured any more', () => {
  const removed = (): readonly unknown[] =>
    server.logger.lines
      .filter(({ message }) => message.startsWith('this mount is not configured any more'))
      .map(({ fields, message }) => ({ ...fields, retains: message.includes('its data stays') }));

  it('leaves its data, says so, and is there again with its block', async () => {
    await write('auth/long/role/dev', { phrase: 'a long phrase' });
    const token = tokenOf(await speak('long', 'a long phrase'));
    expect(removed()).toEqual([]);
    await restart('auth "phrase" {}');
    expect(removed()).toEqual([
      { mount: 'auth/long', type: 'phrase', retains: true },
      { mount: 'auth/team-a', type: 'cloud', retains: false },
      { mount: 'auth/team-b/cloud', type: 'cloud', retains: false },
    ]);
    expect(await statusOf(speak('long', 'a long phrase'))).toBe(404);
    expect(await statusOf(call('GET', 'auth/token/lookup-self', undefined, token))).toBe(200);
    expect(await statusOf(call('PUT', 'auth/token/renew-self', {}, token))).toBe(400);
    await restart(all());
    expect(removed()).toEqual([]);
    expect(await statusOf(speak('long', 'a long phrase'))).toBe(200);
    expect(await statusOf(call('PUT', 'auth/token/renew-self', {}, token))).toBe(200);
  });

  it.each([
    ['another method', 'long', 'auth/long holds the data of the method phrase: mount cloud at another path'],
    ['a mount in it', 'long/role', 'auth/long holds data, and auth/long/role is in the way of it'],
    ['a mount around it', 'team-b', 'auth/team-b/cloud holds data, and auth/team-b is in the way of it'],
  ])('does not give its data to %s', async (_, path, message) => {
    await write('auth/long/role/dev', { phrase: 'a long phrase' });
    await configure('team-b/cloud');
    await server.close();
    await start(`auth "cloud" { path = "${path}" }`);
    await expect(server.server.unseal(Buffer.from(unsealKey))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(message) as string,
    });
    expect(server.server.isSealed()).toBe(true);
    await restart(all());
    expect(server.server.isSealed()).toBe(false);
  });

  it('is removed completely if another one next to it was rejected', async () => {
    await write('auth/long/role/dev', { phrase: 'a long phrase' });
    await server.close();
    await start('auth "phrase" { path = "new" } auth "cloud" { path = "long" }');
    await expect(server.server.unseal(Buffer.from(unsealKey))).rejects.toMatchObject({ code: 'conflict' });
    await restart('auth "cloud" { path = "new" }');
    expect(server.server.isSealed()).toBe(false);
  });

  it.each([
    ['another method', 'auth "cloud" { path = "long" }', 'long'],
    ['a mount in it', 'auth "phrase" { path = "long/inner" }', 'long/inner'],
    ['a mount around it', 'auth "phrase" { path = "team-b" }', 'team-b'],
  ])('leaves its path to %s when it has stored nothing', async (_, text, path) => {
    await restart(text);
    expect(Object.keys((await call('GET', 'sys/auth')).body.data ?? {})).toEqual([`${path}/`, 'token/']);
    const before = removed();
    await restart(text);
    expect(removed()).toEqual(before);
  });
});
