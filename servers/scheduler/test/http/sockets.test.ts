import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent/settings/agent-config.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { call, createTestAgent, withQuery } from '../support/test-agent.js';
import { systemClock } from '@tamis/http';
import { until } from '../../../scheduler-model/test/support/until.js';

const open = new Set<Agent>();
afterEach(async () => {
  for (const agent of open) await agent.close();
  open.clear();
});

async function serve(create: Promise<Agent>): Promise<{ agent: Agent; address: string; port: number }> {
  const agent = await create;
  open.add(agent);
  const address = await agent.listen();
  return { agent, address, port: Number(new URL(address).port) };
}

const put = (Job: object): RequestInit => ({ method: 'PUT', body: JSON.stringify({ Job }) });

/** The response of a server to bytes that no client library would send. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  // A client that disconnects before the response is sent gets none: these let the server end the connection.
  socket.write(bytes);
  const chunks = await socket.toArray();
  return Buffer.concat(chunks as Buffer[]).toString('latin1');
}

describe('over a socket', () => {
  it('a burst of connections is accepted, and no client has to retry', async () => {
    // More than the runtime keeps waiting by itself.
    const crowd = 1_000;
    const { port } = await serve(
      createTestAgent({ config: { http: { ...defaultAgentConfig.http, maxConnectionsPerClient: 0 } } }),
    );
    let connected = 0;
    const sockets = Array.from({ length: crowd }, () =>
      connect(port, '127.0.0.1').on('connect', () => (connected += 1)),
    );
    // Who is dropped tries again after a second, which is far more turns.
    for (let turn = 0; turn < 100 && connected < crowd; turn += 1) await nextTurn();
    for (const socket of sockets) socket.destroy();
    expect(connected).toBe(crowd);
  });

  it('a burst of requests is served completely, and so is a client after it', async () => {
    const { address, agent } = await serve(createBaseAgent());
    const responses = Array.from({ length: 1_000 }, async () => {
      const { status } = await call(agent, '/v1/jobs');
      return status;
    });
    const { status } = await fetch(`${address}/v1/jobs`);
    expect(status).toBe(200);
    expect(new Set(await Promise.all(responses))).toEqual(new Set([200]));
  });

  it.each([
    ['the same twice', 'Host: localhost\r\nHost: localhost'],
    ['a good and a bad one', 'Host: localhost\r\nhost: evil.example'],
    ['a bad and a good one', 'Host: evil.example\r\nHOST: localhost'],
  ])('a request with two hosts is refused: %s', async (_what, hosts) => {
    const { port } = await serve(createTestAgent());
    const response = await sendRaw(port, `GET /v1/jobs HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toMatch(/\r\n\r\nMore than one Host header$/);
  });

  it('a request with more headers than are kept is refused, whatever the last ones say', async () => {
    const { port } = await serve(createTestAgent());
    const send = (others: number): Promise<string> =>
      sendRaw(
        port,
        `GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n${'A: b\r\n'.repeat(others)}Connection: close\r\n\r\n`,
      );
    expect(await send(1_998)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send(1_999)).toMatch(/^HTTP\/1\.1 431 .*\r\n\r\nThe request has more than 2000 headers$/s);
  });

  it.each<[target: string, status: number, text: string]>([
    ['http://localhost/v1/job/charlie?pretty', 200, '"ID": "charlie"'],
    ['HTTP://LOCALHOST:4646/v1/job/charlie', 200, '"ID":"charlie"'],
    ['http://localhost/v1/job/none', 404, 'job not found'],
    ['http://localhost', 307, ''],
    ['http://localhost?a=b', 307, ''],
    ['http://evil.example/v1/job/charlie', 403, 'is not a name of this server'],
    ['http:///v1/job/charlie', 403, 'is not a name of this server'],
    ['http://localhost@evil.example/v1/jobs', 403, 'is not a name of this server'],
  ])('a target that names its host is served as that host: %s', async (target, status, text) => {
    const { port } = await serve(createBaseAgent());
    const response = await sendRaw(
      port,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(response).toContain(text);
  });

  it('a blocked list is woken by a write of another client', async () => {
    const { agent, address } = await serve(createBaseAgent({ clock: systemClock }));
    const index = (await fetch(`${address}/v1/jobs`)).headers.get('x-scheduler-index') ?? '';
    const blocked = fetch(`${address}/v1/jobs?index=${index}&wait=1m`);
    await until(() => agent.blocking.waiting === 1);
    await fetch(`${address}/v1/jobs`, put(minimalJob('echo')));
    const response = await blocked;
    expect(response.headers.get('x-scheduler-index')).toBe(String(Number(index) + 1));
    expect(((await response.json()) as { ID: string }[]).map(({ ID }) => ID)).toEqual([
      'alpha',
      'bravo',
      'charlie',
      'echo',
    ]);
    expect(agent.blocking.waiting).toBe(0);
  });

  it('a write that a filter hides wakes too, and moves the index', async () => {
    const { agent, address } = await serve(createBaseAgent({ clock: systemClock }));
    const list = withQuery(`${address}/v1/jobs`, { filter: 'ID == alpha', index: '114', wait: '1m' });
    const blocked = fetch(list);
    await until(() => agent.blocking.waiting === 1);
    await fetch(`${address}/v1/jobs`, put(minimalJob('echo')));
    expect((await blocked).headers.get('x-scheduler-index')).toBe('115');
  });

  it('one can wait for a job that does not exist yet', async () => {
    const { agent, address } = await serve(createBaseAgent({ clock: systemClock }));
    const missing = await fetch(`${address}/v1/job/later`);
    expect([missing.status, await missing.text()]).toEqual([404, 'job not found']);
    const blocked = fetch(
      `${address}/v1/job/later?wait=1m&index=${missing.headers.get('x-scheduler-index')}`,
    );
    await until(() => agent.blocking.waiting === 1);
    await fetch(`${address}/v1/jobs`, put(minimalJob('later')));
    const response = await blocked;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ID: 'later' });
  });

  it('a bad filter is refused at once, whatever the index', async () => {
    const { agent, address } = await serve(createBaseAgent({ clock: systemClock }));
    for (const filter of ['ID ==', 'Bogus == 1', 'Periodic.Enabled == true']) {
      const response = await fetch(withQuery(`${address}/v1/jobs`, { filter, index: '999999', wait: '10m' }));
      expect(response.status).toBe(400);
    }
    expect(agent.blocking.waiting).toBe(0);
  });

  it('a client that hangs up is forgotten', async () => {
    const { agent, port } = await serve(createBaseAgent({ clock: systemClock }));
    const socket = await send(port, '/v1/jobs?index=999999&wait=10m');
    await until(() => agent.blocking.waiting === 1);
    socket.destroy();
    await until(() => agent.blocking.waiting === 0);
    expect(agent.blocking.waiting).toBe(0);
  });

  it('stopping responds to all waiting clients', async () => {
    const { agent, address } = await serve(createBaseAgent({ clock: systemClock }));
    const blocked = Array.from({ length: 20 }, () => fetch(`${address}/v1/jobs?index=999999&wait=10m`));
    await until(() => agent.blocking.waiting === 20);
    const closed = agent.close();
    for (const response of await Promise.all(blocked)) {
      expect(response.status).toBe(200);
      expect(response.headers.get('x-scheduler-index')).toBe('114');
      await response.text();
    }
    await closed;
    open.delete(agent);
  });

  it('gzip holds what plain text holds, short lists and long ones', async () => {
    const { agent, port, address } = await serve(
      createTestAgent({ config: { fill: { kind: 'sample', isStill: true } } }),
    );
    expect(agent.state.snapshot().tables.jobs.primary.size).toBe(2_000);
    for (const path of [
      '/v1/jobs?per_page=3',
      '/v1/jobs?namespace=*',
      '/v1/jobs?namespace=*&pretty',
      '/v1/job/nope',
      '/nothing',
    ]) {
      const plain = await fetch(address + path, { headers: { 'accept-encoding': 'identity' } });
      const packed = await readAll(
        await send(port, path, { 'Accept-Encoding': 'gzip', Connection: 'close' }),
      );
      expect(packed.head).toMatch(/content-encoding: gzip/i);
      expect(packed.head).toMatch(/vary: accept-encoding/i);
      expect(gunzipSync(packed.body).toString()).toBe(await plain.text());
    }
  });

  it('headers keep the names that the documents give them', async () => {
    const { port } = await serve(createBaseAgent());
    const { head } = await readAll(await send(port, '/v1/jobs?per_page=1', { Connection: 'close' }));
    for (const name of [
      'X-Scheduler-Index',
      'X-Scheduler-LastContact',
      'X-Scheduler-KnownLeader',
      'X-Scheduler-Nexttoken',
    ]) {
      expect(head).toContain(`\r\n${name}: `);
    }
  });

  it.each<[what: string, request: string, status: string, text: string]>([
    ['what is no HTTP', 'hello\r\n\r\n', '400', 'This is not an HTTP request'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`,
      '431',
      'Request line and headers are too large',
    ],
    [
      'a long URL',
      `GET /v1/jobs?${'x'.repeat(90_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      '414',
      'URL is longer than 81920 bytes',
    ],
    [
      'a broken escape in the path',
      'GET /v1/job/a%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      '400',
      'Invalid percent escape in the path',
    ],
    [
      'a broken escape in a filter',
      'GET /v1/jobs?filter=50% HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      '400',
      'Invalid percent escape in query parameter "filter": "%". Write a literal % as %25',
    ],
  ])('%s gets plain text', async (_what, request, status, text) => {
    const { port } = await serve(createBaseAgent());
    const socket = connect(port, '127.0.0.1');
    socket.write(request);
    const { head, body } = await readAll(socket);
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(head).toMatch(/content-type: text\/plain; charset=utf-8/i);
    expect(body.toString()).toBe(text);
  });

  it('a client may hold only so many connections', async () => {
    const config: Partial<AgentConfig> = { http: { ...defaultAgentConfig.http, maxConnectionsPerClient: 2 } };
    const { port } = await serve(createBaseAgent({ config }));
    const first = await send(port, '/v1/jobs');
    const second = await send(port, '/v1/jobs');
    const { head } = await readAll(await send(port, '/v1/jobs'));
    expect(head).toMatch(/^HTTP\/1\.1 429 [^]*\r\nRetry-After: 1\r\n/);
    first.destroy();
    second.destroy();
  });
});

describe('browser pages of other sites', () => {
  it.each<[what: string, method: string, headers: Record<string, string>, status: number]>([
    ['may not write', 'PUT', { origin: 'http://evil.example' }, 403],
    ['may not write, though they hide where they are', 'PUT', { origin: 'null' }, 403],
    ['may not write, as the browser says', 'POST', { 'sec-fetch-site': 'cross-site' }, 403],
    ['may not use a name of their own for this machine', 'GET', { host: 'evil.example:4646' }, 403],
    ['may read, and see nothing without CORS', 'GET', { origin: 'http://evil.example' }, 200],
    ['are not curl', 'PUT', {}, 200],
    ['are not this site', 'PUT', { origin: 'http://localhost:80' }, 200],
  ])('%s', async (_what, method, headers, status) => {
    const agent = await createBaseAgent();
    const body = method === 'GET' ? undefined : { Job: minimalJob('echo') };
    const response = await call(agent, '/v1/jobs', { method, headers, body });
    expect(response.status).toBe(status);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    const stored = await call(agent, '/v1/job/echo');
    expect(stored.status).toBe(method !== 'GET' && status === 200 ? 200 : 404);
  });

  it('reach a configured name', async () => {
    const agent = await createBaseAgent({ config: { hostNames: ['Scheduler.Internal'] } });
    expect((await call(agent, '/v1/jobs', { headers: { host: 'scheduler.internal:4646' } })).status).toBe(
      200,
    );
  });
});

describe('a request that does not arrive in time', () => {
  const limits = { ...defaultAgentConfig.http, headersTimeout: 500, requestTimeout: 500 };
  it.each([
    ['its headers', 'GET /v1/jobs HTTP/1.1\r\nHost: loc'],
    ['its body', 'PUT /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'],
  ])('is ended soon after the limit: %s', async (_what, sent) => {
    const { port } = await serve(createTestAgent({ config: { http: limits } }));
    const socket = connect(port, '127.0.0.1');
    socket.write(sent);
    const { head, body } = await readAll(socket);
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(body.toString()).toBe('The request took too long to arrive');
  });
});

async function send(port: number, path: string, headers: Record<string, string> = {}): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return socket;
}

/** The whole response of a connection that the server closes; chunks are joined. */
async function readAll(socket: Socket): Promise<{ head: string; body: Buffer }> {
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece as Buffer);
  const all = Buffer.concat(pieces);
  const end = all.indexOf('\r\n\r\n');
  const head = all.subarray(0, end + 2).toString();
  const body = all.subarray(end + 4);
  return { head, body: /transfer-encoding: chunked/i.test(head) ? joinChunks(body) : body };
}

function joinChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const newline = body.indexOf('\r\n', at);
    const length = parseInt(body.subarray(at, newline).toString(), 16);
    chunks.push(body.subarray(newline + 2, newline + 2 + length));
    at = newline + 4 + length;
  }
  return Buffer.concat(chunks);
}
