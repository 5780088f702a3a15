import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventLoop, yieldToEventLoop } from '@tamis/http';
import type { EndpointResult } from '../../src/api/endpoint-result.js';
import { createRouter, endpointOf } from '../../src/api/endpoint-table.js';
import type { ApiRequest } from '../../src/api/request.js';
import { createPolicyStore, type PolicyStore } from '../../src/policies/policy-store.js';
import { policyRows } from '../../src/routes/policy-routes.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { startServer, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const reader = 'path "auth/cloud/role/*" { capabilities = ["read", "list"] }';

it('policies are written, read, listed and removed', async () => {
  expect((await server.call('LIST', 'sys/policies/acl')).body.data).toEqual({ keys: ['default', 'root'] });
  expect((await server.call('PUT', 'sys/policies/acl/Reader', { body: { policy: reader } })).status).toBe(
    204,
  );
  expect((await server.call('GET', 'sys/policies/acl/reader')).body.data).toEqual({
    name: 'reader',
    policy: reader,
  });
  expect((await server.call('GET', 'sys/policies/acl?list=true')).body.data).toEqual({
    keys: ['default', 'reader', 'root'],
  });
  for (const round of [1, 2]) {
    expect([round, (await server.call('DELETE', 'sys/policies/acl/reader')).status]).toEqual([round, 204]);
  }
  const removed = await server.call('GET', 'sys/policies/acl/reader');
  expect([removed.status, removed.body]).toEqual([404, { errors: [] }]);
});

const request: Omit<ApiRequest, 'signal'> = {
  id: '1',
  operation: 'write',
  path: 'sys/capabilities-self',
  token: null,
  peer: '127.0.0.1',
  query: new Map(),
  readBody: async () => ({}),
};

it.each([
  ['PUT', 'root', { policy: reader }, 'cannot be changed'],
  ['DELETE', 'root', undefined, 'cannot be removed'],
  ['DELETE', 'default', undefined, 'cannot be removed'],
  ['PUT', 'x', {}, 'field "policy"'],
  ['PUT', 'x', { policy: 5 }, 'field "policy"'],
  ['PUT', 'x', { policy: 'path "a" { capabilities = ["reed"] }' }, 'x:1:'],
  ['PUT', '-x', { policy: reader }, 'a policy name'],
  ['PUT', 'x', { policy: 'path "a/{{identity.name}}/*" { policy = "deny" }' }, 'there are no templates'],
  ['PUT', 'x', { policy: '{"path":{"{{x":{"policy":"read"}}}' }, 'there are no templates'],
])('%s %s is refused: %s', async (method, name, body, message) => {
  const response = await server.call(method, `sys/policies/acl/${name}`, { body });
  expect([response.status, response.body.errors?.[0]]).toEqual([400, expect.stringContaining(message)]);
});

it('warns of paths that are written as in a URL', async () => {
  const written = async (...paths: string[]): Promise<unknown> => {
    const policy = paths.map((path) => `path ${JSON.stringify(path)} { policy = "read" }`).join('\n');
    const { status, body } = await server.call('PUT', 'sys/policies/acl/some', { body: { policy } });
    return body.warnings ?? status;
  };
  expect(await written('auth/cloud/role/*', '*', '+/cloud/login', 'v1', 'secret/v1/x')).toBe(204);
  expect(await written('auth/v1/*', '/v1/auth/cloud/role/*', 'V1/sys/auth')).toEqual([
    'path "v1/auth/cloud/role/*" fits nothing: leave v1/ out',
    'path "V1/sys/auth" fits nothing: leave v1/ out',
  ]);
  expect((await server.call('GET', 'sys/policies/acl/some')).body.data?.['policy']).toContain('V1/sys');
});

it('yields to others between any two of many requested paths', async () => {
  const steps: string[] = [];
  const waiting: (() => void)[] = [];
  const store: PolicyStore = {
    ...createPolicyStore(createMemoryStorage()),
    async capabilities(_pending, path) {
      steps.push(path);
      return ['read'];
    },
  };
  const rows = policyRows(store, { defer: (action) => void waiting.push(action) });
  const { handle } = endpointOf(createRouter([{ prefix: 'sys/', rows }])('sys/capabilities-self')!, 'write');
  const controller = new AbortController();
  const send = (paths: readonly string[], signal: AbortSignal): Promise<EndpointResult | void> =>
    handle({ request: { ...request, signal }, body: { paths }, name: '', caller: null });
  const requests = send(['a', 'b', 'c'], new AbortController().signal);
  const left = send(['x', 'y', 'z'], controller.signal);
  const refused = expect(left).rejects.toMatchObject({ code: 'timed-out' });
  for (let turns = 0; turns < 8; turns += 1) {
    await yieldToEventLoop(eventLoop);
    if (turns === 4) controller.abort();
    expect(waiting.length).toBeLessThanOrEqual(1);
    const next = waiting.shift();
    if (next === undefined) break;
    steps.push('turn');
    next();
  }
  expect((await requests)?.kind).toBe('data');
  await refused;
  const work = ['a', 'x', 'b', 'y', 'c'].flatMap((path) => ['turn', path]);
  expect(steps).toEqual([...work, 'turn']);
});

it('a policy lets its holder do what it says, and changes reach tokens that are out', async () => {
  await server.call('PUT', 'sys/policies/acl/reader', { body: { policy: reader } });
  await server.call('PUT', 'auth/cloud/role/dev', { body: { policies: ['reader', 'gone'] } });
  const login = await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
  const token = String(login.body.auth?.client_token);
  const status = async (method: string, path: string): Promise<number> =>
    (await server.call(method, path, { token, body: method === 'GET' || method === 'LIST' ? undefined : {} }))
      .status;
  expect(await status('GET', 'auth/cloud/role/dev')).toBe(200);
  expect(await status('LIST', 'auth/cloud/role')).toBe(200);
  expect(await status('PUT', 'auth/cloud/role/dev')).toBe(403);
  expect(await status('PUT', 'auth/cloud/role/new')).toBe(403);
  expect(await status('DELETE', 'auth/cloud/role/dev')).toBe(403);
  expect(await status('GET', 'sys/policies/acl/reader')).toBe(403);
  const requests = await server.call('POST', 'sys/capabilities-self', {
    token,
    body: { paths: ['auth/cloud/role/dev', 'sys/init'] },
  });
  expect(requests.body.data).toEqual({ 'auth/cloud/role/dev': ['list', 'read'], 'sys/init': ['deny'] });
  await server.call('PUT', 'sys/policies/acl/reader', {
    body: { policy: 'path "auth/cloud/role/dev" { capabilities = ["create"] }' },
  });
  expect(await status('GET', 'auth/cloud/role/dev')).toBe(403);
  // The role is there, so that a write of it is an update.
  expect(await status('PUT', 'auth/cloud/role/dev')).toBe(403);
});
