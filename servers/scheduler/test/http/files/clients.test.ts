import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEtcd } from '@tamis/scheduler-state/drivers/open-etcd.js';
import { defaultAgentConfig } from '../../../src/agent/settings/agent-config.js';
import { createLogHub } from '../../../src/services/logs/log-hub.js';
import { systemClock } from '@tamis/http';
import { createAgents, type Agents } from '../../support/agents.js';
import {
  etcdMissing,
  startCluster,
  type Cluster,
} from '../../../../scheduler-state/test/support/etcd-logs.js';
import {
  dataOf,
  openResponse,
  type OpenResponse,
} from '../../../../scheduler-model/test/support/open-response.js';
import { runTasks, shellTask } from '../../support/task-job.js';
import { until } from '../../../../scheduler-model/test/support/until.js';

const counting = 'i=0; while :; do echo line $i; i=$((i+1)); sleep 0.05; done';
/** All of these readers have one address. */
const http = { ...defaultAgentConfig.http, maxConnectionsPerClient: 0 };
const raw = { ...defaultAgentConfig.client, enabled: true, rawExec: true, register: true };

interface Place {
  readonly origin: string;
  readonly id: string;
}

const follow = ({ origin, id }: Place, more = '&plain=true'): Promise<OpenResponse> =>
  openResponse(`${origin}/v1/client/fs/logs/${id}?task=main&type=stdout&follow=true${more}`);

/** Streams that are open, as the agent counts them. */
async function streamsOf(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/v1/metrics?format=prometheus`)).text();
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('scheduler_http_streams{') && line.includes('/client/fs/'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('the logs of a client of its own', () => {
  let agents: Agents;
  let server = '';
  let client = '';
  let id = '';
  beforeAll(async () => {
    agents = createAgents();
    const { agent, origin } = await agents.server({ maxFileStreams: 150, http });
    server = origin;
    const started = await agents.client([agent.rpcAddress()], {
      client: { ...raw, servers: [agent.rpcAddress()] },
    });
    client = started.origin;
    id = await runTasks(server, 'counting', [shellTask(counting)]);
  });
  afterAll(() => agents.close());

  it('are read by way of its server, and of the client itself', async () => {
    for (const origin of [server, client]) {
      const one = await follow({ origin, id });
      await one.until((text) => text.includes('line 3\n'));
      expect(one.text().startsWith('line 0\nline 1\n')).toBe(true);
      expect(one.headers['content-security-policy']).toBe("sandbox; default-src 'none'");
      one.close();
      const list = await fetch(`${origin}/v1/client/fs/ls/${id}?path=alloc/logs`);
      expect(await list.text()).toContain('main.stdout.0');
      const missing = await fetch(`${origin}/v1/client/fs/cat/${id}?path=none`);
      expect([missing.status, await missing.text()]).toEqual([
        404,
        'There is no file "none" in this allocation',
      ]);
    }
  });

  it('go to more than the node has streams for, and not to more than the limit', async () => {
    const all = await Promise.all(Array.from({ length: 150 }, () => follow({ origin: server, id })));
    expect(all.map(({ status }) => status)).toEqual(Array(150).fill(200));
    await Promise.all(all.map((one) => one.until((text) => text.includes('line 10\n'))));
    const refused = await fetch(`${server}/v1/client/fs/cat/${id}?path=none`);
    expect([refused.status, await refused.text()]).toEqual([
      429,
      'This server sends 150 files and logs already (limits.max_file_streams): try again later or use another agent',
    ]);
    // Short requests have places of their own.
    expect((await fetch(`${server}/v1/client/fs/stat/${id}?path=alloc`)).status).toBe(200);
    for (const one of all) one.close();
    await until(async () => (await fetch(`${server}/v1/client/fs/cat/${id}?path=none`)).status === 404);
    expect(await streamsOf(server)).toBe(0);
  });

  it('that pass through a client are a few at a time, and do not hold up the others', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => follow({ origin: client, id })));
    expect(all.map(({ status }) => status)).toEqual(Array(16).fill(200));
    const refused = await fetch(`${client}/v1/client/fs/logs/${id}?task=main&type=stdout`);
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining('16 files and logs come from'),
    ]);
    expect((await fetch(`${client}/v1/jobs`)).status).toBe(200);
    for (const one of all) one.close();
    await until(
      async () => (await fetch(`${client}/v1/client/fs/logs/${id}?task=main&type=stdout`)).status === 200,
    );
  });
});

describe('the logs of a client that is gone', () => {
  it('break off, and are not there any more', async () => {
    const agents = createAgents();
    const { agent, origin } = await agents.server();
    const client = await agents.client([agent.rpcAddress()], {
      client: { ...raw, servers: [agent.rpcAddress()] },
    });
    const id = await runTasks(origin, 'counting', [shellTask(counting)]);
    const [{ ID: node = '' } = {}] = (await (await fetch(`${origin}/v1/nodes`)).json()) as { ID?: string }[];
    const [followed, framed] = [await follow({ origin, id }), await follow({ origin, id }, '')];
    await followed.until((text) => text.includes('line 2\n'));
    await client.agent.close();
    await until(() => followed.isDone() !== 'no' && framed.isDone() !== 'no');
    expect(dataOf(framed.text())).toContain('line 2\n');
    const response = await fetch(`${origin}/v1/client/fs/logs/${id}?task=main&type=stdout`);
    expect([response.status, await response.text()]).toEqual([
      404,
      `Unknown node "${node}": the node of this allocation is not connected to any server`,
    ]);
    await agents.close();
  });

  it('end in order where the server ends', async () => {
    const agents = createAgents();
    const { agent, origin } = await agents.server({ client: raw });
    const id = await runTasks(origin, 'counting', [shellTask(counting)]);
    const all = [await follow({ origin, id }), await follow({ origin, id }, '')];
    await Promise.all(all.map((one) => one.until((text) => text.length > 40)));
    await agent.close();
    await until(() => all.every((one) => one.isDone() !== 'no'));
    expect(all.map((one) => one.isDone())).toEqual(['whole', 'whole']);
    await agents.close();
  });
});

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;

describe.skipIf(etcdMissing !== undefined)(`logs by way of any of several servers${skipped}`, () => {
  let cluster: Cluster;
  let agents: Agents;
  const origins: string[] = [];
  let id = '';
  beforeAll(async () => {
    cluster = await startCluster();
    agents = createAgents();
    const addresses: string[] = [];
    for (const name of ['s1', 's2', 's3']) {
      const place = { connection: { endpoints: cluster.urls }, prefix: '/scheduler/global/', leaseTtl: 5 };
      const logs = createLogHub({ level: 'silent', write: () => undefined });
      const { agent, origin } = await agents.server(
        { nodeName: name, http },
        logs,
        await openEtcd(place, systemClock),
      );
      origins.push(origin);
      addresses.push(agent.rpcAddress());
    }
    const servers = addresses.slice(1, 2);
    await agents.client(servers, { client: { ...raw, servers } });
    id = await runTasks(origins[0] ?? '', 'counting', [shellTask(counting)]);
    const [{ ID: node = '' } = {}] = (await (await fetch(`${origins[0]}/v1/nodes`)).json()) as {
      ID?: string;
    }[];
    // It registers before it has opened the way back to it.
    await until(async () => (await fetch(`${origins[0]}/v1/agent/host?node_id=${node}`)).status === 200);
  });
  afterAll(async () => {
    await agents.close();
    await cluster.stop();
  });

  it('are the same, and share a stream between them', async () => {
    const all = await Promise.all(
      origins.flatMap((origin) => Array.from({ length: 40 }, () => follow({ origin, id }))),
    );
    await Promise.all(all.map((one) => one.until((text) => text.includes('line 12\n'))));
    for (const one of all) expect(one.text().startsWith('line 0\nline 1\nline 2\n')).toBe(true);
    for (const origin of origins) {
      const part = await fetch(`${origin}/v1/client/fs/logs/${id}?task=main&type=stdout&plain=true&limit=14`);
      expect(await part.text()).toBe('line 0\nline 1\n');
      const cat = await fetch(
        `${origin}/v1/client/fs/readat/${id}?path=alloc/logs/main.stdout.0&offset=7&limit=7`,
      );
      expect([cat.headers.get('content-type'), await cat.text()]).toEqual([
        'application/octet-stream',
        'line 1\n',
      ]);
      const missing = await fetch(`${origin}/v1/client/fs/logs/${id}?task=none&type=stdout`);
      expect(missing.status).toBe(400);
    }
    for (const one of all) one.close();
    for (const origin of origins) await until(async () => (await streamsOf(origin)) === 0);
  });
});
