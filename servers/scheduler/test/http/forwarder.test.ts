import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { defaultHttpLimits } from '@tamis/http';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { readRegions } from '@tamis/scheduler-state/cluster/regions.js';
import { describeFailure } from '../../src/api/kernel/requests/failure.js';
import { createForwarder } from '../../src/api/kernel/forwarder.js';
import { defineRoute } from '../../src/api/kernel/pipeline.js';
import { noRight } from '../../src/api/kernel/rights.js';
import type { Route, RouteFacts } from '../../src/api/kernel/route.js';
import { handleRoutes, openRoutes } from '../../src/api/kernel/routing.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const open = new Set<{ close(): unknown }>();
afterEach(async () => {
  for (const one of open) await one.close();
  open.clear();
});

/** Nothing here is counted. */
const metrics = { streaming: () => () => undefined };

interface Peer {
  readonly address: string;
  readonly requests: IncomingMessage[];
  readonly server: Server;
}

/** A server of the region `west`, and the requests that it got. */
async function startPeer(body: RequestListener): Promise<Peer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    body(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.add({ close: () => (server.closeAllConnections(), server.close()) });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

const pem = (name: string): Buffer =>
  readFileSync(new URL(`../support/certificates/${name}`, import.meta.url));

/** The same over TLS, at a name that its certificate holds. */
async function startSecurePeer(body: RequestListener): Promise<Omit<Peer, 'server'>> {
  const requests: IncomingMessage[] = [];
  const server = createSecureServer({ cert: pem('cert.pem'), key: pem('key.pem') }, (request, response) => {
    requests.push(request);
    body(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.add({ close: () => (server.closeAllConnections(), server.close()) });
  return { address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** An address without a listener. */
async function deadAddress(): Promise<string> {
  const { address, server } = await startPeer(() => undefined);
  server.close();
  await once(server, 'close');
  return address;
}

interface TestAgent {
  readonly address: string;
  readonly app: FastifyInstance;
}

/** An agent of the region `global` that knows these servers of `west`. */
const startAgent = (...peers: string[]): Promise<TestAgent> => startTrustingAgent(null, ...peers);

/** The same, which trusts whom this certificate signs. */
async function startTrustingAgent(ca: Buffer | null, ...peers: string[]): Promise<TestAgent> {
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (_request, reply) => void reply.raw.setHeader('x-own', 'global'));
  app.addHook('onSend', async (_request, reply) => void reply.header('x-sent', 'global'));
  app.setErrorHandler((error, _request, reply) => {
    const { status, text } = describeFailure(error);
    return reply.code(status).send(text);
  });
  const regions = readRegions('global', new Map([['west', peers]]));
  const forwarder = createForwarder({ regions, ca, logger: pino({ level: 'silent' }) });
  const gate = { forwarder, leaderRouting: null, region: 'global', accessOf: () => undefined };
  handleRoutes(app, openRoutes(routes, undefined, gate), { limits: defaultHttpLimits, metrics });
  app.addHook('preClose', async () => forwarder.stop());
  open.add(app);
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), app };
}

/** A route that reports that it has responded here. */
function routeHere(path: string, forward: RouteFacts['forward']): Route<undefined, undefined> {
  return defineRoute<undefined, undefined, void, void>({
    ...{ path, forward, summary: '', tag: '', parameters: [], body: null, failures: [], headers: 'none' },
    ...{ method: 'any', right: noRight, response: { kind: 'text' }, isSecret: false },
    open: () => ({
      parse: () => undefined,
      handle: (_input, _granted, { request }) => ({ body: `here ${request.method}` }),
    }),
  });
}

const routes = [
  ...['/v1/jobs', '/v1/job/{job_id}', '/v1/agent/monitor'].map((path) => routeHere(path, 'region')),
  ...['/v1/agent/self', '/v1/regions', '/ui'].map((path) => routeHere(path, 'none')),
];

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

const text = async (address: string, init?: RequestInit): Promise<string> =>
  (await fetch(address, init)).text();

describe('a request for another region', () => {
  it('is forwarded unchanged, with the token and without headers of this agent', async () => {
    const peer = await startPeer((request, response) => {
      void bodyOf(request).then((body) => response.end(`there ${body}`));
    });
    const { address } = await startAgent(peer.address);
    const path = '/v1/job/a%2Fb%20c?region=west&filter=ID%20%3D%3D%20%22x%22&pretty';
    const headers = {
      'X-Scheduler-Token': 'secret',
      'X-Nomad-Token': 'other',
      Authorization: 'Bearer secret',
      Origin: address,
      Cookie: 'a=b',
      'Content-Type': 'application/json',
    };
    for (const method of ['PUT', 'POST']) {
      expect(await text(address + path, { method, headers, body: '{"é":1}' })).toBe('there {"é":1}');
    }
    expect(await text(address + path, { method: 'DELETE', headers })).toBe('there ');
    expect(peer.requests.map(({ method, url }) => [method, url])).toEqual([
      ['PUT', path],
      ['POST', path],
      ['DELETE', path],
    ]);
    expect(peer.requests[0]?.headers).toMatchObject({
      host: new URL(peer.address).host,
      'x-scheduler-token': 'secret',
      'x-nomad-token': 'other',
      authorization: 'Bearer secret',
      'x-scheduler-forwarded': '1',
    });
    expect(peer.requests[0]?.headers).not.toHaveProperty('cookie');
    expect(peer.requests[0]?.headers).not.toHaveProperty('origin');
  });

  it('returns the status, the headers and the body of the other server', async () => {
    const packed = gzipSync('packed');
    const peer = await startPeer((_request, response) => {
      response.writeHead(
        404,
        'Nothing Here',
        [
          ['X-Scheduler-Index', '18446744073709551615'],
          ['Content-Encoding', 'gzip'],
          ['Content-Type', 'text/plain; charset=utf-8'],
          ['Set-Cookie', 'a'],
          ['Set-Cookie', 'b'],
          ['X-Hop', 'mine'],
          ['Connection', 'X-Hop'],
        ].flat(),
      );
      response.end(packed);
    });
    const { address } = await startAgent(peer.address);
    const sent = httpRequest(`${address}/v1/jobs?region=west`, {
      headers: { 'accept-encoding': 'gzip' },
    }).end();
    const [body] = (await once(sent, 'response')) as [IncomingMessage];
    const pieces: Buffer[] = [];
    for await (const piece of body) pieces.push(piece as Buffer);
    expect([body.statusCode, body.statusMessage]).toEqual([404, 'Nothing Here']);
    expect(Buffer.concat(pieces).equals(packed)).toBe(true);
    expect(body.rawHeaders).toEqual(expect.arrayContaining(['X-Scheduler-Index', '18446744073709551615']));
    expect(body.headers['set-cookie']).toEqual(['a', 'b']);
    expect(Object.keys(body.headers)).not.toEqual(expect.arrayContaining(['x-hop']));
    expect(Object.keys(body.headers)).not.toEqual(expect.arrayContaining(['x-own']));
    expect(Object.keys(body.headers)).not.toEqual(expect.arrayContaining(['x-sent']));
    expect(peer.requests[0]?.headers['accept-encoding']).toBe('gzip');
  });

  it.each<[path: string, there: boolean]>([
    ['/v1/jobs', false],
    ['/v1/jobs?region=', false],
    ['/v1/jobs?region=global', false],
    ['/v1/jobs?region=west', true],
    ['/v1/jobs?region=west&region=global', true],
    ['/v1/agent/monitor?region=west', true],
    ['/v1/agent/self?region=west', false],
    ['/v1/regions?region=west', false],
    ['/ui?region=west', false],
  ])('is %s: %s', async (path, there) => {
    const peer = await startPeer((_request, response) => response.end('there'));
    const { address } = await startAgent(peer.address);
    expect(await text(address + path)).toBe(there ? 'there' : 'here GET');
  });

  it('is rejected if the region is unknown', async () => {
    const { address } = await startAgent('http://127.0.0.1:1');
    expect(await text(`${address}/v1/jobs?region=nope`)).toBe('No path to region');
  });

  it('is passed on once and not again', async () => {
    const peer = await startPeer((_request, response) => response.end('there'));
    const { address } = await startAgent(peer.address);
    const headers = { 'X-Scheduler-Forwarded': '1' };
    expect(await text(`${address}/v1/jobs?region=west`, { headers })).toBe('No path to region');
    expect(peer.requests).toEqual([]);
  });

  it('streams: each piece comes when it was sent', async () => {
    let send: (piece: string) => void = () => undefined;
    const peer = await startPeer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.flushHeaders();
      send = (piece) => void response.write(piece);
    });
    const { address } = await startAgent(peer.address);
    const body = await fetch(`${address}/v1/agent/monitor?region=west`);
    const reader = (body.body ?? new ReadableStream<Uint8Array>()).getReader();
    for (const piece of ['{"Data":"YQ=="}', '{}']) {
      send(piece);
      expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(piece);
    }
    await reader.cancel();
    await until(() => peer.requests[0]?.destroyed === true);
  });

  it('ends with the client that waits for it', async () => {
    const peer = await startPeer(() => undefined);
    const { address } = await startAgent(peer.address);
    const socket: Socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.write('GET /v1/jobs?region=west&index=9&wait=10m HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => peer.requests.length === 1);
    expect(peer.requests[0]?.destroyed).toBe(false);
    socket.destroy();
    await until(() => peer.requests[0]?.destroyed === true);
  });

  it('ends for the client when the other server is lost half way', async () => {
    const peer = await startPeer((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half');
    });
    const { address } = await startAgent(peer.address);
    const body = await fetch(`${address}/v1/jobs?region=west`);
    peer.server.closeAllConnections();
    await expect(body.text()).rejects.toThrow();
  });

  it('ends when the agent is closed', async () => {
    const peer = await startPeer(() => undefined);
    const { address, app } = await startAgent(peer.address);
    const requests = text(`${address}/v1/jobs?region=west&index=9`);
    await until(() => peer.requests.length === 1);
    const closed = app.close();
    expect(await requests).toBe('This agent is stopping');
    await closed;
  });
});

describe('servers that cannot be reached', () => {
  it.each(['GET', 'PUT', 'POST', 'DELETE'])('are passed over for the next one: %s', async (method) => {
    const dead = await deadAddress();
    const peer = await startPeer((_request, response) => response.end('there'));
    const { address } = await startAgent(dead, peer.address);
    expect(await text(`${address}/v1/jobs?region=west`, { method })).toBe('there');
    // The one that responded is called first from now on.
    const other = await text(`${address}/v1/jobs?region=west`, { method });
    expect([other, peer.requests.length]).toEqual(['there', 2]);
  });

  it('are reported if there is no other', async () => {
    const { address } = await startAgent(await deadAddress(), await deadAddress());
    const response = await fetch(`${address}/v1/jobs?region=west`);
    expect([response.status, await response.text()]).toEqual([
      500,
      'No server of region "west" can be reached',
    ]);
  });

  it('may have received a write before they were lost, which is reported and not repeated', async () => {
    const losing = await startPeer((request) => void request.socket.destroy());
    const other = await startPeer((_request, response) => response.end('there'));
    const { address } = await startAgent(losing.address, other.address);
    const body = await fetch(`${address}/v1/jobs?region=west`, { method: 'PUT', body: '{}' });
    expect(body.status).toBe(500);
    expect(await body.text()).toBe(
      'The server of region "west" was lost before it responded: the write may have happened or not',
    );
    expect(other.requests).toEqual([]);
    expect(await text(`${address}/v1/jobs?region=west`)).toBe('there');
  });

  it('may have closed a kept connection, which is opened again', async () => {
    const peer = await startPeer((_request, response) => response.end('there'));
    const { address } = await startAgent(peer.address);
    for (let round = 0; round < 5; round += 1) {
      expect(await text(`${address}/v1/jobs?region=west`, { method: 'PUT', body: '{}' })).toBe('there');
      peer.server.closeIdleConnections();
    }
    expect(peer.requests).toHaveLength(5);
  });
});

describe('servers that are reached over TLS', () => {
  const token = { headers: { 'X-Scheduler-Token': 'secret' } };

  it('respond if their certificate is trusted', async () => {
    const peer = await startSecurePeer((_request, response) => response.end('there'));
    const { address } = await startTrustingAgent(pem('cert.pem'), peer.address);
    for (const method of ['GET', 'PUT', 'GET']) {
      expect(await text(`${address}/v1/jobs?region=west`, { method, ...token })).toBe('there');
    }
    expect(peer.requests.map(({ headers }) => headers['x-scheduler-token'])).toEqual([
      'secret',
      'secret',
      'secret',
    ]);
  });

  it.each([null, 'other-cert.pem'])('see nothing where it is not: %s', async (name) => {
    const peer = await startSecurePeer((_request, response) => response.end('there'));
    const { address } = await startTrustingAgent(name === null ? null : pem(name), peer.address);
    for (const method of ['GET', 'PUT']) {
      expect(await text(`${address}/v1/jobs?region=west`, { method, ...token })).toBe(
        'No server of region "west" can be reached',
      );
    }
    expect(peer.requests).toEqual([]);
  });
});
