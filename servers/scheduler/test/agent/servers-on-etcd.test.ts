import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openEtcd } from '@tamis/scheduler-state/drivers/open-etcd.js';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { systemClock } from '@tamis/http';
import { createAgents, type Agents } from '../support/agents.js';
import { etcdMissing, startCluster, type Cluster } from '../../../scheduler-state/test/support/etcd-logs.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;
const bootstrapSecret = '5a1d9a54-0a5e-4a0e-9a52-4ed0f4b2a111';

interface Server {
  readonly name: string;
  readonly origin: string;
  readonly rpcAddress: string;
}

interface TestReply {
  readonly status: number;
  readonly index: number;
  readonly text: string;
}

async function send(
  { origin }: Pick<Server, 'origin'>,
  path: string,
  { token = bootstrapSecret, ...init }: RequestInit & { readonly token?: string } = {},
): Promise<TestReply> {
  const response = await fetch(`${origin}${path}`, { ...init, headers: { 'x-scheduler-token': token } });
  const index = Number(response.headers.get('x-scheduler-index'));
  return { status: response.status, index, text: await response.text() };
}

describe.skipIf(etcdMissing !== undefined)(`servers that share a log in etcd${skipped}`, () => {
  let cluster: Cluster;
  let agents: Agents;
  const servers: Server[] = [];

  async function startServer(name: string): Promise<Server> {
    const connection = { endpoints: cluster.urls };
    const place = { connection, prefix: '/scheduler/global/', leaseTtl: 5 };
    const logs = createLogHub({ level: 'silent', write: () => undefined });
    const config = { nodeName: name, acl: { ...defaultAgentConfig.acl, enabled: true } };
    const { agent, origin } = await agents.server(config, logs, await openEtcd(place, systemClock));
    return { name, origin, rpcAddress: agent.rpcAddress() };
  }

  beforeAll(async () => {
    cluster = await startCluster();
    agents = createAgents();
    servers.push(...(await Promise.all(['s1', 's2', 's3'].map(startServer))));
    await until(async () =>
      (await Promise.all(servers.map((server) => send(server, '/v1/status/peers', { token: '' })))).every(
        ({ text }) => servers.every(({ rpcAddress }) => text.includes(rpcAddress)),
      ),
    );
    const body = JSON.stringify({ BootstrapSecret: bootstrapSecret });
    await send(servers[0]!, '/v1/acl/bootstrap', { method: 'PUT', body, token: '' });
  });
  afterAll(async () => {
    await agents.close();
    await cluster.stop();
  });

  it('take a write each, which is read there at once, and by default everywhere', async () => {
    for (const server of servers) {
      const body = JSON.stringify({ Name: `by-${server.name}` });
      const { status, index } = await send(server, '/v1/namespace', { method: 'PUT', body });
      expect(status).toBe(200);
      const own = await send(server, '/v1/namespaces?stale');
      expect(own.index).toBeGreaterThanOrEqual(index);
      for (const other of servers) {
        const read = await send(other, `/v1/namespace/by-${server.name}`);
        expect([read.status, read.index]).toEqual([200, index]);
      }
    }
  });

  it('never refuse a token that another of them has just made', async () => {
    for (const [at, maker] of servers.entries()) {
      const body = JSON.stringify({ Name: `t${at}`, Type: 'management' });
      const made = await send(maker, '/v1/acl/token', { method: 'PUT', body });
      const { SecretID: token } = JSON.parse(made.text) as { SecretID: string };
      const responses = await Promise.all(
        servers.flatMap((server) => [
          send(server, '/v1/nodes', { token }),
          send(server, '/v1/agent/self', { token }),
          send(server, '/v1/namespace', { token, method: 'PUT', body: JSON.stringify({ Name: 'fresh' }) }),
        ]),
      );
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    }
  });

  it('wake all clients waiting for a change with the same response', async () => {
    const [first] = servers as [Server];
    const { index } = await send(first, '/v1/namespaces');
    const waiting = servers.map((server) => send(server, `/v1/namespaces?index=${index}&wait=20s`));
    await send(first, '/v1/namespace', { method: 'PUT', body: JSON.stringify({ Name: 'wakes' }) });
    const [one, ...others] = await Promise.all(waiting);
    expect(one!.index).toBeGreaterThan(index);
    expect(others).toEqual(others.map(() => one));
  });

  it('find each other by name, and the leader by its role', async () => {
    const [one, two] = servers as [Server, Server, Server];
    for (const path of [
      `/v1/agent/host?server_id=${two.name}`,
      `/v1/agent/host?server_id=${two.name}.global`,
    ]) {
      const response = await send(one, path);
      expect(JSON.parse(response.text)).toMatchObject({ AgentID: `${two.name}.global` });
    }
    const leaders = await Promise.all(
      servers.map(async (server) => {
        const { text } = await send(server, '/v1/agent/host?server_id=leader');
        return (JSON.parse(text) as { AgentID: string }).AgentID;
      }),
    );
    expect(new Set(leaders).size).toBe(1);
    const unknown = await send(one, '/v1/agent/host?server_id=nobody');
    expect([unknown.status, unknown.text]).toEqual([400, 'unknown Scheduler server nobody']);
  });

  it('have nodes that know them all, and are reached through any of them', async () => {
    const acl = { ...defaultAgentConfig.acl, enabled: true };
    const client = await agents.client([servers[1]!.rpcAddress], { acl }, true);
    await until(async () => {
      const { text } = await send(client, '/v1/agent/servers');
      return servers.every(({ rpcAddress }) => text.includes(rpcAddress));
    });
    const { text } = await send(servers[2]!, '/v1/nodes');
    const [node] = JSON.parse(text) as [{ ID: string; Status: string }];
    expect(node.Status).toBe('ready');
    for (const server of servers) {
      await until(async () => (await send(server, `/v1/agent/host?node_id=${node.ID}`)).status === 200);
      const missing = await send(server, '/v1/agent/host?node_id=nobody');
      expect([missing.status, missing.text]).toEqual([404, 'Unknown node "nobody"']);
    }
  });
});

describe.skipIf(etcdMissing !== undefined)(`the log of a server on etcd${skipped}`, () => {
  it('says who leads, and when etcd is lost and found', async () => {
    const cluster = await startCluster();
    const agents = createAgents();
    onTestFinished(async () => {
      await agents.close();
      await cluster.stop();
    });
    const start = async (nodeName: string): Promise<{ lines: string[]; close: () => Promise<void> }> => {
      const lines: string[] = [];
      const logs = createLogHub({ level: 'info', write: (line) => void lines.push(line) });
      const place = { connection: { endpoints: cluster.urls }, prefix: '/scheduler/global/', leaseTtl: 2 };
      const { agent } = await agents.server({ nodeName }, logs, await openEtcd(place, systemClock));
      return { lines, close: () => agent.close() };
    };
    const says = ({ lines }: { lines: readonly string[] }, ...words: readonly string[]): boolean =>
      lines.some((line) => words.every((word) => line.includes(word)));
    const one = await start('s1');
    await until(() => says(one, '"this server leads"'));
    const two = await start('s2');
    await until(() => says(two, '"another server leads"', 's1.global'));
    const [member] = cluster.members;
    await member!.kill();
    await until(() => says(two, 'etcd does not respond') && says(one, '"this server leads no more"'));
    await member!.start();
    await until(() => says(two, '"etcd answers again"'));
    const count = (words: string): number => two.lines.filter((line) => line.includes(words)).length;
    expect([count('etcd does not respond'), count('etcd answers again')]).toEqual([1, 1]);
  });
});

describe.skipIf(etcdMissing !== undefined)(`a server on an etcd without space${skipped}`, () => {
  it('joins, reports why there is no leader, and leads when there is space', async () => {
    const cluster = await startCluster({ quota: 16 << 20 });
    const agents = createAgents();
    onTestFinished(async () => {
      await agents.close();
      await cluster.stop();
    });
    const value = 'x'.repeat(1 << 20);
    const fill = (): void => {
      for (let at = 0; at < 40; at += 1) cluster.control(['put', `filler/${at}`], undefined, value);
    };
    expect(fill).toThrow(/space/);
    const logs = createLogHub({ level: 'silent', write: () => undefined });
    const place = { connection: { endpoints: cluster.urls }, prefix: '/scheduler/global/', leaseTtl: 2 };
    const server = await agents.server({ nodeName: 's1' }, logs, await openEtcd(place, systemClock));
    const why = 'the store cannot be written: etcd has no space left';
    const stale = await send(server, '/v1/agent/health?stale');
    expect([stale.status, JSON.parse(stale.text)]).toEqual([
      500,
      { server: { ok: false, message: `no leader; ${why}` } },
    ]);
    cluster.control(['del', '--prefix', 'filler/']);
    const [status] = JSON.parse(cluster.control(['endpoint', 'status', '--write-out=json'])) as [
      { Status: { header: { revision: number } } },
    ];
    cluster.control(['compact', String(status.Status.header.revision)]);
    cluster.control(['defrag']);
    cluster.control(['alarm', 'disarm']);
    await until(async () => (await send(server, '/v1/agent/health')).status === 200);
  });
});
