import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { defaultListener } from '../../src/server/server-config.js';
import { rootToken, startServer, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
afterEach(() => server.close());

function exchange(text: string): Promise<string> {
  const { hostname, port } = new URL(server.addresses[0]!);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

const head = `Host: localhost\r\nX-Secrets-Token: ${rootToken}\r\n`;
const write = (name: string): string =>
  `PUT /v1/auth/cloud/role/${name} HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`;
const statuses = (received: string): readonly string[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);

it.each([
  ['garbage', 'BREW coffee\r\n\r\n'],
  ['a verb that nobody knows', `BREW /x HTTP/1.1\r\n${head}\r\n`],
  ['a header that is none', `GET / HTTP/1.1\r\n${head}no colon\r\n\r\n`],
  ['bytes', '\u0001\u0002\u0003\r\n\r\n'],
])('a write before %s gets its response before it', async (_, garbage) => {
  const refused: unknown = expect.stringMatching(/^40[05]$/);
  server = await startServer();
  expect(statuses(await exchange(write('one') + garbage))).toEqual(['204', refused]);
  expect(statuses(await exchange(write('two') + write('three') + garbage))).toEqual(['204', '204', refused]);
  for (const name of ['one', 'two', 'three']) {
    expect((await server.call('GET', `auth/cloud/role/${name}`)).status).toBe(200);
  }
});

const chunked = (body: string): string =>
  `PUT /v1/auth/cloud/role/bad HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${body}`;

it.each([
  ['no number', '-1\r\nx'],
  ['a number beyond all', 'fffffffffffffffff\r\nx'],
  ['a number that is too small', '2\r\n{}XX0\r\n\r\n'],
])(
  'a body in chunks whose length is %s is rejected immediately, after the responses to earlier requests',
  async (_, body) => {
    server = await startServer();
    expect(statuses(await exchange(chunked(body)))).toEqual(['400']);
    expect(statuses(await exchange(write('one') + chunked(body)))).toEqual(['204', '400']);
    expect((await server.call('GET', 'auth/cloud/role/one')).status).toBe(200);
    expect((await server.call('GET', 'auth/cloud/role/bad')).status).toBe(404);
  },
);

it('a body of more chunks than may be is 400, not a reason to try again', async () => {
  server = await startServer();
  const spaces = '1\r\n \r\n'.repeat(5_000);
  expect(await exchange(`${chunked(`${spaces}2\r\n{}\r\n0\r\n\r\n`)}BREW coffee\r\n\r\n`)).toContain(
    'the body is sent in more than 4096 chunks',
  );
});

it('a body whose rest does not come is 408 when its time is up, and changes nothing', async () => {
  const limits = { ...defaultListener.limits, readHeaderTimeout: 500, readTimeout: 1_000 };
  server = await startServer({ listeners: [{ limits }] });
  const slow = `PUT /v1/auth/cloud/role/bad HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\n{`;
  expect(statuses(await exchange(slow))).toEqual(['408']);
  expect((await server.call('GET', 'auth/cloud/role/bad')).status).toBe(404);
});

it('a connection that pipelines more requests than may wait is closed, and others are served', async () => {
  server = await startServer();
  const read = `GET /v1/sys/health HTTP/1.1\r\n${head}\r\n`;
  expect(statuses(await exchange(read.repeat(30) + garbageEnd))).toHaveLength(31);
  const received = await exchange(read.repeat(1_000)).catch(() => '');
  expect(statuses(received).length).toBeLessThanOrEqual(32);
  expect((await server.call('GET', 'sys/health')).status).toBe(200);
});

/** Ends the connection after the responses before. */
const garbageEnd = 'BREW coffee\r\n\r\n';
