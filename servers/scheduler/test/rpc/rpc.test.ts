import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listenerIdleMs, poolIdleMs } from '@tamis/http';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { createAgents } from '../support/agents.js';
import { createTestAgent } from '../support/test-agent.js';
import { until as untilSo } from '../../../scheduler-model/test/support/until.js';

const agents = createAgents();
afterEach(() => agents.close());

interface TestReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function send(url: string, init: RequestInit = {}): Promise<TestReply> {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const own = { 'x-scheduler-rpc': '1' };
const id = '11111111-0000-4000-8000-000000000001';
const secret = '22222222-0000-4000-8000-000000000002';
const proof = { ...own, 'x-scheduler-node-id': id, 'x-scheduler-node-secret': secret };
const Node = { ID: id, SecretID: secret, Name: 'n1', Datacenter: 'dc1', Status: 'ready' };

function register(rpc: string, node: object = Node): Promise<TestReply> {
  return send(`${rpc}/internal/node/register`, {
    method: 'POST',
    headers: own,
    body: JSON.stringify({ Node: node }),
  });
}

async function startServer(): Promise<{ origin: string; rpc: string }> {
  const { agent, origin } = await agents.server();
  return { origin, rpc: `http://${agent.rpcAddress()}` };
}

/** Repeats a request until the response is as expected: connections are created in the background. */
async function until(url: string, isThere: (response: TestReply) => boolean): Promise<TestReply> {
  let response = await send(url);
  await untilSo(() => isThere(response), {
    what: `another answer of ${url}`,
    async between() {
      await pause(10);
      response = await send(url);
    },
  });
  return response;
}

describe('the port for other agents', () => {
  it('keeps idle connections longer than the pools of its clients do, as the HTTP port does', async () => {
    const { origin, rpc } = await startServer();
    for (const url of [`${rpc}/internal/ping`, `${rpc}/internal/http/v1/jobs`, `${origin}/v1/jobs`]) {
      const { headers } = await send(url, { headers: own });
      const seconds = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]);
      expect([url, seconds * 1_000]).toEqual([url, listenerIdleMs]);
    }
    // Go's clients keep connections for 90 s.
    expect(listenerIdleMs).toBeGreaterThan(Math.max(poolIdleMs, 90_000) + 10_000);
  });

  it('responds to a ping, and to nothing of the HTTP port', async () => {
    const { origin, rpc } = await startServer();
    expect(await send(`${rpc}/internal/ping`, { headers: own })).toMatchObject({
      status: 200,
      text: '{"server":"srv1.global","region":"global"}',
    });
    expect(await send(`${rpc}/v1/jobs`, { headers: own })).toMatchObject({ status: 404, text: '' });
    for (const path of ['/internal/ping', '/internal/http/v1/jobs', '/internal/rights']) {
      expect(await send(`${origin}${path}`, { headers: own })).toMatchObject({ status: 404, text: '' });
    }
  });

  it.each([
    ['no agent', {}],
    ['a page of another site', { ...own, origin: 'http://evil.example' }],
    ['a name that is not of this machine', { ...own, host: 'evil.example' }],
  ])('refuses %s', async (_what, headers) => {
    const { rpc } = await startServer();
    for (const path of ['/internal/ping', '/internal/http/v1/jobs']) {
      // Not fetch, which sets the host itself.
      const outgoing = request(`${rpc}${path}`, { headers });
      outgoing.end();
      const [response] = (await once(outgoing, 'response')) as [{ statusCode: number; resume(): void }];
      response.resume();
      expect(response.statusCode).toBe(403);
    }
  });

  it('hangs up on a request that does not arrive in time', async () => {
    const http = { ...defaultAgentConfig.http, headersTimeout: 500, requestTimeout: 500 };
    const { agent } = await agents.server({ http });
    const [host = '', port] = agent.rpcAddress().split(':');
    const socket = connect(Number(port), host);
    socket.write('POST /internal/node/register HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{');
    socket.resume();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });

  it('passes requests on to the HTTP API, with their bodies and headers', async () => {
    const { origin, rpc } = await startServer();
    const url = `${rpc}/internal/http/v1/namespace`;
    const put = await send(url, { method: 'PUT', headers: own, body: '{"Name":"made"}' });
    expect([put.status, put.headers.get('x-scheduler-index')]).toEqual([200, '2']);
    expect((await send(`${origin}/v1/namespaces`)).text).toContain('"Name":"made"');
    expect(await send(`${rpc}/internal/http/v1/nonsense`, { headers: own })).toMatchObject({ status: 404 });
  });
});

describe('a node', () => {
  const other = { ...Node, ID: '11111111-0000-4000-8000-000000000009' };

  it('is refused where there are as many as may be, until one is purged; those that are there stay', async () => {
    const { agent, origin } = await agents.server({ maxNodes: 1 });
    const rpc = `http://${agent.rpcAddress()}`;
    expect((await register(rpc)).status).toBe(200);
    expect(await register(rpc, other)).toMatchObject({
      status: 429,
      text: 'There are nodes enough: limits.max_nodes is 1. Purge those that are gone, or raise it',
    });
    expect((await register(rpc)).status).toBe(200);
    expect((await send(`${origin}/v1/node/${id}/purge`, { method: 'PUT' })).status).toBe(200);
    expect((await register(rpc, other)).status).toBe(200);
  });

  it('may report more than is written at once', async () => {
    const { rpc } = await startServer();
    await register(rpc);
    const Allocations = Array.from({ length: 600 }, (_, at) => ({ ID: `unknown-${at}` }));
    const response = await send(`${rpc}/internal/node/allocations`, {
      method: 'POST',
      headers: proof,
      body: JSON.stringify({ Allocations }),
    });
    expect(JSON.parse(response.text)).toMatchObject({ unknownIds: Allocations.map(({ ID }) => ID) });
  });

  it('is rejected if its attributes are too large', async () => {
    const { rpc } = await startServer();
    const large = { ...Node, Meta: { text: 'x'.repeat(262_144) } };
    expect(await register(rpc, large)).toMatchObject({ status: 413, text: 'Request body is too large' });
    expect((await register(rpc)).status).toBe(200);
  });

  it('registers, sends heartbeats, and fetches its allocations', async () => {
    const { origin, rpc } = await startServer();
    const registered = await register(rpc);
    expect(registered.status).toBe(200);
    expect(JSON.parse(registered.text)).toEqual({ heartbeatTtl: 15_000, index: 2, servers: [] });
    const beat = await send(`${rpc}/internal/node/heartbeat`, { method: 'POST', headers: proof });
    expect(JSON.parse(beat.text)).toEqual({ heartbeatTtl: 15_000, index: 2, servers: [] });
    expect((await send(`${origin}/v1/nodes`)).text).toContain('"Status":"ready"');
    const none = await send(`${rpc}/internal/node/allocations`, { headers: proof });
    expect(none.text).toMatch(/^\{"kind":"begin",.*"isWhole":true\}\n\{"kind":"end","count":0\}\n$/);
    const updates = JSON.stringify({ Allocations: [{ ID: 'unknown', ClientStatus: 'running' }, null] });
    const update = await send(`${rpc}/internal/node/allocations`, {
      method: 'POST',
      headers: proof,
      body: updates,
    });
    expect(JSON.parse(update.text)).toMatchObject({ unknownIds: ['unknown', ''] });
  });

  it.each([
    ['no proof', own],
    ['another secret', { ...proof, 'x-scheduler-node-secret': id }],
    ['an empty secret', { ...proof, 'x-scheduler-node-secret': '' }],
    ['another node', { ...proof, 'x-scheduler-node-id': secret }],
  ])('is rejected with %s', async (_what, headers) => {
    const { rpc } = await startServer();
    await register(rpc);
    const requests = [
      ['POST', 'heartbeat'],
      ['GET', 'allocations'],
      ['POST', 'allocations'],
    ] as const;
    for (const [method, path] of requests) {
      const response = await send(`${rpc}/internal/node/${path}`, { method, headers });
      expect([response.status, response.text]).toEqual([403, 'Permission denied']);
    }
  });

  it('keeps its ID from clients with another secret', async () => {
    const { rpc } = await startServer();
    await register(rpc);
    const response = await register(rpc, { ...Node, SecretID: id, Name: 'thief' });
    expect([response.status, response.text]).toEqual([403, 'node secret ID does not match']);
    expect((await register(rpc, { ...Node, Name: 'n2' })).status).toBe(200);
  });

  it('is taken with any secret where it came from an export, which has none, and keeps it', async () => {
    const agent = await createTestAgent({
      lines: [
        { kind: 'node', object: { ID: id, Name: 'n1', Datacenter: 'dc1', Status: 'ready', NodePool: 'gpu' } },
      ],
    });
    const origin = await agent.listen();
    const rpc = `http://${agent.rpcAddress()}`;
    const requests = { method: 'POST', headers: proof };
    expect((await send(`${rpc}/internal/node/heartbeat`, requests)).status).toBe(403);
    expect((await register(rpc)).status).toBe(200);
    expect((await send(`${rpc}/internal/node/heartbeat`, requests)).status).toBe(200);
    expect((await register(rpc, { ...Node, SecretID: id })).status).toBe(403);
    expect(JSON.parse((await send(`${origin}/v1/node/${id}`)).text)).toMatchObject({ Status: 'ready' });
    await agent.close();
  });

  it.each([
    [{ ...Node, ID: '../x' }, 'Node.ID is not a UUID'],
    [{ ...Node, SecretID: '' }, 'Node.SecretID is not a UUID'],
    [{ ...Node, Name: '' }, 'Node.Name is missing'],
    [{ ...Node, Datacenter: '' }, 'Node.Datacenter is missing'],
    [{ ...Node, Attributes: 7 }, 'Node.Attributes: expected'],
  ])('that is not one is refused: %j', async (node, text) => {
    const { rpc } = await startServer();
    const response = await register(rpc, node);
    expect(response.status).toBe(400);
    expect(response.text).toContain(text);
  });

  it('gets no connection without proof', async () => {
    const { rpc } = await startServer();
    const { hostname, port } = new URL(rpc);
    const socket = connect(Number(port), hostname);
    socket.write(
      'GET /internal/node/connection HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n' +
        'Upgrade: scheduler-questions\r\nx-scheduler-rpc: 1\r\n\r\n',
    );
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 403 /);
    await once(socket, 'close');
  });
});

describe('a connection that a node has opened', () => {
  const upgrade =
    'GET /internal/node/connection HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n' +
    `Upgrade: scheduler-questions\r\n${Object.entries(proof)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;
  /** The frame of settings with which an HTTP/2 server begins. */
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

  async function open(rpc: string): Promise<Socket> {
    const { hostname, port } = new URL(rpc);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => socket.destroy());
    socket.write(upgrade);
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 101 /);
    return socket;
  }

  it.each<[what: string, bytes: Buffer]>([
    ['text', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
    ['zeros', Buffer.alloc(4_096)],
    ['a frame that is too large', Buffer.from([255, 255, 255, 0, 0, 0, 0, 0, 1])],
    [
      'an answer that nobody asked for',
      Buffer.concat([settings, Buffer.from([0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88])]),
    ],
    ['nothing', Buffer.alloc(0)],
  ])('may carry %s without harming other connections', async (_what, bytes) => {
    const { origin, rpc } = await startServer();
    await register(rpc);
    const socket = await open(rpc);
    const host = send(`${origin}/v1/agent/host?node_id=${id}`);
    socket.end(bytes);
    expect([404, 500]).toContain((await host).status);
    await until(`${origin}/v1/agent/host?node_id=${id}`, ({ status }) => status === 404);
    expect((await send(`${origin}/v1/jobs`)).status).toBe(200);
  });

  it('may be replaced and break at any time', async () => {
    const { origin, rpc } = await startServer();
    await register(rpc);
    for (let at = 0; at < 60; at += 1) {
      const socket = await open(rpc);
      const requests = send(`${origin}/v1/agent/host?node_id=${id}`);
      if (at % 3 > 0) socket.write(settings);
      if (at % 2 > 0) socket.destroy();
      else await open(rpc).then((next) => next.destroy());
      expect([404, 500]).toContain((await requests).status);
    }
    expect((await send(`${origin}/v1/jobs`)).status).toBe(200);
  });
});

describe('a client', () => {
  it('lets a server respond to requests that do not concern the server itself', async () => {
    const server = await startServer();
    const { origin } = await agents.client([new URL(server.rpc).host]);
    await send(`${origin}/v1/namespace`, { method: 'PUT', body: '{"Name":"made"}' });
    const list = await send(`${origin}/v1/namespaces?index=1&wait=1s`);
    expect(list.text).toBe((await send(`${server.origin}/v1/namespaces`)).text);
    expect(list.headers.get('x-scheduler-index')).toBe('2');
    expect(await send(`${origin}/v1/jobs?index=x`)).toMatchObject({ status: 400, text: 'Invalid index' });
    expect(await send(`${origin}/v1/jobs`, { method: 'DELETE' })).toMatchObject({ status: 405 });
    expect((await send(`${origin}/v1/agent/members`)).text).toContain('"Name":"srv1.global"');
  });

  it('says so when no server can be reached, and knows one again when it can', async () => {
    const { origin } = await agents.client(['127.0.0.1:1']);
    for (const path of ['agent/members', 'jobs', 'agent/host?server_id=leader', 'agent/host?node_id=x']) {
      expect(await send(`${origin}/v1/${path}`)).toMatchObject({ status: 500, text: 'no servers' });
    }
    const { rpc } = await startServer();
    const address = new URL(rpc).host;
    const post = await send(`${origin}/v1/agent/servers?address=127.0.0.1:1&address=${address}`, {
      method: 'POST',
    });
    expect([post.status, post.text, post.headers.get('content-type')]).toEqual([200, '', null]);
    expect((await send(`${origin}/v1/agent/servers`)).text).toBe(`["${address}"]`);
    expect((await send(`${origin}/v1/jobs`)).text).toBe('[]');
  });

  it('keeps its servers if none of a new list responds, and reports why', async () => {
    const { origin } = await startServer();
    const client = await agents.client(['127.0.0.1:9', '10.0.0.1']);
    const http = new URL(origin).host;
    const url = `${client.origin}/v1/agent/servers?address=127.0.0.1:1&address=${http}&address=x:y`;
    const response = await send(url, { method: 'PUT' });
    expect([response.status, response.text]).toEqual([
      400,
      '3 errors occurred:\n' +
        '\t* Server at address 127.0.0.1:1 failed ping: dial tcp 127.0.0.1:1: connect: connection refused\n' +
        `\t* Server at address ${http} failed ping: rpc error: status 404 without a word, is this the RPC port?\n` +
        '\t* invalid port in address "x:y": expected 1 to 65535\n\n',
    ]);
    expect((await send(`${client.origin}/v1/agent/servers`)).text).toBe('["10.0.0.1:4647","127.0.0.1:9"]');
  });

  it('that knows no server is not healthy', async () => {
    const { origin } = await agents.client([]);
    expect(await send(`${origin}/v1/agent/health`)).toMatchObject({
      status: 500,
      text: '{"client":{"ok":false,"message":"no known servers"}}',
    });
    expect(await send(`${origin}/v1/agent/host?node_id=x`)).toMatchObject({ text: 'No local Node' });
  });

  it('refuses what only servers do, whatever else is wrong', async () => {
    const { origin } = await agents.client([]);
    const post = { method: 'POST' };
    expect(await send(`${origin}/v1/agent/join`, post)).toMatchObject({
      status: 501,
      text: 'Invalid method',
    });
    expect(await send(`${origin}/v1/agent/join`)).toMatchObject({ status: 405, text: 'Invalid method' });
    expect(await send(`${origin}/v1/agent/force-leave`, post)).toMatchObject({ status: 501 });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      for (const path of ['schedulers', 'schedulers/config']) {
        const response = await send(`${origin}/v1/agent/${path}`, { method });
        expect([response.status, response.text]).toEqual([400, 'Server only endpoint']);
      }
    }
  });

  it('passes on so many requests at a time, and none of them holds up its own', async () => {
    const server = await startServer();
    const { origin } = await agents.client([new URL(server.rpc).host]);
    const hangUp = new AbortController();
    const url = `${origin}/v1/jobs?index=1000&wait=5m`;
    const waiting = Array.from({ length: 64 }, () => send(url, { signal: hangUp.signal }).catch(() => null));
    const late = await until(`${origin}/v1/nodes`, ({ status }) => status !== 200);
    expect(late).toMatchObject({
      status: 429,
      text: 'Too many requests wait for servers by way of this agent',
    });
    const again = `${origin}/v1/agent/servers?address=${new URL(server.rpc).host}`;
    expect((await send(again, { method: 'PUT' })).status).toBe(200);
    hangUp.abort();
    await Promise.all(waiting);
    await until(`${origin}/v1/nodes`, ({ status }) => status === 200);
  });

  it('queries the servers for the rights of a token', async () => {
    const acl = { enabled: true };
    const { agent, origin } = await agents.server({ acl });
    const client = await agents.client([agent.rpcAddress()], { acl });
    const bootstrap = await send(`${origin}/v1/acl/bootstrap`, { method: 'PUT' });
    const { SecretID } = JSON.parse(bootstrap.text) as { SecretID: string };
    for (const path of ['self', 'servers', 'host', 'members', 'pprof/cmdline', 'monitor']) {
      const url = `${client.origin}/v1/agent/${path}`;
      expect(await send(url), path).toMatchObject({ status: 403, text: 'Permission denied' });
      const unknown = await send(url, { headers: { 'x-scheduler-token': id } });
      expect(unknown, path).toMatchObject({ status: 403, text: 'Permission denied' });
    }
    const headers = { authorization: `Bearer ${SecretID}` };
    for (const path of ['self', 'servers', 'host', 'members', 'pprof/cmdline']) {
      expect((await send(`${client.origin}/v1/agent/${path}`, { headers })).status, path).toBe(200);
    }
    expect((await send(`${client.origin}/v1/agent/health`)).status).toBe(200);
  });
});

describe('requests to another agent', () => {
  async function connected(): Promise<{ server: string; client: string; node: string }> {
    const { agent, origin } = await agents.server();
    const client = await agents.client([agent.rpcAddress()], {}, true);
    const { text } = await until(`${origin}/v1/nodes`, ({ text: list }) => list !== '[]');
    const [{ ID: node } = { ID: '' }] = JSON.parse(text) as { ID: string }[];
    await until(`${origin}/v1/agent/host?node_id=${node}`, ({ status }) => status === 200);
    return { server: origin, client: client.origin, node };
  }

  it('go to a node over the connection that it has opened', async () => {
    const { server, client, node } = await connected();
    const ofNode = await send(`${server}/v1/agent/host?node_id=${node}`);
    expect(ofNode.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(ofNode.text)).toMatchObject({
      AgentID: node,
      HostData: { Environment: { ROLE: 'client' } },
    });
    const ofServer = await send(`${client}/v1/agent/host?server_id=leader`);
    expect(JSON.parse(ofServer.text)).toMatchObject({ HostData: { Environment: { ROLE: 'server' } } });
    expect(JSON.parse((await send(`${client}/v1/agent/host`)).text)).toMatchObject({ AgentID: node });
    expect(await send(`${client}/v1/agent/host?server_id=x`)).toMatchObject({
      status: 400,
      text: 'unknown Scheduler server x',
    });
    expect(await send(`${client}/v1/agent/host?node_id=${id}`)).toMatchObject({
      status: 404,
      text: `Unknown node "${id}"`,
    });
  });

  it('may be for profiles, whose headers and refusals come along', async () => {
    const { server, node } = await connected();
    const heap = await send(`${server}/v1/agent/pprof/heap?node_id=${node}`);
    expect(heap.headers.get('content-disposition')).toBe('attachment; filename="heap"');
    expect(await send(`${server}/v1/agent/pprof/a%2Fb%20c?node_id=${node}`)).toMatchObject({
      status: 404,
      text: 'Pprof profile not found profile: a/b c',
    });
  });

  it('may be long, and bring along only what agents understand', async () => {
    const { server, node } = await connected();
    const long = 'x'.repeat(40_000);
    const url = `${server}/v1/agent/host?node_id=${node}&pretty&a=${long}`;
    const response = await send(`${url}&b=${long}`);
    expect([response.status, response.text.endsWith('}\n')]).toEqual([200, true]);
    const refused = await send(`${server}/v1/agent/pprof/${long}${long}?node_id=${node}`);
    expect([refused.status, refused.text]).toEqual([
      404,
      `Pprof profile not found profile: ${'x'.repeat(80_000)}`,
    ]);
    expect((await send(url)).status).toBe(200);
  });

  it('may have endless responses, which end with the caller', async () => {
    const { server, client, node } = await connected();
    for (const url of [
      `${server}/v1/agent/monitor?node_id=${node}`,
      `${client}/v1/agent/monitor?server_id=leader`,
    ]) {
      const hangUp = new AbortController();
      const response = await fetch(`${url}&log_level=debug`, { signal: hangUp.signal });
      expect(response.headers.get('content-type')).toBe('application/json');
      const reader = response.body?.getReader();
      await send(`${server}/v1/status/leader`);
      await send(`${client}/v1/agent/servers`);
      const { value } = (await reader?.read()) as { value: Uint8Array };
      expect(Buffer.from(value).toString()).toMatch(/^\{(?:"Data":"|\})/);
      hangUp.abort();
    }
    // Many one after the other: none of them leaks.
    for (let at = 0; at < 40; at += 1) {
      const hangUp = new AbortController();
      const { status } = await fetch(`${server}/v1/agent/monitor?node_id=${node}`, { signal: hangUp.signal });
      expect(status).toBe(200);
      hangUp.abort();
      await pause(1);
    }
    expect((await send(`${server}/v1/agent/host?node_id=${node}`)).status).toBe(200);
  });

  it('have streams that are few at a time to one node, and do not hold up the others', async () => {
    const { server, node } = await connected();
    const hangUp = new AbortController();
    const url = `${server}/v1/agent/monitor?node_id=${node}`;
    const open = Array.from({ length: 64 }, () => fetch(url, { signal: hangUp.signal }));
    const statuses = (await Promise.all(open)).map(({ status }) => status);
    expect(statuses).toEqual(Array(64).fill(200));
    expect(await send(url)).toMatchObject({
      status: 429,
      text: 'The node is sending 64 files and logs already, try later',
    });
    expect((await send(`${server}/v1/agent/host?node_id=${node}`)).status).toBe(200);
    hangUp.abort();
    await untilSo(async () => {
      const again = new AbortController();
      const { status } = await fetch(url, { signal: again.signal });
      again.abort();
      return status === 200;
    });
  });

  it('are in vain once the node is gone', async () => {
    const { agent, origin } = await agents.server();
    const client = await agents.client([agent.rpcAddress()], {}, true);
    const { text } = await until(`${origin}/v1/nodes`, ({ text: list }) => list !== '[]');
    const [{ ID: node } = { ID: '' }] = JSON.parse(text) as { ID: string }[];
    const url = `${origin}/v1/agent/host?node_id=${node}`;
    await until(url, ({ status }) => status === 200);
    await client.agent.close();
    const gone = await until(url, ({ status }) => status !== 200);
    expect([gone.status, gone.text]).toEqual([404, `Unknown node "${node}"`]);
  });

  it('find the client again after the server has come back', async () => {
    const first = await agents.server();
    const port = Number(new URL(`http://${first.agent.rpcAddress()}`).port);
    await agents.client([first.agent.rpcAddress()], {}, true);
    await until(`${first.origin}/v1/nodes`, ({ text }) => text !== '[]');
    await first.agent.close();
    const log: string[] = [];
    const hub = createLogHub({ level: 'error', write: (line) => void log.push(line) });
    const second = await agents.server({ rpcPort: port }, hub);
    const beat = send(`http://${second.agent.rpcAddress()}/internal/ping`, { headers: own });
    expect((await beat).status).toBe(200);
    expect(log).toEqual([]);
  });
});
