import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { code, createCloudFixture, refusal, type CloudFixture } from '../../support/cloud-fixture.js';
import { privilegedCalls, subscription } from '../../support/fake-cloud.js';
import {
  application,
  identities,
  machines,
  principal,
  resourceId,
  scaleSets,
  type FakeResource,
} from '../../support/fake-resources.js';

const otherId = '99999999-9999-4999-8999-999999999999';
const place = { subscription_id: subscription, resource_group_name: 'rg1' };
const vm1 = { ...place, vm_name: 'vm1' };
const flat = { code: 'permission-denied', message: 'permission denied' };

let fixture: CloudFixture;

beforeEach(async () => {
  fixture = await createCloudFixture();
  await fixture.configure();
});
afterEach(() => fixture.close());

type Fields = Readonly<Record<string, unknown>>;

async function role(fields: Fields): Promise<void> {
  await fixture.call('delete', 'role/dev');
  await fixture.role(fields);
}

async function logIn(fields: Fields, claims: Fields = {}): Promise<Readonly<Record<string, string>>> {
  return (await fixture.logIn({ ...fields, jwt: await fixture.cloud.token(claims) })).metadata;
}

async function isDenied(fields: Fields, claims: Fields = {}): Promise<void> {
  expect(await refusal(logIn(fields, claims))).toMatchObject(flat);
}

const put = (type: string, name: string, resource: FakeResource, group?: string): void =>
  fixture.cloud.resources.put(resourceId(type, name, group), resource);

describe('a machine', () => {
  it('M01 T10 is confirmed with one token and one request that shows it', async () => {
    await role({ bound_subscription_ids: [subscription], bound_service_principal_ids: [principal] });
    expect(await logIn(vm1)).toEqual({ role: 'dev', ...vm1, app_id: application });
    expect(fixture.cloud.count('token')).toBe(1);
    expect(fixture.cloud.count(...privilegedCalls)).toBe(2);
    const call = fixture.cloud.calls.find(({ kind }) => kind === 'machine');
    expect(call?.authorization).toMatch(/^Bearer access-/);
    expect(call?.query.get('$expand')).toBe('instanceView');
    expect(call?.query.get('api-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    await logIn(vm1);
    expect(fixture.cloud.count('token')).toBe(1);
  });

  it('M02 is not another machine of the same principal', async () => {
    put(machines, 'vm1', { location: 'westus', identity: { principalId: principal } });
    put(machines, 'vm2', { location: 'eastus', identity: { principalId: principal } });
    await role({ bound_locations: ['eastus'], bound_service_principal_ids: [principal] });
    await isDenied({ ...place, vm_name: 'vm2' });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
    await logIn({ ...place, vm_name: 'vm2' }, { xms_mirid: resourceId(machines, 'vm2') });
  });

  it('M03 is named in whole, and so is its group', async () => {
    put(machines, 'web', { location: 'eastus', identity: { principalId: principal } });
    put(machines, 'web', { location: 'eastus', identity: { principalId: principal } }, 'prod');
    await role({ bound_locations: ['eastus'] });
    await isDenied({ ...place, vm_name: 'web' }, { xms_mirid: resourceId(machines, 'web-2') });
    const prod = { ...place, resource_group_name: 'prod', vm_name: 'web' };
    await isDenied(prod, { xms_mirid: resourceId(machines, 'web', 'prod-eu') });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
    await logIn(prod, { xms_mirid: resourceId(machines, 'web', 'PROD') });
  });

  it('M04 is bound to its location, in any case', async () => {
    await role({ bound_locations: ['westus'], bound_service_principal_ids: [principal] });
    await isDenied(vm1);
    await role({ bound_locations: ['EastUS'], bound_service_principal_ids: [principal] });
    await logIn(vm1);
  });

  it.each(['East US', ' eastUS ', 'east us'])(
    'is bound to its location under its other name: %s',
    async (name) => {
      await role({ bound_locations: [name], bound_service_principal_ids: [principal] });
      await logIn(vm1);
      await role({ bound_locations: ['East US 2'] });
      await isDenied(vm1);
    },
  );

  it('is bound to its location if the cloud reports the display name', async () => {
    put(machines, 'vm1', { location: 'East US', identity: { principalId: principal } });
    await role({ bound_locations: ['eastus'], bound_service_principal_ids: [principal] });
    await logIn(vm1);
    await role({ bound_locations: ['East US 2'] });
    await isDenied(vm1);
  });

  it('M05 is bound to its subscription and group, in any case', async () => {
    await role({ bound_subscription_ids: [otherId] });
    await isDenied(vm1);
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
    await role({ bound_resource_groups: ['rg2'] });
    await isDenied(vm1);
    await role({ bound_subscription_ids: [subscription.toUpperCase()], bound_resource_groups: ['RG1'] });
    await logIn(vm1);
  });

  it('without a known location is bound to none', async () => {
    put(machines, 'vm1', { identity: { principalId: principal } });
    await role({ bound_locations: ['eastus'] });
    await isDenied(vm1);
  });

  it('that has no identity, another one, or does not exist is not confirmed', async () => {
    await role({ bound_locations: ['eastus'] });
    put(machines, 'vm1', { location: 'eastus' });
    await isDenied(vm1);
    put(machines, 'vm1', { location: 'eastus', identity: { principalId: otherId } });
    await isDenied(vm1);
    fixture.cloud.resources.remove(resourceId(machines, 'vm1'));
    await isDenied(vm1);
    expect(fixture.cloud.count('machine')).toBe(3);
  });

  it('may have its principal from an assigned identity, in any case', async () => {
    const userAssignedIdentities = {
      [resourceId(identities, 'id1')]: { principalId: principal.toUpperCase() },
    };
    put(machines, 'vm1', { location: 'eastus', identity: { userAssignedIdentities } });
    await role({ bound_locations: ['eastus'] });
    await logIn(vm1);
    expect(fixture.cloud.count('identity')).toBe(0);
  });

  it('is found in either claim', async () => {
    await role({ bound_locations: ['eastus'] });
    const identity = resourceId(identities, 'id1');
    await logIn(vm1, { xms_mirid: identity, xms_az_rid: resourceId(machines, 'vm1') });
    await isDenied(vm1, { xms_mirid: identity, xms_az_rid: resourceId(machines, 'vm2') });
    await isDenied(vm1, { xms_mirid: undefined });
    await isDenied(vm1, { xms_mirid: 'nonsense', xms_az_rid: 7 });
  });

  it('lies in the subscription of the token', async () => {
    await role({ bound_locations: ['eastus'] });
    await isDenied(vm1, { xms_mirid: resourceId(machines, 'vm1').replace(subscription, otherId) });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('of a role that binds places has to say where it runs', async () => {
    await role({ bound_locations: ['eastus'] });
    expect(await refusal(logIn({ vm_name: 'vm1' }))).toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining('subscription_id'),
    });
    await isDenied(place);
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });
});

describe('a scale set', () => {
  const vmss1 = { ...place, vmss_name: 'vmss1' };
  const uniform = { xms_mirid: resourceId(scaleSets, 'vmss1') };
  const flexible = { xms_mirid: resourceId(machines, 'vmss1_ab12') };

  it('M09 goes before a machine, whose name is not even looked at', async () => {
    await role({ bound_scale_sets: ['vmss1'], bound_service_principal_ids: [principal] });
    expect(await logIn(vmss1, uniform)).toEqual({ role: 'dev', ...vmss1, app_id: application });
    expect(await logIn({ ...vmss1, vm_name: '../nonsense' }, uniform)).not.toHaveProperty('vm_name');
    expect(fixture.cloud.count('scale-set')).toBe(2);
    expect(fixture.cloud.count('machine')).toBe(0);
  });

  it('M10 in flexible mode is queried once more for a missing identity', async () => {
    const userAssignedIdentities = { [resourceId(identities, 'id1')]: {} };
    put(scaleSets, 'vmss1', { location: 'eastus', identity: { userAssignedIdentities } });
    put(identities, 'id1', { properties: { principalId: principal } });
    await role({ bound_scale_sets: ['VMSS1'] });
    await logIn(vmss1, flexible);
    expect(fixture.cloud.count('identity')).toBe(1);
    put(identities, 'id1', { properties: { principalId: otherId } });
    await isDenied(vmss1, flexible);
  });

  it('M11 is not satisfied by a machine or another resource', async () => {
    await role({ bound_scale_sets: ['vmss1', 'vm1'] });
    await isDenied(vm1);
    await isDenied({ ...place, resource_id: resourceId(machines, 'vm1') });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('is bound by its name, and named by the token', async () => {
    put(scaleSets, 'vmss2', { location: 'eastus', identity: { principalId: principal } });
    await role({ bound_scale_sets: ['vmss2'] });
    await isDenied(vmss1, uniform);
    await isDenied({ ...place, vmss_name: 'vmss2' }, uniform);
    await isDenied({ ...place, vmss_name: 'vmss2' }, flexible);
    await isDenied({ ...place, vmss_name: 'vmss2' }, { xms_mirid: resourceId(scaleSets, 'vmss20') });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('is not another set whose name begins alike', async () => {
    await role({ bound_scale_sets: ['vmss1'] });
    await isDenied(vmss1, { xms_mirid: resourceId(machines, 'vmss1_prod_ab12') });
    await isDenied(vmss1, { xms_mirid: resourceId(machines, 'vmss1_') });
    await isDenied(vmss1, { xms_mirid: resourceId(machines, 'vmss10_ab12') });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('is queried for a limited number of identities', async () => {
    const ids = Array.from(
      { length: 100 },
      (_, at) => [resourceId(identities, `id${String(at)}`), {}] as const,
    );
    put(scaleSets, 'vmss1', { identity: { userAssignedIdentities: Object.fromEntries(ids) } });
    await role({ bound_scale_sets: ['vmss1'] });
    await isDenied(vmss1, uniform);
    expect(fixture.cloud.count('identity')).toBe(20);
  });
});

describe('another resource', () => {
  const site = resourceId('Microsoft.Web/sites', 'app1');
  const byId = { ...place, resource_id: site };

  beforeEach(async () => {
    put('Microsoft.Web/sites', 'app1', { location: 'eastus', identity: { principalId: principal } });
    fixture.cloud.resources.versions('Microsoft.Web/sites', [
      '2030-01-01-preview',
      '2024-04-01',
      '2020-01-01',
    ]);
    await role({ bound_resource_groups: ['rg1'] });
  });

  it('is requested in the first stable version of its type, which is fetched once', async () => {
    expect(await logIn(byId, { xms_mirid: site })).toMatchObject({ resource_id: site });
    await logIn(byId, { xms_mirid: undefined });
    expect(fixture.cloud.count('provider')).toBe(1);
    const versions = fixture.cloud.calls
      .filter(({ kind }) => kind === 'resource')
      .map(({ query }) => query.get('api-version'));
    expect(versions).toEqual(['2024-04-01', '2024-04-01']);
  });

  it('may be written without the word providers, and means the same', async () => {
    const short = { ...place, resource_id: site.replace('/providers/', '/') };
    expect(await logIn(short, { xms_mirid: site })).toMatchObject({ resource_id: site });
    await isDenied({ ...short, resource_id: short.resource_id.replace('app1', 'app2') }, { xms_mirid: site });
    await isDenied({ ...short, resource_group_name: 'rg2' }, { xms_mirid: site });
  });

  it('is the one that the token names, if it names any', async () => {
    await isDenied(byId);
    await isDenied(byId, { xms_mirid: `${site}-2` });
    await isDenied(byId, { xms_mirid: 'nonsense' });
    await isDenied(byId, { xms_mirid: 7 });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('lies where the request says', async () => {
    const elsewhere = site.replace(subscription, otherId);
    await isDenied({ ...byId, resource_id: elsewhere }, { xms_mirid: elsewhere });
    await isDenied({ ...byId, resource_group_name: 'rg2' }, { xms_mirid: undefined });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it('has no location that a role could bind', async () => {
    await role({ bound_locations: ['eastus'] });
    await isDenied(byId, { xms_mirid: site });
    expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
  });

  it.each([
    'nonsense',
    '/subscriptions/x',
    `${site}/`,
    `${site}/slots`,
    `/${site}`,
    site.replace('app1', '..'),
    site.replace('/providers/', '/').replace('app1', '..'),
    site.replace('/providers/', '/').replace('/app1', ''),
    site.replace('/Microsoft.Web/', '/'),
    site.replace('/providers/', '/providers/providers/'),
    site.replace('app1', 'a%2fb'),
    site.replace('app1', 'a?b'),
    site.replace('app1', 'a#b'),
    site.replace('/providers/', '/providers/../providers/'),
    site.replace(subscription, '..'),
    `https://elsewhere.example${site}`,
    `//elsewhere.example${site}`,
    `${site}\n`,
  ])('must have an id of the right form, not %j', async (id) => {
    const { code: status, message } = await refusal(logIn({ ...place, resource_id: id }));
    expect(status).toBe('bad-request');
    expect(message).toContain('resource_id');
    expect(message).not.toContain('elsewhere');
    expect(fixture.cloud.calls).toEqual([]);
  });
});

describe('an application', () => {
  beforeEach(() => {
    put(machines, 'vm1', { location: 'eastus', identity: { principalId: otherId } });
    put(identities, 'id1', { properties: { clientId: otherId } });
    put(identities, 'id2', { properties: { clientId: application.toUpperCase() } });
  });

  it('may be an identity of the group instead of the principal, on any page', async () => {
    await role({ bound_locations: ['eastus'] });
    await logIn(vm1);
    expect(fixture.cloud.count('identities')).toBe(2);
  });

  it('matches no login if it is in no bound group', async () => {
    await role({ bound_resource_groups: ['rg2', '..', 'a/b'] });
    await isDenied(vm1);
    put(identities, 'id3', { properties: { clientId: application } }, 'rg2');
    await logIn(vm1);
  });

  it('matches no login if the token has none or the machine has no identity', async () => {
    await role({ bound_locations: ['eastus'] });
    await isDenied(vm1, { appid: undefined });
    put(machines, 'vm1', { location: 'eastus' });
    await isDenied(vm1);
    expect(fixture.cloud.count('identities')).toBe(0);
  });
});

describe('the form of a place', () => {
  it.each([
    ['subscription_id', { subscription_id: '..' }],
    ['vm_name', { vm_name: '../a' }],
    ['vmss_name', { vmss_name: 'a/../b' }],
    ['resource_group_name', { resource_group_name: 'a/../b' }],
    ['resource_group_name', { resource_group_name: 'a.' }],
    ['resource_group_name', { resource_group_name: '..' }],
    ['resource_group_name', { resource_group_name: 'a'.repeat(91) }],
    ['vm_name', { vm_name: '1a' }],
    ['vm_name', { vm_name: 'a'.repeat(65) }],
    ['vm_name', { vm_name: 'a\n' }],
  ])('M14 refuses a wrong %s: %j', async (field, body) => {
    await role({ bound_locations: ['eastus'] });
    const { code: status, message } = await refusal(logIn({ ...vm1, ...body }));
    expect(status).toBe('bad-request');
    expect(message).toContain(field);
    expect(fixture.cloud.calls).toEqual([]);
  });

  it('takes groups of any script', async () => {
    put(machines, 'vm1', { location: 'eastus', identity: { principalId: principal } }, 'größe(1)');
    await role({ bound_resource_groups: ['GRÖSSE(1)', 'GRÖßE(1)'] });
    const metadata = await logIn(
      { ...vm1, resource_group_name: 'größe(1)' },
      { xms_mirid: resourceId(machines, 'vm1', 'größe(1)') },
    );
    expect(metadata).toMatchObject({ resource_group_name: 'größe(1)' });
  });
});

describe('a cloud in trouble', () => {
  beforeEach(() => role({ bound_locations: ['eastus'] }));

  it('M18 is retried after its requested delay, within the maximum', async () => {
    fixture.cloud.fail('machine', [{ status: 429, headers: { 'retry-after': '1' } }]);
    const login = logIn(vm1);
    await fixture.clock.awaited(1_000);
    fixture.clock.advance(1_000);
    await login;
    fixture.cloud.fail('machine', [{ status: 429, headers: { 'retry-after': '3600' } }]);
    expect(await code(logIn(vm1))).toBe('cloud-unreachable');
    expect(fixture.cloud.count('machine')).toBe(3);
  });

  it('is tried again with growing delays, then given up', async () => {
    await fixture.configure({ max_retries: 2 });
    fixture.cloud.fail('machine', { always: { status: 503 } });
    const login = code(logIn(vm1));
    // 4 s × (2ⁿ − 1) × (0.8 + 0.4 / 2)
    for (const delay of [4_000, 12_000]) {
      await fixture.clock.awaited(delay);
      fixture.clock.advance(delay);
    }
    expect(await login).toBe('cloud-unreachable');
    expect(fixture.cloud.count('machine')).toBe(3);
  });

  it('is not tried again without retries', async () => {
    await fixture.configure({ max_retries: 0 });
    fixture.cloud.fail('machine', { always: { status: 500, body: 'inner secrets' } });
    const { code: status, message } = await refusal(logIn(vm1));
    expect(status).toBe('cloud-unreachable');
    expect(message).not.toContain('inner');
    expect(fixture.cloud.count('machine')).toBe(1);
  });

  it('denies on a clear no, and says so to the log alone', async () => {
    fixture.cloud.fail('machine', [{ status: 403, body: '{"error":"upstream detail"}' }]);
    const refused = await refusal(logIn(vm1));
    expect(refused).toMatchObject(flat);
    expect(refused.reason).toContain('the cloud does not know the machine');
  });

  it('gets a new access token when one is not accepted any more, once', async () => {
    fixture.cloud.fail('machine', [{ status: 401 }]);
    await logIn(vm1);
    expect(fixture.cloud.count('token')).toBe(2);
    fixture.cloud.fail('machine', { always: { status: 401 } });
    expect(await code(logIn(vm1))).toBe('cloud-unreachable');
    expect(fixture.cloud.count('token')).toBe(3);
  });

  it('that rejects the credentials of the server denies no login', async () => {
    await fixture.configure({ client_secret: 'wrong' });
    const refused = await refusal(logIn(vm1));
    expect(refused.code).toBe('cloud-unreachable');
    expect(JSON.stringify(refused)).not.toContain('wrong');
  });

  it('rejects responses that are too long, malformed or redirected', async () => {
    await fixture.configure({ max_retries: 0 });
    const responses = [
      { status: 200, body: JSON.stringify({ padding: 'x'.repeat(1_100_000) }) },
      { status: 200, body: '[]' },
      { status: 200, body: 'not json' },
      { status: 302, headers: { location: fixture.cloud.origin } },
    ];
    for (const response of responses) {
      fixture.cloud.fail('machine', [response]);
      expect(await code(logIn(vm1))).toBe('cloud-unreachable');
    }
    expect(fixture.cloud.count('unknown')).toBe(0);
  });
});

describe('the credentials of the server', () => {
  beforeEach(() => role({ bound_locations: ['eastus'] }));

  it('are the identity of its own machine without a secret', async () => {
    await fixture.configure({ client_id: '', client_secret: '' });
    await logIn(vm1);
    const call = fixture.cloud.calls.find(({ kind }) => kind === 'metadata');
    expect(call?.query.has('client_id')).toBe(false);
    expect(fixture.cloud.count('token')).toBe(0);
    expect(fixture.cloud.count('metadata')).toBe(1);
  });

  it('are needed for nothing but places', async () => {
    await fixture.configure({ client_id: '', client_secret: '' });
    await role({ bound_service_principal_ids: [principal] });
    await logIn(vm1);
    expect(fixture.cloud.count('metadata', 'token')).toBe(0);
  });

  it('cannot be federated in this edition, which stops only logins that need them', async () => {
    await fixture.configure({ client_secret: '', identity_token_audience: 'api://federated' });
    expect(await refusal(logIn(vm1))).toMatchObject({
      code: 'not-supported',
      message: 'not supported in this edition',
    });
    await role({ bound_service_principal_ids: [principal] });
    await logIn(vm1);
  });

  it('come from the environment where none are configured', async () => {
    await fixture.configure({ client_id: '', client_secret: '' });
    const environment = {
      CLOUD_CLIENT_ID: '33333333-3333-4333-8333-333333333333',
      CLOUD_CLIENT_SECRET: 'abc-the-first-secret',
    };
    const started = await fixture.restart({ environment });
    await started.logIn(vm1);
    expect(started.cloud.count('token')).toBe(1);
  });

  it('are requested once by many concurrent logins', async () => {
    await Promise.all(Array.from({ length: 10 }, () => logIn(vm1)));
    expect(fixture.cloud.count('discovery')).toBe(1);
    expect(fixture.cloud.count('keys')).toBe(1);
    expect(fixture.cloud.count('token')).toBe(1);
    fixture.clock.advance(3_300_000);
    await logIn(vm1);
    expect(fixture.cloud.count('token')).toBe(2);
  });
});
