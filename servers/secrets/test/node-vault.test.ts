import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rootToken, startServer, type TestResponse, type TestServer } from './support/secrets-server.js';

/**
 * The calls of the client library `node-vault` (0.12) in the shapes that it sends: methods, paths, bodies and headers.
 * real-clients.test.ts runs the library itself where it is installed.
 */

let server: TestServer;
/** A token that calls end, by its id and accessor. */
let spare: Readonly<Record<string, unknown>> = {};
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function send(method: string, path: string, body?: object, token = rootToken): Promise<TestResponse> {
  const headers = { 'X-Vault-Token': token, 'X-Vault-Namespace': 'root' };
  return server.call(method, path, { token: null, body, headers });
}

async function newToken(): Promise<void> {
  const { body } = await send('POST', 'auth/token/create', { policies: ['default'] });
  spare = body.auth ?? {};
}

interface ClientCall {
  readonly name: string;
  readonly send: () => Promise<TestResponse>;
  readonly status: number;
  readonly response?: Readonly<Record<string, unknown>>;
}

const any = expect.anything() as unknown;

const calls: readonly ClientCall[] = [
  { name: 'status', send: () => send('GET', 'sys/seal-status'), status: 200, response: { sealed: false } },
  { name: 'initialized', send: () => send('GET', 'sys/init'), status: 200, response: { initialized: true } },
  { name: 'health', send: () => send('GET', 'sys/health'), status: 200, response: { initialized: true } },
  { name: 'leader', send: () => send('GET', 'sys/leader'), status: 200, response: { is_self: true } },
  { name: 'mounts', send: () => send('GET', 'sys/mounts'), status: 200, response: { data: { 'sys/': any } } },
  { name: 'auths', send: () => send('GET', 'sys/auth'), status: 200, response: { data: { 'cloud/': any } } },
  { name: 'audits', send: () => send('GET', 'sys/audit'), status: 200, response: { data: {} } },
  { name: 'policies', send: () => send('GET', 'sys/policy'), status: 200, response: { data: { keys: any } } },
  {
    name: 'addPolicy',
    send: () => send('PUT', 'sys/policy/some', { name: 'some', rules: 'path "a" { policy = "read" }' }),
    status: 204,
  },
  {
    name: 'getPolicy',
    send: () => send('GET', 'sys/policy/some'),
    status: 200,
    response: { data: { rules: 'path "a" { policy = "read" }' } },
  },
  { name: 'removePolicy', send: () => send('DELETE', 'sys/policy/some'), status: 204 },
  {
    name: 'tokenCreate',
    send: () => send('POST', 'auth/token/create', { policies: ['default'], ttl: '1h' }),
    status: 200,
    response: { auth: { client_token: any } },
  },
  {
    name: 'tokenCreateOrphan',
    send: () => send('POST', 'auth/token/create-orphan', { policies: ['default'] }),
    status: 200,
    response: { auth: { orphan: true } },
  },
  {
    name: 'tokenLookup',
    send: () => send('POST', 'auth/token/lookup', { token: spare.client_token }),
    status: 200,
    response: { data: { accessor: any } },
  },
  {
    name: 'tokenLookupAccessor',
    send: () => send('POST', 'auth/token/lookup-accessor', { accessor: spare.accessor }),
    status: 200,
    response: { data: { accessor: any } },
  },
  {
    name: 'tokenLookupSelf',
    send: () => send('GET', 'auth/token/lookup-self'),
    status: 200,
    response: { data: { policies: ['root'] } },
  },
  {
    name: 'tokenRenew',
    send: () => send('POST', 'auth/token/renew', { token: spare.client_token, increment: '30m' }),
    status: 200,
    response: { auth: { client_token: any } },
  },
  {
    name: 'tokenRenewSelf',
    send: () => send('POST', 'auth/token/renew-self', { increment: '30m' }, String(spare.client_token)),
    status: 200,
    response: { auth: { client_token: any } },
  },
  {
    name: 'tokenAccessors',
    send: () => send('LIST', 'auth/token/accessors'),
    status: 200,
    response: { data: { keys: any } },
  },
  {
    name: 'tokenRevoke',
    send: () => send('POST', 'auth/token/revoke', { token: spare.client_token }),
    status: 204,
  },
  {
    name: 'tokenRevokeAccessor',
    send: () => send('POST', 'auth/token/revoke-accessor', { accessor: spare.accessor }),
    status: 204,
  },
  {
    name: 'tokenRevokeSelf',
    send: () => send('POST', 'auth/token/revoke-self', undefined, String(spare.client_token)),
    status: 204,
  },
  { name: 'revokePrefix', send: () => send('PUT', 'sys/revoke-prefix/auth/cloud'), status: 204 },
  { name: 'rotate', send: () => send('PUT', 'sys/rotate'), status: 204 },
  {
    name: 'generateRootInit',
    send: () => send('PUT', 'sys/generate-root/attempt'),
    status: 200,
    response: { otp: any },
  },
  { name: 'generateRootCancel', send: () => send('DELETE', 'sys/generate-root/attempt'), status: 204 },
  {
    name: 'mount',
    send: () => send('POST', 'sys/mounts/kv', { type: 'kv' }),
    status: 400,
    response: { errors: [expect.stringContaining('auth blocks of the configuration file')] },
  },
  { name: 'unmount', send: () => send('DELETE', 'sys/mounts/kv'), status: 400, response: { errors: [any] } },
  {
    name: 'remount',
    send: () => send('POST', 'sys/remount', { from: 'a', to: 'b' }),
    status: 400,
    response: { errors: [any] },
  },
  {
    name: 'enableAuth',
    send: () => send('POST', 'sys/auth/github', { type: 'github' }),
    status: 400,
    response: { errors: [expect.stringContaining('auth blocks of the configuration file')] },
  },
  {
    name: 'disableAuth',
    send: () => send('DELETE', 'sys/auth/cloud'),
    status: 400,
    response: { errors: [any] },
  },
  {
    name: 'enableAudit',
    send: () => send('PUT', 'sys/audit/file', { type: 'file', options: { path: '/x' } }),
    status: 400,
    response: { errors: [expect.stringContaining('audit "file" of the configuration file')] },
  },
  {
    name: 'disableAudit',
    send: () => send('DELETE', 'sys/audit/file'),
    status: 400,
    response: { errors: [any] },
  },
  // Last: nothing responds after it.
  { name: 'seal', send: () => send('PUT', 'sys/seal'), status: 204 },
];

// One call after another, each on what those before it have left.
describe('a client of another such server', { shuffle: false }, () => {
  it.each(calls)('calls $name', async ({ send: call, status, response = {} }) => {
    await newToken();
    const { status: found, body } = await call();
    expect(found, JSON.stringify(body.errors)).toBe(status);
    expect(body).toMatchObject(response);
  });
});

describe('headers of other such servers', () => {
  beforeAll(async () => {
    await server.close();
    server = await startServer();
  });
  const lookup = (headers: Readonly<Record<string, string>>): Promise<TestResponse> =>
    server.call('GET', 'auth/token/lookup-self', { token: null, headers });

  it('carry the token where ours does not', async () => {
    expect((await lookup({ 'X-Vault-Token': rootToken })).status).toBe(200);
    expect((await lookup({ 'X-Vault-Token': 'wrong' })).status).toBe(403);
    expect((await lookup({ 'X-Vault-Token': 'wrong', 'X-Secrets-Token': rootToken })).status).toBe(200);
    expect((await lookup({ 'X-Vault-Token': rootToken, 'X-Secrets-Token': 'wrong' })).status).toBe(403);
    expect((await lookup({ 'X-Vault-Token': rootToken, Authorization: 'Bearer wrong' })).status).toBe(200);
  });

  it.each(['X-Vault-Namespace', 'X-Secrets-Namespace'])('request the one namespace: %s', async (name) => {
    for (const one of ['', 'root', 'root/', '/']) {
      expect((await lookup({ 'X-Vault-Token': rootToken, [name]: one })).status).toBe(200);
    }
    for (const other of ['team-a', 'root/team', 'rooted', 'ROOT']) {
      const { status, body } = await lookup({ 'X-Vault-Token': rootToken, [name]: other });
      expect([status, body.errors]).toEqual([
        400,
        [`namespaces are not supported: omit ${name.toLowerCase()}, or send root`],
      ]);
    }
  });
});
