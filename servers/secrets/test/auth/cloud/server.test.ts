import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noForwardedFor } from '../../../src/http/peer.js';
import { noResponseHeaders } from '../../../src/http/response-headers.js';
import { defaultListener, defaultServerConfig } from '../../../src/server/server-config.js';
import { createCloudMethod } from '../../../src/auth/cloud/cloud-method.js';
import {
  audience,
  clientId,
  clientSecret,
  createFakeCloud,
  subscription,
  tenant,
} from '../../support/fake-cloud.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { createFakeClock } from '../../support/fake-clock.js';
import { application, machines, principal, resourceId } from '../../support/fake-resources.js';
import { loopbackFetch } from '../../support/loopback-fetch.js';
import {
  createMemoryLogger,
  startServer,
  type TestResponse,
  type TestServer,
} from '../../support/secrets-server.js';

/** The method as a caller meets it: over HTTP, with tokens made of its identities. */

let cloud: FakeCloud;
let server: TestServer;
/** What every request to the cloud waits for. */
let silence: Promise<void>;
const logger = createMemoryLogger();

beforeEach(async () => {
  const clock = createFakeClock();
  cloud = await createFakeCloud({ now: clock.now });
  logger.lines.splice(0);
  silence = Promise.resolve();
  server = await startServer({
    clock,
    listeners: [{}, { forwardedFor: { ...noForwardedFor, authorizedCidrs: ['127.0.0.0/8'] } }],
    createMethod: (storage) =>
      createCloudMethod({
        storage,
        clock,
        fetch: async (...request) => {
          await silence;
          return loopbackFetch(...request);
        },
        environment: {},
        endpoints: cloud.endpoints,
        logger,
        random: () => 0.4,
        uuid: randomUUID,
      }),
  });
});
afterEach(async () => {
  await server.close();
  await cloud.close();
});

type Body = Readonly<Record<string, unknown>>;
const config = { tenant_id: tenant, resource: audience, client_id: clientId, client_secret: clientSecret };
const write = (path: string, body: Body): Promise<TestResponse> =>
  server.call('POST', `auth/cloud/${path}`, { body });
const configure = (): Promise<TestResponse> => write('config', config);
const role = (fields: Body): Promise<TestResponse> =>
  write('role/dev', { bound_service_principal_ids: [principal], ...fields });
const logIn = async (fields: Body = {}): Promise<TestResponse> =>
  server.call('POST', 'auth/cloud/login', {
    token: null,
    body: { role: 'dev', jwt: await cloud.token(), ...fields },
  });
const self = (operation: string, token: unknown, method = 'POST'): Promise<TestResponse> =>
  server.call(method, `auth/token/${operation}-self`, { token: String(token) });

/** Holds all requests from now on until the returned function is called. */
function fallSilent(): () => void {
  let speak = (): void => undefined;
  silence = new Promise((resolve) => (speak = resolve));
  return speak;
}

describe('a login in the middle of something', () => {
  beforeEach(async () => {
    await configure();
    await role({});
  });

  it('of a silent cloud: it ends in time, other requests succeed, and the next login is admitted', async () => {
    cloud.fail('discovery', { always: { status: 200, hang: true } });
    const logins = [logIn(), logIn(), logIn()];
    await server.clock.awaited(10_000);
    // The timeout of the login starts before its request is on the wire.
    await expect.poll(() => cloud.count('discovery')).toBe(1);
    expect((await self('lookup', 'none', 'GET')).status).toBe(403);
    expect((await server.call('GET', 'auth/cloud/config')).status).toBe(200);
    server.clock.advance(10_000);
    for (const login of logins) {
      expect(await login).toMatchObject({
        status: 503,
        body: { errors: ['the cloud could not be reached: try again later'] },
      });
    }
    expect(cloud.count('discovery')).toBe(1);
    cloud.heal();
    expect((await logIn()).status).toBe(200);
  });

  it('of a reload: it completes, with the new headers', async () => {
    const speak = fallSilent();
    const login = logIn();
    await server.clock.awaited(10_000);
    const headers = { ...noResponseHeaders, byDefault: new Map([['X-Version', '2']]) };
    const fresh = { ...defaultListener, port: 0, headers };
    await server.server.reload({ ...defaultServerConfig, listeners: [fresh, fresh] });
    await server.server.reopenAudit();
    speak();
    const response = await login;
    expect([response.status, response.headers['x-version']]).toEqual([200, '2']);
    expect((await self('lookup', response.body.auth?.client_token, 'GET')).status).toBe(200);
  });

  it.each([
    ['an hour back', -3_600_000],
    ['a year back', -31_536_000_000],
    ['a year on', 31_536_000_000],
  ])('of a jump of the clock: it is let in, and so is the next one, %s', async (_what, jump) => {
    expect((await logIn()).status).toBe(200);
    const speak = fallSilent();
    server.clock.advance(601_000);
    const login = logIn();
    await server.clock.awaited(10_000);
    server.clock.jump(jump);
    speak();
    expect((await login).status).toBe(200);
    const after = await logIn();
    expect(after.status).toBe(200);
    expect((await self('lookup', after.body.auth?.client_token, 'GET')).status).toBe(200);
  });
});

describe('the cloud method over HTTP', () => {
  it('H02 H03 C01 C08 C09 keeps a configuration for those who may see it', async () => {
    expect(await configure()).toMatchObject({ status: 204, text: '' });
    expect(await server.call('GET', 'auth/cloud/config')).toMatchObject({
      status: 200,
      body: { data: config },
    });
    expect(await server.call('GET', 'auth/cloud/config', { token: 'wrong' })).toMatchObject({ status: 403 });
    expect(await server.call('DELETE', 'auth/cloud/config')).toMatchObject({ status: 204, text: '' });
    expect(await server.call('GET', 'auth/cloud/config')).toMatchObject({
      status: 404,
      body: { errors: [] },
    });
  });

  it('H12 reads JSON whatever it is called', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await server.call('POST', 'auth/cloud/config', { body: config, headers })).status).toBe(204);
  });

  it('H15 returns the whole envelope', async () => {
    await configure();
    const { body } = await server.call('GET', 'auth/cloud/config');
    const envelope = [
      'auth',
      'data',
      'lease_duration',
      'lease_id',
      'renewable',
      'request_id',
      'warnings',
      'wrap_info',
    ];
    expect(Object.keys(body).sort()).toEqual(envelope);
  });

  it('C14 reports the mistake in a field, not its value', async () => {
    const response = await write('config', { ...config, max_retries: 'plenty' });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual(['field "max_retries" must be a whole number, 0 or more']);
  });

  it('R03 R04 R05 R06 lists, reads and deletes roles', async () => {
    expect(await server.call('LIST', 'auth/cloud/role')).toMatchObject({ status: 404, body: { errors: [] } });
    expect((await role({})).status).toBe(204);
    const keys = { status: 200, body: { data: { keys: ['dev'] } } };
    expect(await server.call('LIST', 'auth/cloud/role')).toMatchObject(keys);
    expect(await server.call('GET', 'auth/cloud/role?list=true')).toMatchObject(keys);
    for (const status of [204, 204]) {
      expect((await server.call('DELETE', 'auth/cloud/role/dev')).status).toBe(status);
    }
    expect(await server.call('GET', 'auth/cloud/role/dev')).toMatchObject({
      status: 404,
      body: { errors: [] },
    });
  });

  it('warns with 200 of a lifetime that is cut', async () => {
    const response = await role({ token_max_ttl: '1000h' });
    expect(response).toMatchObject({
      status: 200,
      body: { warnings: [expect.stringContaining('token_max_ttl')] },
    });
  });

  it('L01 makes a token of an identity', async () => {
    await configure();
    await role({ token_policies: ['prod', 'Dev'] });
    const { status, body } = await logIn();
    expect(status).toBe(200);
    expect(body.auth).toMatchObject({
      client_token: expect.stringMatching(/.{20}/),
      accessor: expect.stringMatching(/.{10}/),
      token_policies: ['default', 'dev', 'prod'],
      lease_duration: 2_764_800,
      renewable: true,
    });
  });

  it('L02 L08 refuses alike whatever the reason is, which only the log knows', async () => {
    await configure();
    await role({});
    const jwt = await cloud.token({ aud: 'other' });
    const responses = [await logIn({ jwt }), await logIn({ role: 'nobody' })];
    for (const { status, text } of responses) {
      expect([status, text.trim()]).toEqual([403, '{"errors":["permission denied"]}']);
    }
    expect((await logIn({ jwt: '' })).status).toBe(400);
    const reasons = server.logger.lines.map(({ fields }) => fields['reason']);
    expect(reasons).toContain('the token is for another audience');
    expect(JSON.stringify(server.logger.lines)).not.toContain(jwt);
  });

  it('logs the refused caller, the expectation, and the request ID of the response', async () => {
    await configure();
    await role({});
    const refused = await logIn({ jwt: await cloud.token({ aud: 'other' }), vm_name: 'vm1' });
    const lines = server.logger.lines.filter(({ message }) => message === 'request refused');
    expect(lines.map(({ fields }) => fields)).toEqual([
      {
        request_id: refused.headers['x-secrets-request-id'],
        path: 'auth/cloud/login',
        remote_address: '127.0.0.1',
        code: 'permission-denied',
        reason: 'the token is for another audience',
        ...{ role: 'dev', oid: principal, appid: application, vm_name: 'vm1' },
        ...{ expected: audience, found: 'other' },
      },
    ]);
  });

  it('names the claims and bounds that did not fit, cut, and hides what looks like a token', async () => {
    await configure();
    await role({ bound_group_ids: ['admins'], bound_locations: ['westus'], token_max_ttl: 60 });
    await write('role/far', { bound_group_ids: ['admins'], token_bound_cidrs: ['10.0.0.0/8'] });
    const place = { subscription_id: subscription, resource_group_name: 'rg1', vm_name: 'vm1' };
    const in9 = { groups: Array.from({ length: 12 }, (_, at) => `g${at}`) };
    const attempts: [body: Body, claims: Body, details: Body][] = [
      [{ role: 'far' }, {}, { role: 'far', expected: '10.0.0.0/8', found: '127.0.0.1' }],
      [{ role: `hvs.${'x'.repeat(30)}` }, {}, { role: '(hidden)' }],
      [{}, in9, { found: 'g0, g1, g2, g3, g4, g5, g6, g7, g8, g9' }],
      [{}, { exp: 1 }, { found: 'exp 1' }],
      [{}, { tid: 'x'.repeat(1_000) }, { expected: tenant, found: `${'x'.repeat(256)}...` }],
      [place, { groups: ['admins'] }, { expected: 'westus', found: 'eastus' }],
      [{ ...place, vm_name: 'vm2' }, { groups: ['admins'] }, { found: resourceId(machines, 'vm1') }],
    ];
    for (const [body, claims, details] of attempts) {
      expect((await logIn({ ...body, jwt: await cloud.token(claims) })).status).toBe(403);
      expect(server.logger.lines.at(-1)?.fields).toMatchObject(details);
    }
  });

  it('L11 returns 503 while the cloud cannot be reached', async () => {
    await configure();
    await role({});
    cloud.fail('discovery', [{ status: 500 }]);
    expect(await logIn()).toMatchObject({
      status: 503,
      body: { errors: ['the cloud could not be reached: try again later'] },
    });
    expect((await logIn()).status).toBe(200);
  });

  it('L19 makes no root token', async () => {
    await configure();
    const bound = { bound_group_ids: ['g'] };
    for (const body of [
      { token_policies: ['root'] },
      { token_policies: 'a, Root ' },
      { policies: ['ROOT'] },
    ]) {
      const refused = await server.call('PUT', 'auth/cloud/role/dev', { body: { ...bound, ...body } });
      expect([refused.status, refused.body.errors?.[0]]).toEqual([
        400,
        expect.stringContaining('must not contain root'),
      ]);
    }
    expect((await logIn()).status).toBe(403);
  });

  it('T01 T02 renews by what the role says now', async () => {
    await configure();
    await role({ token_ttl: 60 });
    const { body } = await logIn();
    expect(body.auth).toMatchObject({ lease_duration: 60 });
    await role({ token_ttl: 30 });
    expect((await self('renew', body.auth?.['client_token'])).body.auth).toMatchObject({
      lease_duration: 30,
    });
    await server.call('DELETE', 'auth/cloud/role/dev');
    expect((await self('renew', body.auth?.['client_token'])).status).toBeGreaterThanOrEqual(400);
  });

  it('L17 binds the token to the addresses of the role', async () => {
    await configure();
    await role({ token_bound_cidrs: '127.0.0.0/8' });
    const { body } = await logIn();
    const lookup = async (forwarded?: string): Promise<number> => {
      const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
      const token = String(body.auth?.['client_token']);
      return (await server.call('GET', 'auth/token/lookup-self', { token, headers, listener: 1 })).status;
    };
    expect([await lookup(), await lookup('127.9.9.9'), await lookup('10.1.1.1')]).toEqual([200, 200, 403]);
  });

  it('T03 ends at the explicit maximum whatever is renewed', async () => {
    await configure();
    await role({ token_explicit_max_ttl: 3, token_ttl: 60 });
    const { body } = await logIn();
    const token = body.auth?.['client_token'];
    expect(body.auth).toMatchObject({ lease_duration: 3 });
    server.clock.advance(2_000);
    expect((await self('renew', token)).body.auth?.['lease_duration']).toBeLessThanOrEqual(1);
    server.clock.advance(2_000);
    expect((await self('lookup', token, 'GET')).status).toBe(403);
  });

  it('T07 renews a periodic token for its period, again and again', async () => {
    await configure();
    await role({ token_period: 60 });
    const { body } = await logIn();
    const token = body.auth?.['client_token'];
    expect(body.auth).toMatchObject({ lease_duration: 60 });
    for (let time = 0; time < 2; time += 1) {
      server.clock.advance(50_000);
      expect((await self('renew', token)).body.auth).toMatchObject({ lease_duration: 60 });
    }
  });

  it('T11 lets the last use be used once, however many try', async () => {
    await configure();
    await role({ token_num_uses: 1 });
    const { body } = await logIn();
    const uses = Array.from({ length: 50 }, () => self('lookup', body.auth?.['client_token'], 'GET'));
    const statuses = (await Promise.all(uses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 403)]);
  });

  it('T04 leaves the default policy out on demand', async () => {
    await configure();
    await role({ token_no_default_policy: true, token_policies: ['dev'] });
    const { body } = await logIn();
    expect(body.auth).toMatchObject({ token_policies: ['dev'] });
    expect((await self('lookup', body.auth?.['client_token'], 'GET')).status).toBe(403);
  });

  it('T06 makes batch tokens', async () => {
    await configure();
    await role({ token_type: 'batch' });
    const { body } = await logIn();
    expect(body.auth).toMatchObject({ token_type: 'batch', renewable: false, accessor: '' });
    expect((await self('renew', body.auth?.['client_token'])).status).toBe(400);
  });

  it('M01 T10 puts what the cloud confirms into the token', async () => {
    await configure();
    await role({ bound_subscription_ids: [subscription] });
    const place = { subscription_id: subscription, resource_group_name: 'rg1', vm_name: 'vm1' };
    const { body } = await logIn(place);
    expect((await self('lookup', body.auth?.['client_token'], 'GET')).body.data).toMatchObject({
      meta: { role: 'dev', ...place, app_id: application },
      path: 'auth/cloud/login',
      orphan: true,
    });
    expect(cloud.count('machine')).toBe(1);
  });

  it('X05 rotates nothing while nothing is configured, and 204 when there is something', async () => {
    expect(await write('rotate-root', {})).toMatchObject({
      status: 400,
      body: { errors: ['not configured'] },
    });
    await configure();
    expect(await write('rotate-root', {})).toMatchObject({ status: 204, text: '' });
    expect((await server.call('GET', 'auth/cloud/config')).text).not.toContain('client_secret');
  });

  it.each([
    ['GET', 'auth/cloud/rotate-root', 405],
    ['DELETE', 'auth/cloud/login', 405],
    ['GET', 'auth/cloud/role', 405],
    ['GET', 'auth/cloud/nonsense', 404],
    ['GET', 'auth/cloud/role/-x', 404],
    ['GET', 'auth/cloud/role/a/b', 404],
  ])('responds to %s %s with %i', async (method, path, status) => {
    expect((await server.call(method, path)).status).toBe(status);
  });
});
