import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../src/api/endpoint-result.js';
import type { ApiRequest } from '../../src/api/request.js';
import { createPeerClient, type PeerClient } from '../../src/http/peer-client.js';
import { createBodyBudget } from '../../src/http/body-budget.js';
import { proofHeaders, type ForwardedRequest } from '../../src/http/peer-link.js';
import { createPeerServer, type PeerServer, type PeerTls } from '../../src/http/peer-server.js';
import { createMemoryLogger } from '../support/secrets-server.js';
import { makeCertificate } from '../support/certificate.js';
import { freePort } from '../support/free-port.js';

const key = randomBytes(32);

const forwarded = (body = ''): ForwardedRequest => ({
  request: {
    id: 'the-id',
    operation: 'write',
    path: 'auth/token/create',
    token: 's.secret',
    peer: '10.1.2.3',
    query: new Map([['list', ['true']]]),
  },
  contentType: 'application/json',
  body: Buffer.from(body),
});

describe('the link of servers that share a store', () => {
  let server: PeerServer | null = null;
  let client: PeerClient | null = null;
  afterEach(async () => {
    client?.close();
    await server?.close();
  });

  async function start(
    api: (request: ApiRequest) => Promise<ApiResponse>,
    more: {
      readonly isActive?: boolean;
      readonly peerKey?: Buffer | null;
      readonly tls?: PeerTls;
      readonly clientTls?: PeerTls;
      readonly maxBodies?: number;
    } = {},
  ): Promise<string> {
    const port = await freePort();
    server = createPeerServer({
      ...{ host: '127.0.0.1', port, tls: more.tls ?? null, api, logger: createMemoryLogger() },
      peerKey: () => (more.peerKey === undefined ? key : more.peerKey),
      isActive: () => more.isActive ?? true,
      reportTime: () => ({ time: 7, others: [] }),
      limits: { maxJsonDepth: 10, maxJsonEntries: 100 },
      bodyBudget: createBodyBudget(more.maxBodies ?? 1_000_000),
    });
    await server.listen();
    client = createPeerClient(more.clientTls ?? more.tls ?? null);
    return `127.0.0.1:${port}`;
  }

  const send = (address: string, body?: string, proofKey = key): Promise<ApiResponse | null> =>
    client!.send(address, proofKey, forwarded(body), new AbortController().signal);

  it('forwards the request with the address of its caller, and returns the response', async () => {
    let seen: Partial<ApiRequest> & { body?: unknown } = {};
    const address = await start(async (request) => {
      seen = { ...request, body: await request.readBody(100) };
      return { status: 201, body: { response: 'yes' } };
    });
    expect(await send(address, '{"ttl":"1h"}')).toEqual({ status: 201, body: { response: 'yes' } });
    expect(seen).toMatchObject({ ...forwarded().request, body: { ttl: '1h' } });
  });

  it('refuses a body that is larger than the endpoint takes', async () => {
    const address = await start(async (request) => {
      await expect(request.readBody(5)).rejects.toMatchObject({ code: 'body-too-large' });
      return { status: 204, body: null };
    });
    expect(await send(address, '{"ttl":"1h"}')).toEqual({ status: 204, body: null });
  });

  it('hands back what is no JSON in pieces', async () => {
    const address = await start(async () => ({
      status: 200,
      body: null,
      content: { type: 'text/plain', pieces: ['a', 'b', 'c'] },
    }));
    const response = await send(address);
    let text = '';
    for await (const piece of response!.content!.pieces) text += piece;
    expect([response!.status, response!.content!.type, text]).toEqual([200, 'text/plain', 'abc']);
  });

  it.each([
    ['is not active', { isActive: false }],
    ['is sealed', { peerKey: null }],
  ])('says that nothing was done by a server that %s', async (_, more) => {
    const address = await start(async () => expect.unreachable(), more);
    expect(await send(address, '{}')).toBeNull();
  });

  it('reports that nothing was done if there is no listener', async () => {
    const address = await start(async () => expect.unreachable());
    await server!.close();
    expect(await send(address, '{}')).toBeNull();
  });

  it('reports an unknown result when the server is lost with the request', async () => {
    await start(async () => expect.unreachable());
    const sockets = createServer((socket) => void socket.once('data', () => socket.destroy()));
    sockets.listen(0, '127.0.0.1');
    await once(sockets, 'listening');
    const { port } = sockets.address() as AddressInfo;
    await expect(send(`127.0.0.1:${port}`, '{}')).rejects.toMatchObject({
      code: 'standby',
      message:
        'the connection to the active server was lost before it responded: whether this was done is not known',
    });
    const { request, ...rest } = forwarded();
    const read = { ...rest, request: { ...request, operation: 'read' as const } };
    await expect(
      client!.send(`127.0.0.1:${port}`, key, read, new AbortController().signal),
    ).rejects.toMatchObject({ message: expect.stringMatching(/: retry; a use of the token may/) });
    sockets.close();
  });

  it('finishes what is under way before it closes', async () => {
    let closed = Promise.resolve();
    const address = await start(async () => {
      closed = server!.close();
      return { status: 200, body: { done: true } };
    });
    expect(await send(address, '{}')).toMatchObject({ status: 200, body: { done: true } });
    await closed;
  });

  it('goes by TLS on both sides between those whose certificates one authority has signed', async () => {
    const [{ cert, key: secret }, other] = [await makeCertificate(1), await makeCertificate(2)];
    const tls = { cert, key: secret, ca: cert };
    const response: ApiResponse = { status: 200, body: { done: true } };
    const address = await start(async () => response, { tls });
    expect(await send(address, '{}')).toEqual(response);
    const unknownPeers = [
      // Whose certificate the server does not know.
      { cert: other.cert, key: other.key, ca: cert },
      // Who does not know that of the server: nothing is sent.
      { ...tls, ca: other.cert },
    ].map((each) => createPeerClient(each));
    const sent = await Promise.allSettled(
      unknownPeers.map((unknownPeer) =>
        unknownPeer.send(address, key, forwarded('{}'), new AbortController().signal),
      ),
    );
    expect(sent.map((each) => (each.status === 'fulfilled' ? each.value : 'refused'))).toEqual([
      'refused',
      null,
    ]);
    for (const unknownPeer of unknownPeers) unknownPeer.close();
  });

  it.each([
    ['without a proof', {}],
    ['with the proof of another key', proofHeaders(randomBytes(32), '/forward', Buffer.alloc(600_000))],
    ['with the proof of another path', proofHeaders(key, '/clock', Buffer.alloc(600_000))],
    [
      'with the proof of a shorter body',
      { ...proofHeaders(key, '/forward', Buffer.alloc(5)), 'content-length': '600000' },
    ],
  ])('refuses a request %s before its body comes, and closes the connection', async (_, headers) => {
    const address = await start(async () => expect.unreachable());
    const sent = httpRequest(`http://${address}/forward`, {
      method: 'POST',
      headers: { 'content-length': '600000', ...headers },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([403, 'close']);
    sent.destroy();
  });

  it('refuses a body that is not the one of the proof', async () => {
    const address = await start(async () => expect.unreachable());
    const sent = httpRequest(`http://${address}/forward`, {
      method: 'POST',
      headers: proofHeaders(key, '/forward', Buffer.from('one')),
    });
    sent.end('two');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(403);
  });

  it('refuses bodies beyond the budget of the server with 429', async () => {
    const address = await start(async () => ({ status: 204, body: null }), { maxBodies: 20_000 });
    expect((await send(address, 'x'.repeat(30_000)))!.status).toBe(429);
    expect((await send(address, 'x'.repeat(10_000)))!.status).toBe(204);
    expect((await send(address, 'x'.repeat(10_000)))!.status).toBe(204);
  });

  it('trusts only peers that prove that they can open the store', async () => {
    const address = await start(async () => expect.unreachable());
    expect((await send(address, '{}', randomBytes(32)))!.status).toBe(403);
    const bytes = Buffer.from('{}\n');
    const proofs = ['', 'x', createHmac('sha256', key).update('other').digest('hex')];
    for (const proof of proofs) {
      const status = await new Promise((resolve, reject) => {
        const sent = httpRequest(`http://${address}/forward`, {
          method: 'POST',
          headers: { 'x-secrets-proof': proof },
        });
        sent.on('error', reject);
        sent.on('response', (response) => resolve(response.resume().statusCode));
        sent.end(bytes);
      });
      expect(status).toBe(403);
    }
  });
});
