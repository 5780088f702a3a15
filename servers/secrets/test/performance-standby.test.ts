import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCluster, type Cluster } from '../../etcd/test/support/etcd-cluster.js';
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import type { TestResponse } from './support/secrets-server.js';
import { systemClock } from '@tamis/http';
import { startShared, type SharedServer } from './support/shared-servers.js';

const self = 'auth/token/lookup-self';
const hour = 3_600_000;
const hourBefore = { ...systemClock, now: () => Date.now() - hour };

describe.skipIf(etcdMissing !== undefined)(`performance standbys ${etcdMissing ?? ''}`, () => {
  let cluster: Cluster;
  let servers: SharedServer[];
  let leader: SharedServer;
  let standby: SharedServer;
  let root: string;

  beforeAll(async () => {
    cluster = await startCluster();
    servers = await Promise.all(
      // Of two servers it is unknown whose clock is wrong: that of the active one counts.
      [systemClock, hourBefore].map((clock) =>
        startShared(cluster.urls, { performance_standby: true }, clock),
      ),
    );
    [leader, standby] = servers as [SharedServer, SharedServer];
    const { body } = await leader.call('PUT', 'sys/init', { token: null, body: {} });
    const [key] = body['keys'] as string[];
    root = body['root_token'] as string;
    for (const server of servers) {
      expect((await server.call('PUT', 'sys/unseal', { token: null, body: { key } })).status).toBe(200);
      await until(() => health(leader), 200);
    }
    await until(() => health(standby), 473);
  }, 60_000);

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await cluster.stop();
  });

  beforeEach(async () => {
    // Without it the standby forwards its requests.
    await vi.waitFor(async () => expect(await skew()).toBeLessThan(-hour / 2), { timeout: 30_000 });
    for (const { audited } of servers) (audited as string[]).length = 0;
  });

  const until = (send: () => Promise<number>, status: number): Promise<void> =>
    vi.waitFor(async () => expect(await send()).toBe(status), { timeout: 30_000 });

  const health = async (server: SharedServer, query = ''): Promise<number> =>
    (await server.call('GET', `sys/health${query}`, { token: null })).status;

  const skew = async (): Promise<unknown> =>
    (await standby.call('GET', 'sys/health', { token: null })).body['clock_skew_ms'];

  async function asRoot(path: string, body: unknown): Promise<TestResponse> {
    const response = await leader.call('PUT', path, { token: root, body });
    expect(response.status).toBeLessThan(300);
    return response;
  }

  async function create(body: unknown, token = root): Promise<string> {
    const { body: made } = await leader.call('POST', 'auth/token/create', { token, body });
    return made.auth!['client_token'] as string;
  }

  const statusOf = async (token: string, method = 'GET'): Promise<number> =>
    (await standby.call(method, self, { token, ...(method === 'POST' && { body: {} }) })).status;

  /** Lines of a server about requests of tokens about themselves, and whether it knew whose they were. */
  const recorded = ({ audited }: SharedServer): readonly boolean[] =>
    audited
      .map((line) => JSON.parse(line) as { request: { path: string }; auth: unknown })
      .filter(({ request }) => request.path === self)
      .map(({ auth }) => auth !== null);

  it('say so in their health, with codes that can be chosen', async () => {
    expect((await standby.call('GET', 'sys/health', { token: null })).body).toMatchObject({
      standby: true,
      performance_standby: true,
    });
    expect((await standby.call('GET', 'sys/leader', { token: null })).body).toMatchObject({
      performance_standby: true,
    });
    expect(await health(standby, '?standbyok=true&standbycode=299')).toBe(473);
    expect(await health(standby, '?perfstandbyok=true')).toBe(200);
    expect(await health(standby, '?perfstandbyok=true&activecode=204')).toBe(204);
    expect(await health(standby, '?performancestandbycode=299')).toBe(299);
    expect((await leader.call('GET', 'sys/health', { token: null })).body['performance_standby']).toBe(false);
  });

  it('serve self-lookups of a batch token as the active server would', async () => {
    const token = await create({ type: 'batch', meta: { team: 'a' } });
    const send = async (server: SharedServer, method: string): Promise<unknown> => {
      const { status, body } = await server.call(method, self, { token });
      const { ttl, ...data } = body.data as { readonly ttl: number };
      return { status, data, isAlive: ttl > 0 };
    };
    for (const method of ['GET', 'POST'])
      expect(await send(standby, method)).toEqual(await send(leader, method));
    expect(recorded(standby)).toEqual([true, true, true, true]);
    expect(recorded(leader)).toEqual([true, true, true, true]);
  });

  it('forward requests of service tokens, of invalid batch tokens, and all others', async () => {
    for (const token of [await create({}), await create({ num_uses: 1 })])
      expect(await statusOf(token)).toBe(200);
    expect(await statusOf('b.nothing')).toBe(403);
    expect(recorded(standby)).not.toContain(true);
    expect(recorded(leader)).toContain(true);
    const batch = await create({ type: 'batch', policies: ['default'] });
    expect((await standby.call('GET', 'sys/policies/acl/own', { token: batch })).status).toBe(403);
    expect((await standby.call('GET', 'auth/token/lookup-self/', { token: batch })).status).toBe(
      (await leader.call('GET', 'auth/token/lookup-self/', { token: batch })).status,
    );
  });

  it('refuse a batch token from the moment that the one which made it is revoked', async () => {
    const parent = await create({ policies: ['root'] });
    const token = await create({ type: 'batch' }, parent);
    const orphan = await create({ type: 'batch', no_parent: true }, parent);
    expect([await statusOf(token), await statusOf(orphan)]).toEqual([200, 200]);
    await asRoot('auth/token/revoke', { token: parent });
    expect([await statusOf(token), await statusOf(orphan)]).toEqual([403, 200]);
    expect(recorded(standby)).not.toContain(undefined);
  });

  it('go by policies as they are at that moment', async () => {
    const allowed = (capabilities: string): { policy: string } => ({
      policy: `path "${self}" { capabilities = [${capabilities}] }`,
    });
    await asRoot('sys/policies/acl/own', allowed('"read"'));
    const token = await create({ type: 'batch', policies: ['own'], no_default_policy: true });
    for (let time = 0; time < 20; time += 1) {
      await asRoot('sys/policies/acl/own', allowed('"read"'));
      expect([await statusOf(token), await statusOf(token, 'POST')]).toEqual([200, 403]);
      await asRoot('sys/policies/acl/own', allowed('"deny"'));
      expect(await statusOf(token)).toBe(403);
    }
  });

  it('refuse a batch token when its mount is emptied', async () => {
    const token = await create({ type: 'batch' });
    expect(await statusOf(token)).toBe(200);
    await asRoot('sys/leases/revoke-prefix/auth/token', {});
    expect(await statusOf(token)).toBe(403);
    expect(await statusOf(await create({ type: 'batch' }))).toBe(200);
  });

  it('refuse it once its time is up by the clock of the active server', async () => {
    const token = await create({ type: 'batch', ttl: '1s' });
    await until(() => statusOf(token), 403);
  });

  it('serve requests while no server is active', async () => {
    const token = await create({ type: 'batch' });
    const { election } = leader.store;
    await election!.withdraw();
    expect(await statusOf(token)).toBe(200);
    election!.stand();
  });
});
