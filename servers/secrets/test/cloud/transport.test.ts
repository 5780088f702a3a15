import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { get, postForm, type CloudResponse } from '../../src/cloud/cloud-request.js';
import { createTransport, type Send } from '../../src/cloud/transport.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';
import { loopbackFetch } from '../support/loopback-fetch.js';

let server: Server;
let respondWith: RequestListener;
let clock: FakeClock;
let send: Send;
let origin: string;
const never = new AbortController().signal;

beforeEach(async () => {
  server = createServer((request, response) => respondWith(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  clock = createFakeClock();
  send = createTransport({
    fetch: loopbackFetch,
    clock,
    limits: { requestTimeout: 10_000, maxResponseLength: 1_000 },
  });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const sendRequest = (signal = never): Promise<CloudResponse> =>
  send(get('the thing', new URL(`${origin}/path`)), signal);

describe('a request to the cloud', () => {
  it('is sent as built, and returns status, body and retry delay', async () => {
    respondWith = (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        response.writeHead(429, { 'retry-after': '7' });
        response.end(`${String(request.method)} ${String(request.url)} ${body}`);
      });
    };
    const request = postForm('the thing', new URL(`${origin}/path?a=b`), { name: 'a b&c' });
    expect(await send(request, never)).toEqual({
      status: 429,
      retryAfter: '7',
      text: 'POST /path?a=b name=a+b%26c',
    });
    expect(clock.pending).toBe(0);
  });

  it('follows no redirect', async () => {
    let visits = 0;
    respondWith = (_, response) => {
      visits += 1;
      response.writeHead(307, { location: `${origin}/elsewhere` }).end();
    };
    await expect(sendRequest()).rejects.toMatchObject({ code: 'unreachable', status: 307 });
    expect(visits).toBe(1);
  });

  it('rejects a response above the limit, announced or not', async () => {
    respondWith = (_, response) => response.end('x'.repeat(1_000));
    expect((await sendRequest()).text).toHaveLength(1_000);
    respondWith = (_, response) => response.end('x'.repeat(1_001));
    await expect(sendRequest()).rejects.toThrow('longer than 1000 bytes');
    respondWith = (_, response) => {
      const drip = (): void => void response.write('x'.repeat(600), () => setImmediate(drip));
      drip();
    };
    await expect(sendRequest()).rejects.toThrow('longer than 1000 bytes');
  });

  it('fails when the response stops half-way', async () => {
    respondWith = (_, response) => {
      response.writeHead(200, { 'content-length': '50' });
      response.write('half', () => response.destroy());
    };
    await expect(sendRequest()).rejects.toMatchObject({
      code: 'unreachable',
      message: `the thing could not be fetched from ${origin}: UND_ERR_SOCKET`,
    });
  });

  it('fails at the timeout, also within the response', async () => {
    respondWith = (_, response) => void response.write('x', () => clock.advance(10_000));
    await expect(sendRequest()).rejects.toThrow(`the thing could not be fetched from ${origin}: timed out`);
  });

  it('ends when its caller leaves, or has left', async () => {
    const caller = new AbortController();
    respondWith = () => caller.abort();
    await expect(sendRequest(caller.signal)).rejects.toMatchObject({ code: 'unreachable' });
    let visits = 0;
    respondWith = () => (visits += 1);
    await expect(sendRequest(caller.signal)).rejects.toMatchObject({ code: 'unreachable' });
    expect(visits).toBe(0);
  });

  it('says where it could not be sent, and why, and nothing of the path', async () => {
    const refused = new TypeError('fetch failed /secret-path', { cause: { code: 'ECONNREFUSED' } });
    const closed = createTransport({ clock, fetch: () => Promise.reject(refused) });
    await expect(closed(get('the thing', new URL(`${origin}/secret-path`)), never)).rejects.toMatchObject({
      message: `the thing could not be fetched from ${origin}: ECONNREFUSED`,
    });
  });
});
