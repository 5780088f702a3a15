import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { RootStorage } from '../../src/storage/storage.js';
import { createFakeMethod } from '../support/fake-method.js';
import { startServer, type TestResponse, type TestServer } from '../support/secrets-server.js';

/**
 * Requests whose body comes late: their rights may be revoked between start and handling, and the sender chooses when that is.
 */

let server: TestServer;
/** Called when the policy `holder` is read, which is when a request of its holder is admitted. */
let admitted: () => void = () => undefined;
/** Opens when a login may go on. */
let gate: Promise<void> = Promise.resolve();
let key = '';
let root = '';

beforeEach(async () => {
  const storage = createMemoryStorage();
  const watched: RootStorage = {
    ...storage,
    async get(path) {
      if (path === 'sys/policy/holder') setImmediate(admitted);
      return storage.get(path);
    },
  };
  gate = Promise.resolve();
  server = await startServer({
    storage: watched,
    unsealed: false,
    createMethod(own) {
      const method = createFakeMethod(own);
      const rows = method.rows.map((row) => {
        const { write } = row.operations;
        if (write === undefined || !('logIn' in write)) return row;
        const logIn: typeof write.logIn = async (call) => {
          await gate;
          return write.logIn(call);
        };
        return { ...row, operations: { write: { ...write, logIn } } };
      });
      return { ...method, rows };
    },
  });
  const { body } = await server.call('PUT', 'sys/init', { token: null, body: {} });
  [key] = body.keys as [string];
  root = String(body.root_token);
  await unseal();
});
afterEach(() => server.close());

const as = (method: string, path: string, body?: object, token = root): Promise<TestResponse> =>
  server.call(method, path, { token, body });
const unseal = (): Promise<TestResponse> => as('PUT', 'sys/unseal', { key });
/** The text of the policy `holder`. */
let owner = '';
const writeOwner = (): Promise<TestResponse> => as('PUT', 'sys/policies/acl/holder', { policy: owner });
const allow = (path: string, capabilities: readonly string[]): Promise<TestResponse> => {
  owner = `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`;
  return writeOwner();
};

async function newToken(more: object = {}): Promise<string> {
  const { body } = await as('POST', 'auth/token/create', { policies: ['holder'], ...more });
  return String(body.auth?.client_token);
}

interface PendingRequest {
  readonly outgoing: ClientRequest;
  readonly response: Promise<IncomingMessage>;
  /** Sends the rest; resolves with status and body of the response. */
  finish(): Promise<readonly [status: number | undefined, text: string]>;
}

/** A request of which all but the last byte has come, and been admitted. */
async function block(path: string, body: object, token: string): Promise<PendingRequest> {
  // The policy is cached and not read once more.
  await writeOwner();
  const isAdmitted = new Promise<void>((resolve) => (admitted = resolve));
  const whole = JSON.stringify(body);
  const { hostname, port } = new URL(server.addresses[0] ?? '');
  const headers = { 'X-Secrets-Token': token, 'Content-Length': whole.length };
  const outgoing = request({ hostname, port, method: 'PUT', path: `/v1/${path}`, headers, agent: false });
  const result = once(outgoing, 'response').then(([response]) => response as IncomingMessage);
  outgoing.write(whole.slice(0, -1));
  await isAdmitted;
  return {
    outgoing,
    response: result,
    async finish() {
      outgoing.end(whole.slice(-1));
      const response = await result;
      return [response.statusCode, await text(response)];
    },
  };
}

describe('a request whose body is held back', () => {
  it('does nothing for a token that is revoked meanwhile', async () => {
    await allow('auth/token/create', ['update']);
    const token = await newToken();
    const pending = await block('auth/token/create', {}, token);
    await as('POST', 'auth/token/revoke', { token });
    const before = (await as('LIST', 'auth/token/accessors')).body.data;
    expect(await pending.finish()).toEqual([403, '{"errors":["permission denied"]}\n']);
    expect((await as('LIST', 'auth/token/accessors')).body.data).toEqual(before);
  });

  it('does nothing for a batch token whose mount is ended meanwhile', async () => {
    await allow('sys/policies/acl/mine', ['create']);
    const token = await newToken({ type: 'batch' });
    const pending = await block('sys/policies/acl/mine', { policy: '' }, token);
    await as('PUT', 'sys/revoke-prefix/auth/token');
    expect((await pending.finish())[0]).toBe(403);
    expect((await as('GET', 'sys/policies/acl/mine')).status).toBe(404);
  });

  it('does nothing when a policy has taken the right away', async () => {
    await allow('sys/policies/acl/mine', ['create']);
    const pending = await block('sys/policies/acl/mine', { policy: '' }, await newToken());
    await allow('sys/policies/acl/mine', ['deny']);
    expect((await pending.finish())[0]).toBe(403);
    expect((await as('GET', 'sys/policies/acl/mine')).status).toBe(404);
  });

  it('does not change what others have made meanwhile, with the right to make it alone', async () => {
    await allow('sys/policies/acl/mine', ['create']);
    const pending = await block('sys/policies/acl/mine', { policy: '# held' }, await newToken());
    await as('PUT', 'sys/policies/acl/mine', { policy: '# of others' });
    expect((await pending.finish())[0]).toBe(403);
    expect((await as('GET', 'sys/policies/acl/mine')).body.data?.policy).toBe('# of others');
  });

  it('takes one use of a token, also when another request has taken the last one', async () => {
    await allow('sys/policies/acl/mine', ['create', 'update']);
    const token = await newToken({ num_uses: 1 });
    const [first, second] = [
      await block('sys/policies/acl/mine', { policy: '# first' }, token),
      await block('sys/policies/acl/mine', { policy: '# second' }, token),
    ];
    expect((await first.finish())[0]).toBe(204);
    expect((await second.finish())[0]).toBe(403);
    expect((await as('GET', 'sys/policies/acl/mine')).body.data?.policy).toBe('# first');
  });

  it.each([
    ['that is refused', 'sys/policies/acl/others', { policy: '' }, 403],
    ['with a wrong body', 'sys/policies/acl/mine', { policy: 7 }, 400],
  ])('takes one use %s', async (_what, path, body, status) => {
    await allow('sys/policies/acl/mine', ['create']);
    const token = await newToken({ num_uses: 1 });
    expect((await as('PUT', path, body, token)).status).toBe(status);
    expect((await as('PUT', 'sys/policies/acl/mine', { policy: '' }, token)).status).toBe(403);
    expect((await as('GET', 'sys/policies/acl/mine')).status).toBe(404);
  });
});

describe('sealing', () => {
  it('ends requests whose body has not come, at once and for good', async () => {
    await allow('auth/token/create', ['update']);
    const pending = await block('auth/token/create', {}, await newToken());
    expect((await as('PUT', 'sys/seal')).status).toBe(204);
    const response = await pending.response;
    expect([response.statusCode, await text(response)]).toEqual([
      503,
      '{"errors":["the server is sealed"]}\n',
    ]);
    pending.outgoing.destroy();
    expect((await unseal()).status).toBe(200);
    expect((await as('LIST', 'auth/token/accessors')).body.data?.keys).toHaveLength(2);
  });

  it('completes after the response to the last pending request: only one server is active', async () => {
    await as('PUT', 'auth/cloud/role/dev', { policies: ['holder'] });
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const login = as('PUT', 'auth/cloud/login', { role: 'dev' });
    await as('GET', 'sys/auth');
    await as('PUT', 'sys/seal');
    const [first, second] = [unseal(), unseal()];
    expect((await as('PUT', 'sys/unseal', { key: '0'.repeat(64) })).status).toBe(400);
    expect((await as('GET', 'sys/seal-status')).body.sealed).toBe(true);
    open();
    const { status, body } = await login;
    expect(status).toBe(200);
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    const token = String(body.auth?.client_token);
    expect((await as('GET', 'auth/token/lookup-self', undefined, token)).status).toBe(200);
  });
});
