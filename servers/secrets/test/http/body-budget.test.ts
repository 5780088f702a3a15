import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '@tamis/http';
import { createBodyBudget, createBodyBudgets } from '../../src/http/body-budget.js';
import type { Forward } from '../../src/http/forwarding.js';
import { createHandler } from '../../src/http/handler.js';
import { defaultListenerLimits } from '../../src/http/limits.js';
import { noForwardedFor } from '../../src/http/peer.js';
import { createMemoryLogger, rootToken, startServer, type TestServer } from '../support/secrets-server.js';

describe('a body budget', () => {
  it('refuses what exceeds it until something is released', () => {
    const budget = createBodyBudget(100);
    const [first, second] = [budget.charge(), budget.charge()];
    first.take(60);
    second.take(40);
    expect(() => second.take(1)).toThrow(expect.objectContaining({ code: 'too-many-requests' }));
    first.release();
    first.release();
    second.take(60);
    expect(() => first.take(1)).toThrow('too many bodies');
  });
});

/** Sends a head and a part of its body on a connection of its own. */
async function begin(address: string, head: readonly string[], body: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

const headOf = (path: string, length: number, ...more: string[]): readonly string[] => [
  `PUT /v1/${path} HTTP/1.1`,
  'Host: localhost',
  `Content-Length: ${length}`,
  ...more,
];

describe('the bodies of a server', () => {
  let server: TestServer;
  afterEach(() => server.close());

  it('share one budget for logins and one for requests with a token, over all connections', async () => {
    server = await startServer();
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    const [address = ''] = server.addresses;
    const logIn = async (): Promise<number> => {
      const body = { role: 'dev', note: 'x'.repeat(65_000) };
      return (await server.call('POST', 'auth/cloud/login', { token: null, body })).status;
    };
    const pending: Socket[] = [];
    const refused: Promise<string>[] = [];
    for (let at = 0; at < 80; at += 1) {
      const socket = await begin(
        address,
        headOf('auth/cloud/login', 65_536),
        `{"role":"${'x'.repeat(65_000)}`,
      );
      pending.push(socket);
      refused.push(new Promise((resolve) => socket.once('data', (data) => resolve(String(data)))));
    }
    const first = await Promise.any(refused);
    expect(first).toMatch(/^HTTP\/1\.1 429 /);
    expect(first).toMatch(/retry-after: 1/i);
    expect(await logIn()).toBe(429);
    expect((await server.call('PUT', 'auth/cloud/role/other', { body: {} })).status).toBe(204);
    for (const socket of pending) socket.destroy();
    await expect.poll(logIn, { timeout: 5_000 }).toBe(200);
  });

  it('that are refused are dropped: the client reads the response while it still sends, and then is disconnected', async () => {
    server = await startServer();
    const [address = ''] = server.addresses;
    const head = headOf('auth/cloud/role/dev', 1_000_000_000, `X-Secrets-Token: ${rootToken}`);
    const socket = await begin(address, head, '');
    const chunk = Buffer.alloc(65_536, 'x');
    const flood = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', flood);
    flood();
    const received = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    );
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toMatch(/connection: close/i);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.bytesWritten).toBeLessThan(100_000_000);
  });

  it('that are small and were not needed leave the connection open', async () => {
    server = await startServer();
    const [address = ''] = server.addresses;
    const socket = await begin(address, headOf('auth/cloud/role/dev', 5), '{}');
    const first = String((await once(socket, 'data'))[0]);
    expect(first).toMatch(/^HTTP\/1\.1 403 /);
    expect(first).not.toMatch(/connection: close/i);
    socket.write(`   ${headOf('x', 0).join('\r\n')}\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });
});

describe('a standby', () => {
  let http: Server;
  afterEach(() => new Promise<unknown>((resolve) => http.close(resolve)));

  async function start(forward: Forward): Promise<string> {
    http = createServer(
      createHandler({
        api: async () => expect.unreachable(),
        forward,
        pages: () => null,
        host: '127.0.0.1',
        hostNames: [],
        limits: defaultListenerLimits,
        bodyRule: (path) => ({ maxLength: 1_000, isOpen: path === 'auth/cloud/login' }),
        bodyBudgets: createBodyBudgets(),
        forwardedFor: noForwardedFor,
        clock: systemClock,
        uuid: randomUUID,
        logger: createMemoryLogger(),
      }),
    );
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }

  it('passes on a request without a token before its body comes, and without it', async () => {
    const passed: (readonly [path: string, length: number])[] = [];
    const address = await start(async ({ path }, body) => {
      passed.push([path, (await body.read()).length]);
      return { status: 403, body: { errors: ['permission denied'] } };
    });
    const socket = await begin(address, headOf('auth/cloud/role/dev', 500), '');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 403 /);
    expect(passed).toEqual([['auth/cloud/role/dev', 0]]);
    socket.destroy();
    const login = await begin(address, headOf('auth/cloud/login', 2), '{}');
    await once(login, 'data');
    expect(passed[1]).toEqual(['auth/cloud/login', 2]);
    login.destroy();
  });

  it('reads no more of a body than its route takes', async () => {
    const address = await start(async (_, body) => {
      await body.read();
      return expect.unreachable();
    });
    const socket = await begin(address, headOf('auth/cloud/role/dev', 1_001, 'X-Secrets-Token: x'), '');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 413 [^]*larger than 1000 bytes/);
    socket.destroy();
  });
});
