import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory.js';
import type { Storage } from '../../../src/storage/storage.js';
import { code, createCloudFixture, refusal, type CloudFixture } from '../../support/cloud-fixture.js';
import { callMethod } from '../../support/method-caller.js';
import { clientId, clientSecret, subscription, tenant } from '../../support/fake-cloud.js';

const vm1 = { subscription_id: subscription, resource_group_name: 'rg1', vm_name: 'vm1' };
const graphCalls = ['application', 'add-password', 'remove-password'] as const;
let fixture: CloudFixture;

beforeEach(async () => {
  fixture = await createCloudFixture();
});
afterEach(() => fixture.close());

/** The pauses between looks whether a new secret works: nothing else waits this long, and no request is open then. */
const pauses = [500, 1_000, 2_000, 4_000, 8_000];

/** Moves the time through each pause until the promise is settled. */
async function patiently<Value>(promise: Promise<Value>, { clock } = fixture): Promise<Value> {
  const settled = promise.then(
    () => null,
    () => null,
  );
  // No rotation looks as often as this.
  for (let looks = 0; looks < 1_000; looks += 1) {
    const paused = pauses.map((length) => clock.awaited(length).then(() => length));
    const length = await Promise.race([settled, ...paused]);
    if (length === null) return promise;
    clock.advance(length);
  }
  throw new Error('A thousand pauses, and the promise is not settled');
}

const rotate = (subject = fixture): Promise<unknown> =>
  patiently(subject.call('write', 'rotate-root'), subject);
const secrets = (): readonly string[] => fixture.cloud.directory.passwords.map(({ secret }) => secret);

describe('rotating the client secret', () => {
  it('makes a new one, uses it, and removes the one that it replaces', async () => {
    await fixture.configure();
    await fixture.role({ bound_locations: ['eastus'] });
    await fixture.logIn(vm1);
    expect(await rotate()).toBeUndefined();
    const [added, ...others] = secrets();
    expect(others).toEqual([]);
    expect(added).toMatch(/^new-/);
    expect(fixture.cloud.count('add-password')).toBe(1);
    expect(fixture.cloud.count('remove-password')).toBe(1);

    fixture.cloud.forgetCalls();
    await fixture.logIn(vm1);
    const form = fixture.cloud.calls.filter(({ kind }) => kind === 'token').map(({ body }) => body);
    expect(form).toHaveLength(1);
    expect(new URLSearchParams(form[0]).get('client_secret')).toBe(added);
  });

  it('never reveals the new secret, in no response and no log', async () => {
    await fixture.configure();
    const response = await rotate();
    const config = await fixture.read('config');
    expect(config).not.toHaveProperty('client_secret');
    expect(config).toMatchObject({ client_id: clientId, tenant_id: tenant });
    const reported = JSON.stringify([response, config, fixture.log]);
    expect(reported).not.toContain('new-');
    expect(reported).not.toContain(clientSecret);
    await fixture.configure({ client_secret: 'given again' });
    expect(await fixture.read('config')).toMatchObject({ client_secret: 'given again' });
  });

  it('X05 requires a configuration, and sends no request without one', async () => {
    expect(await code(fixture.call('write', 'rotate-root'))).toBe('bad-request');
    expect(fixture.cloud.calls).toEqual([]);
  });

  it.each([
    ['no secret', { client_secret: '' }],
    ['no client', { client_id: '' }],
    ['federation', { client_secret: '', identity_token_audience: 'a' }],
  ])('needs a stored secret: %s', async (_, changes) => {
    const started = await fixture.restart({
      environment: { CLOUD_CLIENT_ID: clientId, CLOUD_CLIENT_SECRET: clientSecret },
    });
    await started.configure(changes);
    expect(await code(started.call('write', 'rotate-root'))).toBe('bad-request');
    expect(fixture.cloud.count(...graphCalls)).toBe(0);
  });

  it('waits until the new secret works before it gives up the old one', async () => {
    await fixture.configure();
    fixture.cloud.directory.delay(3);
    await rotate();
    expect(fixture.cloud.count('remove-password')).toBe(1);
    // One for the old secret, three that failed, one that worked, one to remove the old key with.
    expect(fixture.cloud.count('token')).toBe(6);
    expect(secrets()).toEqual([expect.stringMatching(/^new-/)]);
  });

  it('keeps the old secret in use while the new one does not work, and goes on later', async () => {
    await fixture.configure();
    await fixture.role({ bound_locations: ['eastus'] });
    const started = fixture.clock.now();
    fixture.cloud.directory.delay(20);
    expect(await rotate()).toEqual({
      kind: 'warnings',
      warnings: [expect.stringContaining('not verified yet')],
    });
    expect((await fixture.read('config')).rotation).toEqual({
      state: 'unproven',
      since: new Date(started).toISOString(),
      old_key_removed: false,
    });
    expect(secrets()).toHaveLength(2);
    expect(fixture.cloud.count('remove-password')).toBe(0);
    await fixture.logIn(vm1);
    expect(await refusal(rotate())).toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining('under way'),
    });
    expect(fixture.cloud.count('add-password')).toBe(1);
    expect(await fixture.read('config')).toMatchObject({ client_secret: clientSecret });
  });

  it('is taken up again after a while, and after a restart', async () => {
    await fixture.configure();
    fixture.cloud.directory.delay(9);
    await rotate();
    const started = await fixture.restart();
    for (const wait of [0, 60_000, 60_000]) {
      expect(secrets()).toHaveLength(2);
      await started.clock.awaited(wait);
      started.clock.advance(wait);
    }
    await expect.poll(() => secrets().length, { interval: 1 }).toBe(1);
    expect(await started.read('config')).not.toHaveProperty('client_secret');
    await started.role({ bound_locations: ['eastus'] });
    await started.logIn(vm1);
    await started.method.close();
  });

  it('removes its own key alone: the secrets of others stay', async () => {
    await fixture.configure();
    fixture.cloud.directory.addForeign('xyz-of-another-program');
    await rotate();
    expect(secrets()).toEqual(['xyz-of-another-program', expect.stringMatching(/^new-/)]);
    await rotate();
    expect(secrets()).toEqual(['xyz-of-another-program', expect.stringMatching(/^new-/)]);
    expect(fixture.cloud.count('remove-password')).toBe(2);
  });

  it('removes nothing if it cannot identify its own key, and reports it', async () => {
    await fixture.configure();
    fixture.cloud.directory.addForeign('abc-begins-alike');
    await rotate();
    expect(secrets()).toHaveLength(3);
    expect(fixture.log.join('\n')).toContain('remove it by hand');
    fixture.cloud.directory.hideHints();
    await rotate();
    // The one before is known by the key that came with it.
    expect(secrets()).toEqual([clientSecret, 'abc-begins-alike', expect.stringMatching(/^new-/)]);
  });

  it('names secrets that a rotation has added and an end of the process has left', async () => {
    await fixture.configure();
    expect(await rotate()).toBeUndefined();
    const { directory } = fixture.cloud;
    const lost = directory.addForeign('lost', 'secrets-7b0c');
    directory.addForeign('of another program', 'app-secrets-1');
    const warning = expect.stringMatching(new RegExp(`does not use.* ${lost}$`));
    expect(await rotate()).toEqual({ kind: 'warnings', warnings: [warning] });
    expect(fixture.log.join('\n')).toContain(lost);
    // It may belong to another server: it is named again until it is removed.
    expect(secrets()).toContain('lost');
    expect(await rotate()).toEqual({ kind: 'warnings', warnings: [warning] });
    directory.remove(lost);
    expect(await rotate()).toBeUndefined();
  });

  it('removes the new secret again when it cannot be stored', async () => {
    const storage = createMemoryStorage();
    let isBroken = false;
    const brittle: Storage = {
      ...storage,
      write: (changes) => (isBroken ? Promise.reject(new Error('disk full')) : storage.write(changes)),
    };
    const started = await fixture.restart({ storage: brittle });
    await started.configure();
    isBroken = true;
    await expect(rotate(started)).rejects.toThrow('disk full');
    expect(secrets()).toEqual([clientSecret]);
    isBroken = false;
    expect(await started.read('config')).toMatchObject({ client_secret: clientSecret });
    await started.method.close();
  });

  it('stores the new secret before anything else happens with it', async () => {
    const storage = createMemoryStorage();
    const writes: string[] = [];
    const watched: Storage = {
      ...storage,
      async write(changes) {
        const text = changes.map(({ value }) => Buffer.from(value ?? []).toString()).join();
        writes.push(
          `${String(fixture.cloud.count('token'))} tokens, ${text.includes('new-') ? 'new' : 'old'}`,
        );
        await storage.write(changes);
      },
    };
    const started = await fixture.restart({ storage: watched });
    await started.configure();
    await rotate(started);
    expect(writes).toEqual(['0 tokens, old', '1 tokens, new', '2 tokens, new', '3 tokens, new']);
    await started.method.close();
  });

  it('tries to remove the old key again when the directory did not', async () => {
    await fixture.configure();
    fixture.cloud.fail('remove-password', [{ status: 503 }]);
    await rotate();
    expect(secrets()).toHaveLength(2);
    expect(await fixture.read('config')).not.toHaveProperty('client_secret');
    await fixture.clock.awaited(60_000);
    fixture.clock.advance(60_000);
    await expect.poll(() => secrets().length, { interval: 1 }).toBe(1);
  });

  it('completes pending removals before it restarts', async () => {
    await fixture.configure();
    fixture.cloud.fail('remove-password', [{ status: 503 }, { status: 503 }]);
    await rotate();
    await rotate();
    expect(secrets()).toHaveLength(1);
    expect(fixture.cloud.count('remove-password')).toBe(4);
  });

  it.each([
    ['application', { status: 403 }],
    ['application', { status: 200, body: '{"value":[]}' }],
    ['application', { status: 200, body: '{"value":[{"id":"a"},{"id":"b"}]}' }],
    ['add-password', { status: 500 }],
    ['add-password', { status: 200, body: '{"keyId":"x"}' }],
    ['token', { status: 401 }],
  ] as const)('changes nothing if %s returns %j', async (kind, fault) => {
    await fixture.configure();
    fixture.cloud.fail(kind, [fault]);
    expect(await code(rotate())).toBe('cloud-unreachable');
    expect(await fixture.read('config')).toMatchObject({ client_secret: clientSecret });
    expect(fixture.cloud.count('remove-password')).toBe(0);
  });

  it('names the secret that may have been added if the directory did not respond', async () => {
    await fixture.configure();
    fixture.cloud.fail('add-password', [{ status: 500 }]);
    await code(rotate());
    const name = /"displayName":"(secrets-[^"]+)"/.exec(fixture.log.join('\n'))?.[1];
    const call = fixture.cloud.calls.find(({ kind }) => kind === 'add-password');
    expect(name).toBeDefined();
    expect(call?.body).toContain(name);
  });

  it('continues when the caller leaves: an unread response would be a lost secret', async () => {
    await fixture.configure();
    const caller = new AbortController();
    caller.abort();
    await callMethod(fixture.method, { operation: 'write', path: 'rotate-root', signal: caller.signal });
    expect(secrets()).toEqual([expect.stringMatching(/^new-/)]);
  });

  it.each([{ client_secret: 'another' }, { client_id: 'another' }, { tenant_id: 'another.example' }])(
    'keeps %j out while the new secret is unproven, and nothing else',
    async (changes) => {
      await fixture.configure();
      fixture.cloud.directory.delay(20);
      await rotate();
      expect(await refusal(fixture.call('write', 'config', changes))).toMatchObject({ code: 'conflict' });
      await fixture.call('write', 'config', { resource: 'https://other.example/', client_id: clientId });
      expect(await fixture.read('config')).toMatchObject({
        client_secret: clientSecret,
        client_id: clientId,
        resource: 'https://other.example/',
        rotation: { state: 'unproven' },
      });
      await fixture.call('delete', 'config');
      await fixture.configure(changes);
      expect(await fixture.read('config')).toMatchObject({ ...changes, rotation: { state: 'none' } });
    },
  );

  it('holds up no other change of the configuration, and ends when its configuration goes', async () => {
    await fixture.configure();
    fixture.cloud.directory.delay(20);
    const rotating = fixture.call('write', 'rotate-root').catch((error: unknown) => error);
    await fixture.clock.awaited(500);
    await fixture.call('write', 'config', { max_retries: 1 });
    expect(await fixture.read('config')).toMatchObject({ max_retries: 1, rotation: { state: 'unproven' } });
    expect(await code(fixture.call('write', 'config', { client_secret: 'another' }))).toBe('conflict');
    fixture.clock.advance(500);
    await fixture.clock.awaited(1_000);
    await fixture.call('delete', 'config');
    fixture.cloud.directory.delay(0);
    expect(await code(fixture.read('config'))).toBe('not-found');
    await patiently(rotating);
    expect(await code(fixture.read('config'))).toBe('not-found');
  });

  it('removes the new secret if the configuration is deleted before it is proven', async () => {
    await fixture.configure();
    fixture.cloud.directory.delay(20);
    await rotate();
    expect(secrets()).toHaveLength(2);
    expect(await fixture.call('delete', 'config')).toBeUndefined();
    expect(secrets()).toEqual([clientSecret]);
    expect(await fixture.call('delete', 'config')).toBeUndefined();
  });

  it('names the remaining secret if the configuration is deleted and the directory does not respond', async () => {
    await fixture.configure();
    fixture.cloud.directory.delay(20);
    await rotate();
    fixture.cloud.fail('remove-password', [{ status: 503 }]);
    const { keyId } = fixture.cloud.directory.passwords.find(({ secret }) => secret !== clientSecret)!;
    expect(await fixture.call('delete', 'config')).toEqual({
      kind: 'warnings',
      warnings: [expect.stringMatching(new RegExp(`key ${keyId} .*by hand`))],
    });
    expect(await code(fixture.read('config'))).toBe('not-found');
    expect(fixture.log.join('\n')).toContain(keyId);
  });

  it('removes the key before it when the configuration is deleted meanwhile', async () => {
    await fixture.configure();
    fixture.cloud.fail('remove-password', [{ status: 503 }]);
    await rotate();
    expect(secrets()).toHaveLength(2);
    expect(await fixture.call('delete', 'config')).toBeUndefined();
    expect(secrets()).toHaveLength(1);
    expect(secrets()).not.toContain(clientSecret);
  });

  it('reports its state: done, with the key before it removed', async () => {
    await fixture.configure();
    expect((await fixture.read('config')).rotation).toEqual({
      state: 'none',
      since: null,
      old_key_removed: null,
    });
    await rotate();
    expect((await fixture.read('config')).rotation).toEqual({
      state: 'done',
      since: new Date(fixture.clock.now()).toISOString(),
      old_key_removed: true,
    });
  });

  it('reports its state: the key before it not removed, or not known', async () => {
    await fixture.configure();
    fixture.cloud.fail('remove-password', [{ status: 503 }]);
    expect(await rotate()).toEqual({
      kind: 'warnings',
      warnings: [expect.stringContaining('not removed yet')],
    });
    expect((await fixture.read('config')).rotation).toMatchObject({
      state: 'removing_old_key',
      old_key_removed: false,
    });
    await fixture.configure();
    fixture.cloud.directory.addForeign('abc-begins-alike');
    fixture.cloud.directory.hideHints();
    expect(await rotate()).toEqual({
      kind: 'warnings',
      // The second configuration does not know the secret of the first rotation.
      warnings: [expect.stringContaining('by hand'), expect.stringContaining('does not use')],
    });
    expect((await fixture.read('config')).rotation).toMatchObject({ state: 'done', old_key_removed: false });
  });

  it('gives a secret up that does not work for an hour, and removes it', async () => {
    await fixture.configure();
    fixture.cloud.directory.delay(10_000);
    await rotate();
    for (let minute = 0; minute < 60; minute += 1) {
      await fixture.clock.awaited(60_000);
      fixture.clock.advance(60_000);
    }
    await expect.poll(() => secrets(), { interval: 1 }).toEqual([clientSecret]);
    await expect
      .poll(async () => (await fixture.read('config')).rotation, { interval: 1 })
      .toMatchObject({ state: 'failed', old_key_removed: false });
    await fixture.configure({ client_secret: 'another' });
  });

  it('gives it up also when the clock was set back, and does not wait for it to catch up', async () => {
    await fixture.configure();
    fixture.cloud.directory.delay(10_000);
    await rotate();
    fixture.clock.jump(-31_536_000_000);
    await fixture.clock.awaited(60_000);
    fixture.clock.advance(60_000);
    await expect.poll(() => secrets(), { interval: 1 }).toEqual([clientSecret]);
    await expect
      .poll(async () => (await fixture.read('config')).rotation, { interval: 1 })
      .toMatchObject({ state: 'failed' });
    await fixture.configure({ client_secret: 'another' });
  });

  it('sends a filter that a client id cannot escape', async () => {
    await fixture.configure({ client_id: "x' or appId ne '" });
    fixture.cloud.fail('token', [
      { status: 200, body: '{"access_token":"t","expires_in":3600,"token_type":"Bearer"}' },
    ]);
    fixture.cloud.fail('application', [{ status: 200, body: '{"value":[]}' }]);
    expect(await code(rotate())).toBe('cloud-unreachable');
    const call = fixture.cloud.calls.find(({ kind }) => kind === 'application');
    expect(call?.query.get('$filter')).toBe("appId eq 'x'' or appId ne '''");
  });
});
