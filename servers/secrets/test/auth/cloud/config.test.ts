import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory.js';
import type { Storage } from '../../../src/storage/storage.js';
import { code, createCloudFixture, refusal, type CloudFixture } from '../../support/cloud-fixture.js';
import { audience, clientId, clientSecret, tenant } from '../../support/fake-cloud.js';

const other = '99999999-9999-4999-8999-999999999999';
let fixture: CloudFixture;

beforeEach(async () => {
  fixture = await createCloudFixture();
});
afterEach(() => fixture.close());

const write = (body: Readonly<Record<string, unknown>>): Promise<unknown> =>
  fixture.call('write', 'config', body);

describe('the configuration', () => {
  it('C01 accepts tenant and resource, returns nothing, and reads back with the defaults', async () => {
    expect(await write({ tenant_id: tenant, resource: audience })).toBeUndefined();
    expect(await fixture.read('config')).toEqual({
      tenant_id: tenant,
      resource: audience,
      environment: '',
      client_id: '',
      client_secret: '',
      identity_token_audience: '',
      identity_token_ttl: 3_600,
      max_retries: 3,
      retry_delay: '4s',
      max_retry_delay: '60s',
      rotation: { state: 'none', since: null, old_key_removed: null },
    });
    expect(fixture.cloud.calls).toEqual([]);
  });

  it('logs the fields that it does not know, by their names alone', async () => {
    expect(
      await write({
        tenant_id: tenant,
        resource: audience,
        client_secert: 'hush',
        bogus: 1,
        'hvs.Taken': '',
      }),
    ).toBeUndefined();
    expect(fixture.log.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        ...{ request_id: 'request', path: 'auth/cloud/config' },
        message: 'these fields are not known and were ignored: bogus, client_secert, (hidden)',
      },
    ]);
  });

  it('C04 falls back to the environment, which is not stored', async () => {
    const environment = { CLOUD_TENANT_ID: tenant, CLOUD_AD_RESOURCE: audience };
    const started = await fixture.restart({ environment });
    await started.call('write', 'config', { client_id: clientId });
    expect(await started.read('config')).toMatchObject({ tenant_id: '', resource: '', client_id: clientId });
    await started.role();
    expect((await started.logIn()).role).toBe('dev');
    expect(started.cloud.calls[0]?.path).toBe(`/${tenant}/.well-known/openid-configuration`);
  });

  it('C05 beats the environment', async () => {
    const environment = { CLOUD_TENANT_ID: other, CLOUD_AD_RESOURCE: 'api://other' };
    const started = await fixture.restart({ environment });
    await started.configure();
    await started.role();
    await started.logIn();
    expect(started.cloud.calls.filter(({ path }) => path.includes(other))).toEqual([]);
  });

  it('C06 refuses secret and federation together, and stores nothing', async () => {
    const both = { tenant_id: tenant, resource: audience, client_secret: 's', identity_token_audience: 'a' };
    expect(await code(write(both))).toBe('bad-request');
    expect(await code(fixture.read('config'))).toBe('not-found');
  });

  it('C07 refuses them together across two writes', async () => {
    await fixture.configure();
    expect(await code(write({ identity_token_audience: 'a' }))).toBe('bad-request');
    expect(await fixture.read('config')).toMatchObject({
      client_secret: clientSecret,
      identity_token_audience: '',
    });
    await write({ identity_token_audience: 'a', client_secret: '', identity_token_ttl: '30m' });
    expect(await fixture.read('config')).toMatchObject({
      client_secret: '',
      identity_token_audience: 'a',
      identity_token_ttl: 1_800,
    });
  });

  it('C08 reads back with its credentials', async () => {
    await fixture.configure();
    expect(await fixture.read('config')).toMatchObject({ client_id: clientId, client_secret: clientSecret });
  });

  it('C09 can be deleted, twice, and is gone then', async () => {
    await fixture.configure();
    expect(await fixture.call('delete', 'config')).toBeUndefined();
    expect(await fixture.call('delete', 'config')).toBeUndefined();
    expect(await refusal(fixture.read('config'))).toMatchObject({ code: 'not-found', message: '' });
  });

  it('C12 keeps what a write leaves out, delays too', async () => {
    await fixture.configure({ retry_delay: 9, max_retries: 1 });
    await write({ tenant_id: other });
    expect(await fixture.read('config')).toMatchObject({
      tenant_id: other,
      resource: audience,
      client_secret: clientSecret,
      retry_delay: '9s',
      max_retries: 1,
    });
  });

  it.each([
    ['retry_delay', 'soon'],
    ['max_retries', 'xyzzy'],
    ['max_retries', -1],
    ['identity_token_ttl', -1],
    ['max_retry_delay', 'a while'],
    ['client_secret', { secret: 'hidden' }],
  ])('C14 refuses %s %j, names the field and does not repeat the value', async (field, value) => {
    const { code: status, message } = await refusal(
      write({ tenant_id: tenant, resource: audience, [field]: value }),
    );
    expect(status).toBe('bad-request');
    expect(message).toContain(field);
    expect(message).not.toContain(String(value));
    expect(message).not.toContain('hidden');
    expect(await code(fixture.read('config'))).toBe('not-found');
  });

  it.each([
    ['tenant_id', { resource: audience }],
    ['resource', { tenant_id: tenant }],
    ['environment', { tenant_id: tenant, resource: audience, environment: 'CloudMoonCloud' }],
    ['endpoints', { tenant_id: tenant, resource: audience, environment: 'CloudGermanCloud' }],
    ['tenant_id', { tenant_id: 'a/b', resource: audience }],
    ['tenant_id', { tenant_id: '..', resource: audience }],
    ['tenant_id', { tenant_id: 'a?b#c', resource: audience }],
    ['tenant_id', { tenant_id: 'Common', resource: audience }],
  ])('refuses what lacks or misuses %s: %j', async (word, body) => {
    const { code: status, message } = await refusal(write(body));
    expect(status).toBe('bad-request');
    expect(message).toContain(word);
  });

  it('takes names of environments in any case, and the German one where it has endpoints', async () => {
    await fixture.configure({ environment: 'cloudpubliccloud' });
    const address = 'https://cloud.example';
    const german = { authority: address, resourceManager: address, graph: address };
    const started = await fixture.restart({
      storage: createMemoryStorage(),
      endpoints: { environments: new Map([['CloudGermanCloud', german]]) },
    });
    await started.configure({ environment: 'CloudGermanCloud' });
    expect(await started.read('config')).toMatchObject({ environment: 'CloudGermanCloud' });
  });

  it('honours negative delays and refuses none of them', async () => {
    await fixture.configure({ retry_delay: '-1s', max_retry_delay: -1, max_retries: 0 });
    expect(await fixture.read('config')).toMatchObject({
      retry_delay: '-1s',
      max_retry_delay: '-1s',
      max_retries: 0,
    });
  });

  it('ignores fields that it does not know', async () => {
    await fixture.configure({ root_password_ttl: '1h', nonsense: {} });
    expect(Object.keys(await fixture.read('config'))).not.toContain('nonsense');
  });

  it('drops what was kept of the cloud with every write and delete', async () => {
    await fixture.configure();
    await fixture.role();
    await fixture.logIn();
    await fixture.logIn();
    expect(fixture.cloud.count('discovery')).toBe(1);
    await write({ max_retries: 2 });
    await fixture.logIn();
    expect(fixture.cloud.count('discovery')).toBe(2);
    await fixture.call('delete', 'config');
    expect(await refusal(fixture.logIn())).toMatchObject({ code: 'bad-request', message: 'not configured' });
  });

  it('is not kept as it was by a login that began before a write', async () => {
    const storage = createMemoryStorage();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isLocked = false;
    let pending = (): void => undefined;
    const slow: Storage = {
      ...storage,
      async get(path) {
        const value = await storage.get(path);
        if (!isLocked || !path.endsWith('config')) return value;
        isLocked = false;
        pending();
        await released;
        return value;
      },
    };
    const started = await fixture.restart({ storage: slow });
    await started.configure();
    await started.role();
    isLocked = true;
    const reached = new Promise<void>((resolve) => (pending = resolve));
    const early = started.logIn();
    await reached;
    await started.configure({ resource: 'api://another' });
    release();
    await early;
    expect(await code(started.logIn())).toBe('permission-denied');
  });

  it('writes one after another, so that none undoes the other', async () => {
    await fixture.configure();
    await Promise.all([write({ retry_delay: 1 }), write({ max_retries: 7 }), write({ max_retry_delay: 8 })]);
    expect(await fixture.read('config')).toMatchObject({
      retry_delay: '1s',
      max_retries: 7,
      max_retry_delay: '8s',
    });
  });
});
