import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory.js';
import { code, createCloudFixture, refusal, type CloudFixture } from '../../support/cloud-fixture.js';
import { clientSecret, privilegedCalls, subscription } from '../../support/fake-cloud.js';
import { signingKey } from '../../support/fake-issuer.js';
import {
  application,
  identities,
  machines,
  principal,
  resourceId,
  scaleSets,
} from '../../support/fake-resources.js';
import { createPrivateKey, sign } from 'node:crypto';

/** Each test is named by the attack that it keeps out, and fails when what keeps it out is taken away. */

const place = { subscription_id: subscription, resource_group_name: 'rg1' };
const vm1 = { ...place, vm_name: 'vm1' };
let fixture: CloudFixture;

beforeEach(async () => {
  fixture = await createCloudFixture();
  await fixture.configure({ max_retries: 0 });
});
afterEach(() => fixture.close());

type Fields = Readonly<Record<string, unknown>>;
const logIn = async (fields: Fields, claims: Fields = {}): Promise<unknown> =>
  fixture.logIn({ ...fields, jwt: await fixture.cloud.token(claims) });

/** Signs a payload as it is written, which no JSON library would write. */
function signText(
  payload: string,
  header = JSON.stringify({ alg: 'RS256', kid: signingKey(0).kid }),
): string {
  const signed = [header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const signature = sign(
    'sha256',
    Buffer.from(signed),
    createPrivateKey(signingKey(0).privateKey.export({ format: 'pem', type: 'pkcs8' })),
  );
  return `${signed}.${signature.toString('base64url')}`;
}

describe('pitfalls', () => {
  it('a token of one machine does not pass the location of another', async () => {
    fixture.cloud.resources.put(resourceId(machines, 'vm2'), {
      location: 'westus',
      identity: { principalId: principal },
    });
    await fixture.role({ bound_locations: ['westus'] });
    expect(await code(logIn({ ...place, vm_name: 'vm2' }))).toBe('permission-denied');
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('a token of a scale set does not pass as a machine of the same name, nor the other way round', async () => {
    fixture.cloud.resources.put(resourceId(machines, 'vmss1'), {
      location: 'eastus',
      identity: { principalId: principal },
    });
    await fixture.role({ bound_locations: ['eastus'] });
    const set = { xms_mirid: resourceId(scaleSets, 'vmss1') };
    expect(await code(logIn({ ...place, vm_name: 'vmss1' }, set))).toBe('permission-denied');
    const machine = { xms_mirid: resourceId(machines, 'vmss1') };
    expect(await code(logIn({ ...place, vmss_name: 'vmss1' }, machine))).toBe('permission-denied');
  });

  it('a name hidden inside another claim does not pass', async () => {
    await fixture.role({ bound_locations: ['eastus'] });
    const hidden = [
      `${resourceId('Microsoft.Web/sites', 'x')}${resourceId(machines, 'vm1')}`,
      resourceId(`Microsoft.Web/sites/x/virtualMachines`, 'vm1'),
      resourceId('Other.Compute/virtualMachines', 'vm1'),
      `${resourceId(machines, 'vm1')}/extensions/x`,
      ` ${resourceId(machines, 'vm1')}`,
    ];
    for (const xms_mirid of hidden) expect(await code(logIn(vm1, { xms_mirid }))).toBe('permission-denied');
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('a bound subscription cannot be named while another one is queried', async () => {
    const foreign = subscription.replaceAll('2', '9');
    const id = resourceId('Microsoft.Web/sites', 'app1').replace(subscription, foreign);
    fixture.cloud.resources.put(id, { identity: { principalId: principal } });
    await fixture.role({ bound_subscription_ids: [subscription] });
    const login = logIn({ ...place, resource_id: id }, { xms_mirid: undefined });
    expect(await code(login)).toBe('permission-denied');
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('an identity of an unbound group does not replace a machine of an unbound group', async () => {
    fixture.cloud.resources.put(resourceId(machines, 'vm1'), {
      location: 'eastus',
      identity: { principalId: 'other' },
    });
    fixture.cloud.resources.put(resourceId(identities, 'id1'), { properties: { clientId: application } });
    await fixture.role({ bound_resource_groups: ['prod'] });
    expect(await code(logIn(vm1))).toBe('permission-denied');
  });

  it('no field becomes a path, a query or a host', async () => {
    await fixture.role({ bound_locations: ['eastus'] });
    const odd = ['../vm1', 'vm1?x=1', 'vm1#x', 'vm1%2f..', 'vm1/..', '//host', 'vm1\\..', 'vm1;x'];
    for (const text of odd) {
      expect(await code(logIn({ ...place, vm_name: text }))).toBe('bad-request');
      expect(await code(logIn({ ...place, vmss_name: text }))).toBe('bad-request');
      expect(await code(logIn({ ...vm1, resource_group_name: text }))).toBe('bad-request');
      expect(await code(logIn({ ...vm1, subscription_id: text }))).toBe('bad-request');
      const id = resourceId(machines, 'vm1').replace('vm1', text);
      expect(await code(logIn({ ...place, resource_id: id }))).toBe('bad-request');
    }
    expect(fixture.cloud.calls).toEqual([]);
  });

  it('the access token goes to no other host, for any response', async () => {
    const other = await createCloudFixture();
    fixture.cloud.resources.put(resourceId(machines, 'vm1'), {
      location: 'eastus',
      identity: { principalId: 'other' },
    });
    const nextLink = `${other.cloud.origin}/arm/more`;
    fixture.cloud.fail('identities', [{ status: 200, body: JSON.stringify({ value: [], nextLink }) }]);
    await fixture.role({ bound_locations: ['eastus'] });
    expect(await code(logIn(vm1))).toBe('cloud-unreachable');
    fixture.cloud.fail('machine', [{ status: 307, headers: { location: `${other.cloud.origin}/arm/more` } }]);
    expect(await code(logIn(vm1))).toBe('cloud-unreachable');
    expect(other.cloud.calls).toEqual([]);
    await other.close();
  });

  it('a stored role without restrictions admits no login', async () => {
    const storage = createMemoryStorage();
    const started = await fixture.restart({ storage });
    await started.configure();
    await started.role({ bound_service_principal_ids: [principal] });
    const path = 'role/dev';
    const stored = Buffer.from((await storage.get(path))!).toString();
    await storage.write([{ path, value: Buffer.from(stored.replace(principal, '*')) }]);
    expect(await refusal(started.logIn())).toMatchObject({ code: 'permission-denied' });
    await started.method.close();
  });

  it('keys that the token brings or points to are not used', async () => {
    await fixture.role();
    const unknownPeer = signingKey(1);
    const jwk = unknownPeer.publicKey.export({ format: 'jwk' });
    const header = { alg: 'RS256', jwk, jku: `${fixture.cloud.origin}/elsewhere`, kid: 'mine' };
    const claims = fixture.cloud.claims();
    const signed = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('sha256', Buffer.from(signed), unknownPeer.privateKey).toString('base64url');
    expect(await code(fixture.logIn({ jwt: `${signed}.${signature}` }))).toBe('permission-denied');
    expect(fixture.cloud.count('unknown')).toBe(0);
  });

  it('a token that never ends is not accepted', async () => {
    await fixture.role();
    expect(await code(logIn({}, { exp: undefined }))).toBe('permission-denied');
    const claims = JSON.stringify(fixture.cloud.claims({ exp: 4_242 }));
    const endless = signText(claims.replace('4242', '1e999'));
    expect(await code(fixture.logIn({ jwt: endless }))).toBe('permission-denied');
  });

  it('made-up keys do not become requests, not even with many callers at once', async () => {
    await fixture.role();
    await fixture.logIn();
    const flood = Array.from({ length: 40 }, async (_, at) =>
      code(fixture.logIn({ jwt: await fixture.cloud.token({}, { kid: `k${String(at)}` }) })),
    );
    expect(new Set(await Promise.all(flood))).toEqual(new Set(['permission-denied']));
    expect(fixture.cloud.count('keys')).toBe(1);
  });

  it('tokens that cannot pass cause no request at all', async () => {
    await fixture.role();
    for (const claims of [{ aud: 'other' }, { exp: 1 }, { nbf: 2_000_000_000 }, { tid: subscription }]) {
      expect(await code(logIn({}, claims))).toBe('permission-denied');
    }
    expect(fixture.cloud.calls).toEqual([]);
  });

  it.each(['common', 'organizations', 'consumers', 'COMMON'])(
    'the tenant is not %s, which is everybody',
    async (tenant_id) => {
      expect(await code(fixture.call('write', 'config', { tenant_id }))).toBe('bad-request');
    },
  );

  it('the issuer of another tenant of the same cloud is not accepted', async () => {
    const foreign = fixture.cloud.issuer(subscription);
    await fixture.role();
    expect(await code(logIn({}, { iss: foreign.issuer, tid: undefined }))).toBe('permission-denied');
  });

  it('a claim that is given twice is not accepted, however it is spelled', async () => {
    await fixture.role();
    const good = JSON.stringify(fixture.cloud.claims({ oid: undefined }));
    const twice = (first: string, second: string): string =>
      signText(`${good.slice(0, -1)},${first},${second}}`);
    const mine = `"oid":"${principal}"`;
    await fixture.logIn({ jwt: signText(`${good.slice(0, -1)},${mine}}`) });
    for (const jwt of [
      twice('"oid":"other"', mine),
      twice(mine, '"oid":"other"'),
      twice('"\\u006fid":"other"', mine),
      twice('"a":{"b":1,"b":2}', mine),
      signText(JSON.stringify(fixture.cloud.claims()), '{"alg":"RS256","alg":"none"}'),
    ]) {
      expect(await code(fixture.logIn({ jwt }))).toBe('bad-request');
    }
  });

  it('claims that are no UTF-8, or nested without end, are not accepted', async () => {
    const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    expect(await code(fixture.logIn({ jwt: signText(deep) }))).toBe('bad-request');
    const bytes = Buffer.concat([Buffer.from('{"oid":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const header = Buffer.from('{"alg":"RS256"}').toString('base64url');
    expect(await code(fixture.logIn({ jwt: `${header}.${bytes.toString('base64url')}.AAAA` }))).toBe(
      'bad-request',
    );
  });

  it('every refusal reads the same, and the reason is for the log alone', async () => {
    await fixture.role({ bound_locations: ['westus'], token_bound_cidrs: '127.0.0.0/8' });
    const refusals = await Promise.all([
      refusal(fixture.logIn({ role: 'unknown' })),
      refusal(fixture.logIn({}, '10.0.0.1')),
      refusal(logIn({}, { aud: 'other' })),
      refusal(logIn({}, { exp: 1 })),
      refusal(logIn(vm1)),
      refusal(logIn(place)),
      refusal(logIn({ ...place, vm_name: 'vm9' })),
    ]);
    expect(new Set(refusals.map(({ message }) => message))).toEqual(new Set(['permission denied']));
    expect(new Set(refusals.map(({ reason }) => reason)).size).toBe(refusals.length);
  });

  it('a login proves itself before the credentials of the server are used', async () => {
    await fixture.role({ bound_locations: ['eastus'] });
    const good = await fixture.cloud.token();
    const unsigned = `${good.slice(0, good.lastIndexOf('.'))}.AAAA`;
    expect(await code(fixture.logIn({ ...vm1, jwt: unsigned }))).toBe('permission-denied');
    expect(await code(logIn(vm1, { oid: undefined }))).toBe('permission-denied');
    await fixture.role({ bound_service_principal_ids: ['somebody else'] });
    expect(await code(logIn(vm1))).toBe('permission-denied');
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('an issuer that is down is not queried by every login', async () => {
    await fixture.role();
    fixture.cloud.fail('discovery', { always: { status: 500 } });
    for (let login = 0; login < 50; login += 1) expect(await code(fixture.logIn())).toBe('cloud-unreachable');
    expect(fixture.cloud.count('discovery')).toBe(5);
    fixture.cloud.heal();
    fixture.clock.advance(1_000);
    await fixture.logIn();
  });

  it('no secret is in an error, a reason or the log', async () => {
    await fixture.role({ bound_locations: ['eastus'] });
    const jwt = await fixture.cloud.token();
    const reported: unknown[] = [];
    const echo = JSON.stringify({ error: clientSecret, token: jwt });
    for (const kind of ['token', 'machine', 'discovery', 'keys'] as const) {
      await fixture.configure({ max_retries: 0 });
      fixture.cloud.fail(kind, [{ status: 500, body: echo }]);
      reported.push(await refusal(fixture.logIn({ ...vm1, jwt })));
    }
    reported.push(await refusal(fixture.call('write', 'config', { client_secret: [clientSecret] })));
    reported.push(await refusal(fixture.call('write', 'config', { max_retries: clientSecret })));
    reported.push(await refusal(fixture.call('write', 'login', { role: { [clientSecret]: jwt } })));
    const text = JSON.stringify([reported, fixture.log]);
    expect(text).not.toContain(clientSecret);
    expect(text).not.toContain(jwt.slice(0, 60));
    expect(text).not.toContain('access-');
  });

  it('unconfirmed values are not in the metadata', async () => {
    await fixture.role();
    const claims = [{ xms_mirid: undefined }, { xms_mirid: resourceId(machines, 'vm2') }];
    for (const changes of claims) {
      expect(await logIn({ ...vm1 }, changes)).toMatchObject({
        metadata: { role: 'dev', subscription_id: '', resource_group_name: '', app_id: application },
      });
    }
  });

  it('a key set without TLS on another host is not fetched', async () => {
    await fixture.role();
    const { issuer } = fixture.cloud.issuer();
    const body = JSON.stringify({ issuer, jwks_uri: 'http://keys.example/' });
    fixture.cloud.fail('discovery', [{ status: 200, body }]);
    expect(await refusal(fixture.logIn())).toMatchObject({
      code: 'cloud-unreachable',
      reason: expect.stringContaining('no https://'),
    });
  });
});
