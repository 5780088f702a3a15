import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type TestResponse, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

/** Writes a role and logs in with it. */
async function logIn(
  role: Readonly<Record<string, unknown>>,
): Promise<{ token: string; response: TestResponse }> {
  expect((await server.call('POST', 'auth/cloud/role/dev', { body: role })).status).toBe(204);
  const response = await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
  return { token: String(response.body.auth?.client_token ?? ''), response };
}

const lookup = (token: string): Promise<TestResponse> =>
  server.call('GET', 'auth/token/lookup-self', { token });
const renew = (token: string, body?: unknown): Promise<TestResponse> =>
  server.call('POST', 'auth/token/renew-self', { token, body });

describe('a login', () => {
  it('gives a token with sorted policies, default among them, for 768 hours', async () => {
    const { response, token } = await logIn({ policies: ['prod', ' Dev', 'prod'] });
    expect(response.status).toBe(200);
    expect(response.body.auth).toEqual({
      client_token: token,
      accessor: expect.stringMatching(/^[\w-]{24}$/),
      policies: ['default', 'dev', 'prod'],
      token_policies: ['default', 'dev', 'prod'],
      metadata: { role: 'dev' },
      lease_duration: 2_764_800,
      renewable: true,
      entity_id: '',
      token_type: 'service',
      orphan: true,
      mfa_requirement: null,
      num_uses: 0,
    });
    expect((await lookup(token)).body.data).toMatchObject({
      display_name: 'cloud-someone',
      path: 'auth/cloud/login',
      id: token,
      orphan: true,
      role: 'dev',
      ttl: 2_764_800,
      type: 'service',
      meta: { role: 'dev' },
    });
  });

  it('is where the method is mounted, and renewals find it there', async () => {
    await server.close();
    server = await startServer({ mount: { path: 'team/cloud' } });
    await server.call('PUT', 'auth/team/cloud/role/dev', { body: { ttl: 60 } });
    const response = await server.call('POST', 'auth/team/cloud/login', {
      token: null,
      body: { role: 'dev' },
    });
    const token = String(response.body.auth?.client_token);
    expect((await lookup(token)).body.data).toMatchObject({
      path: 'auth/team/cloud/login',
      display_name: 'team-cloud-someone',
    });
    expect((await renew(token)).body.auth?.lease_duration).toBe(60);
    expect((await server.call('POST', 'auth/cloud/login', { token: null })).status).toBe(404);
  });

  it('never gives root', async () => {
    const { response } = await logIn({ policies: ['ROOT'] });
    expect([response.status, response.body.errors]).toEqual([
      400,
      ['auth methods cannot create root tokens'],
    ]);
  });

  it('ignores a token that is sent along, even a bad one', async () => {
    await logIn({});
    const response = await server.call('POST', 'auth/cloud/login', {
      token: 'nonsense',
      body: { role: 'dev' },
    });
    expect(response.status).toBe(200);
  });
});

describe('the life of a token', () => {
  it('ends at its ttl, and sooner by hand', async () => {
    const { token, response } = await logIn({ ttl: 60 });
    expect(response.body.auth?.lease_duration).toBe(60);
    server.clock.advance(59_999);
    expect((await lookup(token)).status).toBe(200);
    server.clock.advance(1);
    expect((await lookup(token)).body).toEqual({ errors: ['permission denied'] });
    const second = await logIn({ ttl: 60 });
    expect((await server.call('POST', 'auth/token/revoke-self', { token: second.token })).status).toBe(204);
    expect((await lookup(second.token)).status).toBe(403);
  });

  it('is renewed with what its role says now', async () => {
    const { token } = await logIn({ ttl: 60 });
    await server.call('POST', 'auth/cloud/role/dev', { body: { ttl: 30 } });
    expect((await renew(token)).body.auth).toMatchObject({ client_token: token, lease_duration: 30 });
    expect((await renew(token, { increment: '20s' })).body.auth?.lease_duration).toBe(20);
    await server.call('DELETE', 'auth/cloud/role/dev');
    expect((await renew(token)).body.errors).toEqual(['the role of this token is gone']);
  });

  it('never passes an explicit end, however often it is renewed', async () => {
    const { token, response } = await logIn({ ttl: 60, explicitMaxTtl: 3 });
    expect(response.body.auth?.lease_duration).toBe(3);
    expect(response.body.warnings).toHaveLength(1);
    server.clock.advance(2_000);
    expect((await renew(token)).body.auth?.lease_duration).toBe(1);
    server.clock.advance(1_500);
    expect((await lookup(token)).status).toBe(403);
  });

  it('has no end while a period is renewed', async () => {
    const { token, response } = await logIn({ period: 60, maxTtl: 90 });
    expect(response.body.auth?.lease_duration).toBe(60);
    for (let round = 0; round < 5; round += 1) {
      server.clock.advance(50_000);
      expect((await renew(token)).body.auth?.lease_duration).toBe(60);
    }
    expect((await lookup(token)).body.data).toMatchObject({ period: 60, ttl: 60 });
  });

  it('stops at the maximum of its role', async () => {
    const { token } = await logIn({ ttl: 60, maxTtl: 90 });
    server.clock.advance(50_000);
    expect((await renew(token)).body.auth?.lease_duration).toBe(40);
  });
});

describe('a batch token', () => {
  it('has no accessor, cannot be renewed or revoked, and ends by itself', async () => {
    const { token, response } = await logIn({ type: 'batch', ttl: 60 });
    expect(response.body.auth).toMatchObject({ token_type: 'batch', accessor: '', renewable: false });
    expect((await lookup(token)).body.data).toMatchObject({ type: 'batch', ttl: 60 });
    expect((await renew(token)).status).toBe(400);
    expect((await server.call('POST', 'auth/token/revoke-self', { token })).status).toBe(400);
    server.clock.advance(60_000);
    expect((await lookup(token)).status).toBe(403);
  });

  it('cannot be changed or spelled in another way', async () => {
    const { token } = await logIn({ type: 'batch' });
    expect((await lookup('b.')).status).toBe(403);
    for (const other of [`${token}!`, `${token}==`, token.slice(0, -2), `${token.slice(0, -5)}AAAAA`]) {
      expect((await lookup(other)).status).toBe(403);
    }
  });
});

describe('limits of a token', () => {
  it('admits exactly its number of uses, in any order of callers', async () => {
    const { token } = await logIn({ numUses: 3 });
    const responses = await Promise.all(Array.from({ length: 50 }, () => lookup(token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(47);
  });

  it('counts requests that are refused', async () => {
    const { token } = await logIn({ numUses: 2 });
    expect((await server.call('GET', 'auth/cloud/role/dev', { token })).status).toBe(403);
    expect((await lookup(token)).body.data?.num_uses).toBe(0);
    expect((await lookup(token)).status).toBe(403);
  });

  it('binds it to addresses', async () => {
    const { token } = await logIn({ boundCidrs: ['10.0.0.0/8'] });
    expect((await lookup(token)).status).toBe(403);
    const local = await logIn({ boundCidrs: ['127.0.0.0/8'] });
    expect((await lookup(local.token)).body.data?.bound_cidrs).toEqual(['127.0.0.0/8']);
  });

  it('leaves a token without policies nothing, not even itself', async () => {
    const { token, response } = await logIn({ noDefaultPolicy: true });
    expect(response.body.auth?.token_policies).toEqual([]);
    expect((await lookup(token)).status).toBe(403);
  });
});

describe('tokens of tokens', () => {
  const create = (token: string | undefined, body: unknown): Promise<TestResponse> =>
    server.call('POST', 'auth/token/create', { ...(token !== undefined && { token }), body });
  const tokenOf = (response: TestResponse): string => String(response.body.auth?.client_token);

  it('are made with a warning of policies that do not exist', async () => {
    await server.call('POST', 'sys/policies/acl/there', { body: { policy: '' } });
    const requests = ['There', 'nosuch', 'root2'];
    expect((await create(undefined, { policies: requests })).body.warnings).toEqual([
      'these policies do not exist: nosuch, root2',
    ]);
    expect((await create(undefined, { policies: ['there'] })).body.warnings).toBeNull();
    const many = Array.from({ length: 30 }, (_, at) => `p${10 + at}`);
    const { warnings } = (await create(undefined, { policies: many })).body;
    expect(warnings).toEqual([
      expect.stringMatching(/^these policies do not exist: p10, .*, p29 and 10 more$/),
    ]);
  });

  it('end with the one that made them, down to the last', async () => {
    await server.call('POST', 'sys/policies/acl/maker', {
      body: { policy: 'path "auth/token/create" { capabilities = ["update"] }' },
    });
    const first = tokenOf(await create(undefined, { policies: ['maker'], ttl: '1h' }));
    const second = tokenOf(await create(first, { ttl: '1h' }));
    const third = tokenOf(await create(second, { type: 'batch', ttl: '1h' }));
    expect((await lookup(third)).body.data).toMatchObject({ orphan: false, policies: ['default', 'maker'] });
    await server.call('POST', 'auth/token/revoke', { body: { token: first } });
    for (const token of [first, second, third]) expect((await lookup(token)).status).toBe(403);
  });

  it('get no right that their maker lacks, and no id, period or freedom of their own', async () => {
    await server.call('POST', 'sys/policies/acl/maker', {
      body: { policy: 'path "auth/token/*" { capabilities = ["update"] }' },
    });
    const { token } = await logIn({ policies: ['maker'] });
    expect((await create(token, { policies: ['other'] })).status).toBe(400);
    expect((await create(token, { policies: ['root'] })).status).toBe(400);
    for (const body of [{ id: 'chosen-by-me' }, { period: '1h' }, { no_parent: true }]) {
      expect((await create(token, body)).status).toBe(403);
    }
    const limited = await logIn({ policies: ['maker'], numUses: 5 });
    expect((await create(limited.token, {})).status).toBe(400);
    const batch = await logIn({ policies: ['maker'], type: 'batch' });
    expect((await create(batch.token, {})).status).toBe(400);
  });

  it('are found and revoked by their accessor, which never reveals the token', async () => {
    const made = await create(undefined, {
      id: 'chosen-by-root',
      display_name: 'ci runner',
      meta: { team: 'a' },
    });
    expect(tokenOf(made)).toBe('chosen-by-root');
    const accessor = made.body.auth?.accessor;
    const found = await server.call('POST', 'auth/token/lookup-accessor', { body: { accessor } });
    expect(found.body.data).toMatchObject({ id: '', display_name: 'token-ci-runner', meta: { team: 'a' } });
    expect((await create(undefined, { id: 'chosen-by-root' })).status).toBe(400);
    expect((await server.call('POST', 'auth/token/revoke-accessor', { body: { accessor } })).status).toBe(
      204,
    );
    expect((await lookup('chosen-by-root')).status).toBe(403);
    const again = await server.call('POST', 'auth/token/lookup-accessor', { body: { accessor } });
    expect([again.status, again.body.errors]).toEqual([403, ['bad token']]);
  });
});
