import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../etcd/test/support/etcd-cluster.js';
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import { systemClock } from '@tamis/http';
import { startShared, type SharedServer } from './support/shared-servers.js';

interface Keys {
  readonly key: string;
  readonly root: string;
}

/** Everything that etcd holds, as bytes in one text. */
function dump(cluster: Cluster): string {
  const { kvs } = JSON.parse(cluster.control(['get', '', '--from-key', '-w', 'json'])) as {
    readonly kvs: readonly { readonly key: string; readonly value?: string }[];
  };
  return kvs
    .flatMap(({ key, value = '' }) => [key, value])
    .map((text) => Buffer.from(text, 'base64').toString('latin1'))
    .join('\n');
}

describe.skipIf(etcdMissing !== undefined)(`several servers on one etcd ${etcdMissing ?? ''}`, () => {
  let cluster: Cluster;
  let servers: SharedServer[];
  let keys: Keys;
  /** How far the clock of each server is ahead, in ms. */
  const ahead = [0, 0, 0];

  beforeAll(async () => {
    cluster = await startCluster();
    servers = await Promise.all(
      ahead.map((_, at) =>
        startShared(cluster.urls, {}, { ...systemClock, now: () => Date.now() + (ahead[at] ?? 0) }),
      ),
    );
    const init = await Promise.all(
      servers.map((server) => server.call('PUT', 'sys/init', { token: null, body: {} })),
    );
    const made = init.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(init.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const [{ body }] = made as [(typeof init)[number]];
    keys = { key: (body['keys'] as string[])[0]!, root: body['root_token'] as string };
    for (const server of servers) {
      const { status } = await server.call('PUT', 'sys/unseal', { token: null, body: { key: keys.key } });
      expect(status).toBe(200);
    }
  }, 60_000);

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await cluster.stop();
  });

  const health = async (server: SharedServer): Promise<number> =>
    (await server.call('GET', 'sys/health', { token: null })).status;

  /** The active server, and the standbys, when there is one. */
  async function active(): Promise<{ leader: SharedServer; standby: SharedServer[] }> {
    await expect
      .poll(async () => (await Promise.all(servers.map(health))).sort(), { timeout: 30_000 })
      .toEqual([200, 429, 429]);
    const states = await Promise.all(servers.map(health));
    return {
      leader: servers[states.indexOf(200)]!,
      standby: servers.filter((_, at) => states[at] !== 200),
    };
  }

  const as = (token: string, body?: unknown): { token: string; body?: unknown } => ({
    token,
    ...(body !== undefined && { body }),
  });

  it('has one active server, which the others name', async () => {
    const { leader, standby } = await active();
    for (const server of standby) {
      const { body } = await server.call('GET', 'sys/leader', { token: null });
      expect(body).toMatchObject({
        ha_enabled: true,
        is_self: false,
        leader_cluster_address: `http://${leader.peerAddress}`,
      });
      expect((await server.call('GET', 'sys/health?standbyok=true', { token: null })).status).toBe(200);
      expect((await server.call('GET', 'sys/health?standbycode=473', { token: null })).status).toBe(473);
    }
    expect((await leader.call('GET', 'sys/leader', { token: null })).body).toMatchObject({ is_self: true });
  });

  it('reads at each server what was written at another', async () => {
    const [first, second, third] = servers as [SharedServer, SharedServer, SharedServer];
    const policy = 'path "auth/token/lookup-self" { capabilities = ["read"] }';
    expect((await first.call('PUT', 'sys/policies/acl/shared', as(keys.root, { policy }))).status).toBe(204);
    const made = await second.call('POST', 'auth/token/create', as(keys.root, { policies: ['shared'] }));
    const token = made.body.auth!['client_token'] as string;
    for (const server of servers)
      expect((await server.call('GET', 'auth/token/lookup-self', as(token))).status).toBe(200);
    expect((await third.call('LIST', 'sys/policies/acl', as(keys.root))).body.data!['keys']).toContain(
      'shared',
    );
    expect((await third.call('POST', 'auth/token/revoke', as(keys.root, { token }))).status).toBe(204);
    for (const server of servers)
      expect((await server.call('GET', 'auth/token/lookup-self', as(token))).status).toBe(403);
  });

  it('counts the uses of a token over all servers', async () => {
    const made = await servers[0]!.call('POST', 'auth/token/create', as(keys.root, { num_uses: 5 }));
    const token = made.body.auth!['client_token'] as string;
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        servers[at % 3]!.call('GET', 'auth/token/lookup-self', as(token)),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  it('goes on at another server when the active one steps down, with what was written before', async () => {
    const { leader, standby } = await active();
    expect((await standby[0]!.call('PUT', 'sys/step-down', as(keys.root))).status).toBe(204);
    await expect.poll(() => health(leader), { timeout: 30_000 }).toBe(429);
    const now = await active();
    expect(now.leader).not.toBe(leader);
    expect((await leader.call('GET', 'sys/policies/acl/shared', as(keys.root))).status).toBe(200);
  });

  it('has an active server after any number of consecutive step-downs', async () => {
    for (let time = 0; time < servers.length; time += 1) {
      const { leader } = await active();
      expect((await leader.call('PUT', 'sys/step-down', as(keys.root))).status).toBe(204);
      await expect.poll(() => health(leader), { timeout: 30_000 }).toBe(429);
    }
    await active();
  });

  it('refuses no valid token when the clock of the active server jumps', async () => {
    const { leader } = await active();
    const made = await leader.call('POST', 'auth/token/create', as(keys.root, { ttl: '1h' }));
    const token = made.body.auth!['client_token'] as string;
    ahead[servers.indexOf(leader)] = 3 * 3_600_000;
    const statuses = new Set<number>();
    await expect
      .poll(
        async () => {
          const responses = await Promise.all(
            servers.map((server) => server.call('GET', 'auth/token/lookup-self', as(token))),
          );
          for (const { status } of responses) statuses.add(status);
          return [await health(leader), ...responses.map(({ status }) => status)];
        },
        { timeout: 30_000, interval: 1 },
      )
      .toEqual([429, 200, 200, 200]);
    expect([...statuses].sort()).toEqual([200, 503]);
    ahead.fill(0);
    await active();
  });

  it('holds nothing readable in etcd', async () => {
    const made = await servers[1]!.call(
      'POST',
      'auth/token/create',
      as(keys.root, { policies: ['shared'], display_name: 'visible', meta: { who: 'somebody' } }),
    );
    const token = made.body.auth!['client_token'] as string;
    const text = dump(cluster);
    const words = ['shared', 'visible', 'somebody', 'sys/policy', 'sys/token', 'auth/', keys.root, token];
    expect(words.filter((word) => text.includes(word))).toEqual([]);
    expect(text).toContain('core/keyring');
  });

  it('seals who has an unseal key that was replaced, and goes on with the new one', async () => {
    const { leader, standby } = await active();
    const { body: started } = await leader.call('GET', 'sys/rekey/init', as(keys.root));
    const nonce = started['nonce'];
    const updated = await leader.call('PUT', 'sys/rekey/update', as(keys.root, { nonce, key: keys.key }));
    const next = (updated.body['keys'] as string[])[0]!;
    const verified = await standby[0]!.call('PUT', 'sys/rekey/verify', as(keys.root, { nonce, key: next }));
    expect(verified.status).toBe(200);
    for (const server of standby) {
      await expect.poll(() => health(server), { timeout: 30_000 }).toBe(503);
      const { status } = await server.call('PUT', 'sys/unseal', { token: null, body: { key: next } });
      expect(status).toBe(200);
    }
    expect((await active()).leader).toBe(leader);
    keys = { ...keys, key: next };
    await leader.close();
    servers = servers.filter((server) => server !== leader);
    const read = async (): Promise<number> =>
      (await servers[0]!.call('GET', 'sys/policies/acl/shared', as(keys.root))).status;
    await expect.poll(read, { timeout: 30_000 }).toBe(200);
  });
});
