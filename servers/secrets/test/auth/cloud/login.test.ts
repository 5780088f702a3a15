import { createPublicKey } from 'node:crypto';
import { exportSPKI, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { code, createCloudFixture, refusal, type CloudFixture } from '../../support/cloud-fixture.js';
import { callMethod } from '../../support/method-caller.js';
import { audience, subscription, tenant, type CallKind } from '../../support/fake-cloud.js';
import { signByHand, signingKey } from '../../support/fake-issuer.js';
import { application, group, principal } from '../../support/fake-resources.js';

const otherId = '99999999-9999-4999-8999-999999999999';
let fixture: CloudFixture;

beforeEach(async () => {
  fixture = await createCloudFixture();
  await fixture.configure();
  await fixture.role();
  fixture.cloud.forgetCalls();
});
afterEach(() => fixture.close());

/** The claims of a good token with changes, signed by the issuer's key. */
const token = (
  claims?: Readonly<Record<string, unknown>>,
  header?: Readonly<Record<string, unknown>>,
): Promise<string> => fixture.cloud.token(claims, header);
const logIn = async (claims?: Readonly<Record<string, unknown>>): Promise<unknown> =>
  fixture.logIn({ jwt: await token(claims) });
const hasRequested = (kind: CallKind): Promise<void> =>
  expect.poll(() => fixture.cloud.count(kind), { interval: 1 }).toBe(1);
const seconds = (): number => Math.floor(fixture.clock.now() / 1_000);
const flat = { code: 'permission-denied', message: 'permission denied' };

describe('a login', () => {
  it('L01 becomes an identity with the parameters of the role', async () => {
    await fixture.role({ token_policies: ['dev', 'prod'], token_ttl: 60, token_type: 'batch' });
    expect(await fixture.logIn({ role: 'Dev' })).toEqual({
      alias: principal,
      role: 'dev',
      metadata: { role: 'Dev', subscription_id: '', resource_group_name: '', app_id: application },
      token: {
        policies: ['dev', 'prod'],
        noDefaultPolicy: false,
        type: 'batch',
        ttl: 60,
        maxTtl: 0,
        explicitMaxTtl: 0,
        period: 0,
        numUses: 0,
        boundCidrs: [],
      },
    });
    expect(fixture.cloud.calls.map(({ kind }) => kind)).toEqual(['discovery', 'keys']);
  });

  it('takes what the OpenID provider itself has signed', async () => {
    const real = await createCloudFixture({ clock: { ...fixture.clock, now: Date.now } });
    await real.configure();
    await real.role();
    const url = `${real.cloud.origin}/metadata/identity/oauth2/token?resource=${encodeURIComponent(audience)}`;
    const response = await fetch(url, { headers: { metadata: 'true' } });
    const { access_token: jwt } = (await response.json()) as { access_token: string };
    expect((await real.logIn({ jwt })).alias).toBe(principal);
    await real.close();
  });

  it('L02 fails when a byte of the signature differs', async () => {
    const good = await token();
    const at = good.lastIndexOf('.') + 10;
    const changed = good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
    expect(await refusal(fixture.logIn({ jwt: changed }))).toMatchObject(flat);
  });

  it('L03 fails with alg none, and with the public key used as a shared secret', async () => {
    const claims = fixture.cloud.claims();
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    const pem = await exportSPKI(createPublicKey(signingKey(0).privateKey));
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: signingKey(0).kid })
      .sign(Buffer.from(pem));
    for (const jwt of [none, confused]) expect(await refusal(fixture.logIn({ jwt }))).toMatchObject(flat);
    expect(fixture.cloud.calls).toEqual([]);
  });

  it('L06 fails after exp, at exp, and without one', async () => {
    for (const exp of [seconds() - 5, seconds(), undefined, 'soon', null]) {
      expect(await refusal(logIn({ exp }))).toMatchObject(flat);
    }
    expect(fixture.cloud.calls).toEqual([]);
    await logIn({ exp: seconds() + 1 });
  });

  it('L07 fails before nbf and needs none', async () => {
    expect(await refusal(logIn({ nbf: seconds() + 600 }))).toMatchObject(flat);
    expect(await refusal(logIn({ nbf: seconds() + 1 }))).toMatchObject(flat);
    await logIn({ nbf: undefined });
    await logIn({ nbf: seconds() });
    await logIn({ exp: seconds() + 9.5, nbf: seconds() - 0.5 });
  });

  it.each([
    [{ jwt: '' }, 'bad-request', 'jwt'],
    [{ jwt: null }, 'bad-request', 'jwt'],
    [{ role: '' }, 'bad-request', 'role'],
    [{ role: 'unknown' }, 'permission-denied', 'permission denied'],
    [{ role: '../config' }, 'permission-denied', 'permission denied'],
    [{ role: '__proto__' }, 'permission-denied', 'permission denied'],
    [{ role: {} }, 'bad-request', 'role'],
    [{ jwt: 'not-a-token' }, 'bad-request', 'jwt'],
    [{ jwt: 'a.b' }, 'bad-request', 'jwt'],
    [{ jwt: 'e30.W10.e30' }, 'bad-request', 'jwt'],
  ])('L08 fails with %j', async (body, expected, word) => {
    const { code: status, message } = await refusal(fixture.logIn(body));
    expect(status).toBe(expected);
    expect(message).toContain(word);
    expect(fixture.cloud.calls).toEqual([]);
  });

  it('is not longer than a token can be', async () => {
    const { code: status, message } = await refusal(logIn({ padding: 'x'.repeat(40_000) }));
    expect([status, message]).toEqual(['bad-request', expect.stringContaining('jwt')]);
  });

  it('L09 fetches the keys at most twice for any number of unknown keys', async () => {
    await fixture.logIn();
    fixture.clock.advance(30_000);
    const jwts = await Promise.all(
      Array.from({ length: 50 }, (_, at) => token({}, { kid: `made-up-${String(at)}` })),
    );
    for (const jwt of jwts.slice(0, 25)) expect(await refusal(fixture.logIn({ jwt }))).toMatchObject(flat);
    const rest = await Promise.all(jwts.slice(25).map((jwt) => refusal(fixture.logIn({ jwt }))));
    expect(rest).toEqual(Array.from({ length: 25 }, () => expect.objectContaining(flat)));
    expect(fixture.cloud.count('keys')).toBe(2);
  });

  it('L10 takes a new key after the cooldown, without a restart', async () => {
    await fixture.logIn();
    fixture.cloud.issuer().rotateKeys();
    const jwt = await token();
    expect(await refusal(fixture.logIn({ jwt }))).toMatchObject(flat);
    fixture.clock.advance(30_000);
    await fixture.logIn({ jwt });
    expect(fixture.cloud.count('keys')).toBe(2);
  });

  it('tries every key for a token that names none', async () => {
    fixture.cloud.issuer().rotateKeys();
    const claims = fixture.cloud.claims();
    const sign = (index: number): Promise<string> =>
      signByHand(claims, signingKey(index), { kid: undefined });
    await fixture.logIn({ jwt: await sign(0) });
    await fixture.logIn({ jwt: await sign(1) });
    expect(await refusal(fixture.logIn({ jwt: await sign(2) }))).toMatchObject(flat);
  });

  it('L11 says that the cloud cannot be reached, follows no redirect, and recovers', async () => {
    fixture.cloud.fail('discovery', [
      { status: 500 },
      { status: 302, headers: { location: `${fixture.cloud.origin}/elsewhere` } },
      { status: 200, body: '{' },
      { status: 200, body: '{"issuer":"x"}' },
    ]);
    for (let time = 0; time < 4; time += 1) expect(await code(fixture.logIn())).toBe('cloud-unreachable');
    await fixture.logIn();
    expect(fixture.cloud.count('unknown')).toBe(0);
  });

  it('L12 is bound to principals, in any case', async () => {
    await fixture.role({ bound_service_principal_ids: [otherId] });
    expect(await refusal(fixture.logIn())).toMatchObject(flat);
    await fixture.role({ bound_service_principal_ids: ['ABCDEF-O1'] });
    await logIn({ oid: 'abcdef-o1' });
  });

  it('L13 is bound to groups', async () => {
    await fixture.call('delete', 'role/dev');
    await fixture.role({ bound_group_ids: [otherId] });
    expect(await refusal(logIn({ groups: [group] }))).toMatchObject(flat);
    await logIn({ groups: [group, otherId.toUpperCase()] });
    expect(await refusal(logIn({ groups: undefined }))).toMatchObject(flat);
    expect(await refusal(logIn({ groups: otherId }))).toMatchObject(flat);
    expect(await refusal(logIn({ groups: undefined, _claim_names: { groups: 'src1' } }))).toMatchObject(flat);
  });

  it('L16 is bound to addresses', async () => {
    await fixture.role({ token_bound_cidrs: ['10.0.0.0/8'] });
    expect(await refusal(fixture.logIn({}, '127.0.0.1'))).toMatchObject(flat);
    expect(await refusal(fixture.logIn({}, '::1'))).toMatchObject(flat);
    expect(fixture.cloud.calls).toEqual([]);
    await fixture.role({ token_bound_cidrs: ['127.0.0.0/8'] });
    expect((await fixture.logIn({}, '127.0.0.1')).token.boundCidrs).toEqual(['127.0.0.0/8']);
  });

  it('has an audience that is compared as it is written', async () => {
    const without = audience.replace(/\/$/, '');
    for (const aud of [without, `${audience}x`, audience.toUpperCase(), [without], [], undefined]) {
      expect(await refusal(logIn({ aud }))).toMatchObject(flat);
    }
    expect(fixture.cloud.calls).toEqual([]);
    await logIn({ aud: ['other', audience] });
  });

  it('has the issuer that the discovery document names, and its tenant', async () => {
    const { issuer } = fixture.cloud.issuer();
    for (const iss of [`${issuer}/`, issuer.toUpperCase(), `${fixture.cloud.origin}/${otherId}`, undefined]) {
      expect(await refusal(logIn({ iss }))).toMatchObject(flat);
    }
    expect(await refusal(logIn({ tid: otherId }))).toMatchObject(flat);
    expect(fixture.cloud.count('keys')).toBe(0);
    await logIn({ tid: tenant.toUpperCase() });
    await logIn({ tid: undefined });
  });

  it('may have at most max_jwt_exp seconds left', async () => {
    await fixture.role({ max_jwt_exp: 100 });
    expect(await refusal(logIn({ exp: seconds() + 101 }))).toMatchObject(flat);
    expect(fixture.cloud.calls).toEqual([]);
    await logIn({ exp: seconds() + 100 });
  });

  it('needs an object id', async () => {
    for (const oid of [undefined, '', 7, null, ['a'], 'x'.repeat(300)]) {
      expect(await refusal(logIn({ oid }))).toMatchObject(flat);
    }
  });

  it('warns of unknown fields, by their names alone', async () => {
    const body = { role: 'dev', jwt: await token(), zebra: 'hidden', apple: 1 };
    expect(await fixture.call('write', 'login', body)).toMatchObject({
      warnings: ['these fields are not known and were ignored: apple, zebra'],
    });
  });

  it('carries what the signed token confirms of the machine, and nothing else', async () => {
    const place = { subscription_id: subscription, resource_group_name: 'RG1' };
    expect((await fixture.logIn({ ...place, vm_name: 'VM1' })).metadata).toEqual({
      role: 'dev',
      ...place,
      vm_name: 'VM1',
      app_id: application,
    });
    expect((await fixture.logIn({ ...place, vm_name: 'vm2' })).metadata).toEqual({
      role: 'dev',
      subscription_id: '',
      resource_group_name: '',
      app_id: application,
    });
    expect(fixture.cloud.count('token', 'machine')).toBe(0);
  });

  it('works by the environment alone, and not at all without configuration', async () => {
    await fixture.call('delete', 'config');
    expect(await refusal(fixture.logIn())).toMatchObject({ code: 'bad-request', message: 'not configured' });
    const started = await fixture.restart({
      environment: { CLOUD_TENANT_ID: tenant, CLOUD_AD_RESOURCE: audience },
    });
    await started.logIn();
  });

  it('ends when the caller leaves', async () => {
    fixture.cloud.fail('discovery', [{ status: 0, hang: true }]);
    const caller = new AbortController();
    const request = {
      operation: 'write',
      path: 'login',
      body: { role: 'dev', jwt: await token() },
      signal: caller.signal,
    } as const;
    const login = code(callMethod(fixture.method, request));
    caller.abort();
    expect(await login).toBe('cloud-unreachable');
  });

  it('ends at its deadline however slow the cloud is', async () => {
    const impatient = await fixture.restart({
      loginDeadline: 5_000,
      transportLimits: { requestTimeout: 7_000, maxResponseLength: 1_000_000 },
    });
    fixture.cloud.fail('discovery', [{ status: 0, hang: true }]);
    const login = code(impatient.logIn());
    await hasRequested('discovery');
    fixture.clock.advance(5_000);
    expect(await login).toBe('cloud-unreachable');
    fixture.clock.advance(2_000);
    await impatient.logIn();
  });

  it('is aborted if one request times out', async () => {
    fixture.cloud.fail('keys', [{ status: 0, hang: true }]);
    const jwt = await token();
    const first = fixture.logIn({ jwt });
    const refused = code(first);
    await hasRequested('keys');
    fixture.clock.advance(10_000);
    expect(await refused).toBe('cloud-unreachable');
    await fixture.logIn({ jwt });
  });
});
