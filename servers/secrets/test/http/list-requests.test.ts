import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../support/certificate.js';
import { rootToken, startServer, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
afterEach(() => server.close());

async function start(): Promise<void> {
  server = await startServer();
  for (const name of ['dev', 'prod']) await server.call('PUT', `auth/cloud/role/${name}`, { body: {} });
}

/** Sends pieces one write each, half-closes, and returns all that comes back. */
function exchange(pieces: readonly Buffer[]): Promise<string> {
  const { hostname, port } = new URL(server.addresses[0]!);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const received: Buffer[] = [];
    socket.setNoDelay(true);
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(received).toString('latin1')));
    socket.on('error', reject);
    void (async () => {
      for (const piece of pieces)
        await new Promise<void>((done) => socket.write(piece, () => setImmediate(done)));
      socket.end();
    })();
  });
}

function statuses(text: string): readonly string[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status = '']) => status);
}

const token = `X-Secrets-Token: ${rootToken}\r\n`;
const bait = '{"x":"LIST /v1/auth/cloud/role HTTP/1.1\\r\\n\\r\\nLIST "}';
/** Requests with the status that each must get. */
const kinds: readonly (readonly [text: string, status: string])[] = [
  [`LIST /v1/auth/cloud/role HTTP/1.1\r\nHost: localhost\r\n${token}\r\n`, '200'],
  [`LIST /v1/auth/cloud/role HTTP/1.1\r\nHost: localhost\r\n\r\n`, '403'],
  [`GET /v1/auth/cloud/role?list=true HTTP/1.1\r\nHost: localhost\r\n${token}\r\n`, '200'],
  [`LINK /v1/auth/cloud/role HTTP/1.1\r\nHost: localhost\r\n${token}\r\n`, '405'],
  [
    `POST /v1/auth/cloud/role/dev HTTP/1.1\r\nHost: localhost\r\n${token}Content-Length: ${bait.length}\r\n\r\n${bait}`,
    '204',
  ],
  [
    `PUT /v1/auth/cloud/role/dev HTTP/1.1\r\nHost: localhost\r\n${token}Transfer-Encoding: chunked\r\n\r\n` +
      `${bait.length.toString(16)}\r\n${bait}\r\n0\r\n\r\n`,
    '204',
  ],
  [`GET /nonsense HTTP/1.1\r\nHost: localhost\r\n\r\n`, '404'],
];

describe('the verb LIST on the wire', () => {
  it('lists like ?list=true, and nothing is 404', async () => {
    await start();
    const listed = await server.call('LIST', 'auth/cloud/role');
    expect([listed.status, listed.body.data]).toEqual([200, { keys: ['dev', 'prod'] }]);
    for (const query of ['?list=true', '?list=1', '/?list=T']) {
      expect((await server.call('GET', `auth/cloud/role${query}`)).body.data).toEqual(listed.body.data);
    }
    expect((await server.call('GET', 'auth/cloud/role?list=perhaps')).body).toEqual({ errors: [] });
    for (const name of ['dev', 'prod']) await server.call('DELETE', `auth/cloud/role/${name}`);
    const empty = await server.call('LIST', 'auth/cloud/role');
    expect([empty.status, empty.body]).toEqual([404, { errors: [] }]);
  });

  it('survives pipelines cut at random points, among other verbs and bodies that hold the word', async () => {
    await start();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        async (requests, cuts) => {
          const bytes = Buffer.from(requests.map(([text]) => text).join(''), 'latin1');
          const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
          const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
          const responses = await exchange(pieces.filter((piece) => piece.length > 0));
          expect(statuses(responses)).toEqual(requests.map(([, status]) => status));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('works over TLS, a byte at a time', async () => {
    const { cert, key, directory } = await makeCertificate();
    onTestFinished(() => rm(directory, { recursive: true }));
    server = await startServer({
      listeners: [
        {
          tls: { certFile: `${directory}/cert.pem`, keyFile: `${directory}/key.pem`, minVersion: 'TLSv1.2' },
        },
      ],
    });
    expect(key).toContain('PRIVATE KEY');
    await server.call('PUT', 'auth/cloud/role/dev', { body: {}, ca: cert });
    const { hostname, port } = new URL(server.addresses[0]!);
    const text = `LIST /v1/auth/cloud/role HTTP/1.1\r\nHost: localhost\r\n${token}Connection: close\r\n\r\n`;
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connectTls({ host: hostname, port: Number(port), ca: cert, servername: 'localhost' });
      let received = '';
      socket.on('data', (chunk) => void (received += chunk.toString('latin1')));
      socket.on('end', () => resolve(received));
      socket.on('error', reject);
      for (const byte of Buffer.from(text)) socket.write(Buffer.of(byte));
    });
    expect(response).toContain('"keys":["dev"]');
  });

  it.each(['L', 'LI', 'LIS', 'LIST', 'LIN'])(
    'must arrive in time, as all headers, also on a connection that has had a response: %s',
    async (started) => {
      await start();
      const { port } = new URL(server.addresses[0]!);
      const socket = connect({ host: '127.0.0.1', port: Number(port) });
      let text = '';
      const ended = new Promise<void>((resolve) => socket.once('end', resolve));
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      const get = `GET /v1/sys/init HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      // Whole, and then in two pieces in time: nothing is held against either.
      const list = `LIST /v1/auth/cloud/role HTTP/1.1\r\nHost: localhost\r\n${token}\r\n`;
      socket.write(get + list.slice(0, 3));
      await server.clock.awaited(10_000);
      server.clock.advance(9_999);
      socket.write(list.slice(3) + started);
      while (statuses(text).length < 2) await new Promise((resolve) => socket.once('data', resolve));
      await server.clock.awaited(10_000);
      server.clock.advance(10_000);
      await ended;
      expect(statuses(text)).toEqual(['200', '200', '408']);
      socket.destroy();
    },
  );
});
