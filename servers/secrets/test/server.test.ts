import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { acceptQueue } from '@tamis/http';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultLoginLimits } from '../src/auth/login-limits.js';
import type { AuthMethod } from '../src/auth/method.js';
import { defaultListenerLimits } from '../src/http/limits.js';
import { noResponseHeaders } from '../src/http/response-headers.js';
import { readUnsealKey } from '../src/seal/seal.js';
import { defaultListener, defaultServerConfig } from '../src/server/server-config.js';
import { openLmdbStorage } from '../src/storage/lmdb.js';
import { createMemoryStorage } from '../src/storage/memory.js';
import { makeCertificate } from './support/certificate.js';
import { createFakeMethod } from './support/fake-method.js';
import { rootToken, startServer, type TestServer } from './support/secrets-server.js';

let server: TestServer;
const directories: string[] = [];
afterEach(async () => {
  await server.close();
  await Promise.all(directories.splice(0).map((directory) => rm(directory, { recursive: true })));
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'secrets-server-'));
  directories.push(directory);
  return directory;
}

const health = async (query = ''): Promise<number> =>
  (await server.call('GET', `sys/health${query}`, { token: null })).status;

describe('a listener', () => {
  it('has room for a crowd that comes at once', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    server = await startServer({ listeners: [{}, {}] });
    const rooms = listen.mock.calls.map(([options]) => (options as { readonly backlog?: number }).backlog);
    listen.mockRestore();
    expect(rooms).toEqual([acceptQueue, acceptQueue]);
  });
});

describe('the life of a store', () => {
  it('begins with init and unseal, and survives the process', async () => {
    const directory = await newDirectory();
    server = await startServer({ storage: await openLmdbStorage(directory), unsealed: false });
    expect([await health(), await health('?uninitcode=204')]).toEqual([501, 204]);
    const early = await server.call('GET', 'auth/token/lookup-self');
    expect([early.status, early.body.errors]).toEqual([503, ['the server is not initialized']]);
    expect(
      (await server.call('PUT', 'sys/unseal', { token: null, body: { key: '00'.repeat(32) } })).status,
    ).toBe(400);
    expect((await server.call('PUT', 'sys/init', { token: null, body: { secret_shares: 5 } })).status).toBe(
      400,
    );
    const made = await server.call('PUT', 'sys/init', {
      token: null,
      body: { secret_shares: 1, secret_threshold: 1 },
    });
    const {
      keys,
      keys_base64,
      root_token: root,
    } = made.body as Record<string, string[]> & { root_token: string };
    expect(readUnsealKey(keys![0]!)).toEqual(readUnsealKey(keys_base64![0]!));
    expect((await server.call('PUT', 'sys/init', { token: null, body: {} })).status).toBe(400);
    expect([await health(), await health('?sealedcode=200')]).toEqual([503, 200]);
    const sealed = await server.call('GET', 'auth/token/lookup-self', { token: root });
    expect([sealed.status, sealed.body.errors]).toEqual([503, ['the server is sealed']]);
    for (const key of ['00'.repeat(32), 'short', 5]) {
      expect((await server.call('PUT', 'sys/unseal', { token: null, body: { key } })).status).toBe(400);
    }
    const unsealed = await server.call('PUT', 'sys/unseal', { token: null, body: { key: keys![0] } });
    expect(unsealed.body).toMatchObject({ sealed: false, initialized: true });
    await server.call('PUT', 'auth/cloud/role/dev', { token: root, body: { ttl: 60 } });
    const login = await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
    const token = String(login.body.auth?.client_token);
    const bytes = await readFile(join(directory, 'secrets.mdb'), 'latin1');
    for (const secret of [root, token, keys![0]!]) expect(bytes).not.toContain(secret);
    await server.close();

    server = await startServer({ storage: await openLmdbStorage(directory), unsealed: false });
    expect(await health()).toBe(503);
    await server.call('PUT', 'sys/unseal', { token: null, body: { key: keys_base64![0] } });
    expect((await server.call('GET', 'auth/token/lookup-self', { token })).status).toBe(200);
    expect((await server.call('GET', 'auth/token/lookup-self', { token: root })).body.data?.policies).toEqual(
      ['root'],
    );
    server.clock.advance(60_000);
    expect((await server.call('GET', 'auth/token/lookup-self', { token })).status).toBe(403);
  });

  it('has all that standby servers need, from the moment that it is initialized', async () => {
    const storage = createMemoryStorage();
    server = await startServer({ storage, unsealed: false });
    await server.server.initialize();
    expect(await storage.list('sys/audit/')).toEqual(['sys/audit/salt']);
  });

  it('opens one set of services, however many unseal at once', async () => {
    let made = 0;
    server = await startServer({
      unsealed: false,
      createMethod: (storage) => {
        made += 1;
        return createFakeMethod(storage);
      },
    });
    const { unsealKey, rootToken: root } = await server.server.initialize();
    const key = unsealKey.toString('hex');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => server.call('PUT', 'sys/unseal', { token: null, body: { key } })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(made).toBe(1);
    expect((await server.call('GET', 'auth/token/lookup-self', { token: root })).status).toBe(200);
  });

  it('is swept of tokens that have ended', async () => {
    const directory = await newDirectory();
    const storage = await openLmdbStorage(directory);
    server = await startServer({ storage });
    await server.call('PUT', 'auth/cloud/role/dev', { body: { ttl: 60, period: 0 } });
    const stored = async (): Promise<number> => (await storage.list('sys/token/')).length;
    const before = await stored();
    const logIn = (): Promise<unknown> =>
      server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
    await Promise.all(Array.from({ length: 100 }, logIn));
    expect(await stored()).toBe(before + 400);
    await swept(120_000);
    expect(await stored()).toBe(before);
    await logIn();
    await swept(86_400_000);
    expect(await stored()).toBe(before);
  });

  /** Moves the time and lets the sweep that it starts come to its end. */
  async function swept(milliseconds: number): Promise<void> {
    await server.clock.awaited(30_000);
    server.clock.advance(milliseconds);
    await server.clock.awaited(30_000);
  }
});

describe('a reload', () => {
  const withHeader = (value: string): typeof noResponseHeaders => ({
    ...noResponseHeaders,
    byDefault: new Map([['X-A', value]]),
  });

  it('applies new headers to open connections, and reopens the audit log', async () => {
    let reopened = 0;
    const sink = {
      write: async (): Promise<void> => undefined,
      reopen: async (): Promise<void> => void (reopened += 1),
      space: async (): Promise<null> => null,
      close: async (): Promise<void> => undefined,
    };
    server = await startServer({ listeners: [{ headers: withHeader('old') }], auditSink: sink });
    expect((await server.call('GET', '/x')).headers['x-a']).toBe('old');
    const listeners = [{ ...defaultListener, port: 0, headers: withHeader('new') }];
    await server.server.reload({ ...defaultServerConfig, listeners });
    expect((await server.call('GET', '/x')).headers['x-a']).toBe('new');
    await server.server.reopenAudit();
    expect(reopened).toBe(1);
    await server.server.reload({ ...defaultServerConfig, listeners: [] });
    expect((await server.call('GET', '/x')).headers['x-a']).toBe('new');
    expect(server.logger.lines.map(({ message }) => message)).toContain(
      'this listener is not in the file any more: it stays until a restart',
    );
  });

  it('takes over a new certificate, and keeps the old one when the file is broken', async () => {
    const [first, second] = await Promise.all([makeCertificate(1), makeCertificate(2)]);
    directories.push(first.directory, second.directory);
    const certFile = join(first.directory, 'cert.pem');
    const keyFile = join(first.directory, 'key.pem');
    const listener = {
      ...defaultListener,
      port: 0,
      tls: { certFile, keyFile, minVersion: 'TLSv1.2' as const },
    };
    server = await startServer({ listeners: [listener] });
    const reload = (): Promise<void> =>
      server.server.reload({ ...defaultServerConfig, listeners: [listener] });
    expect(await serial()).toBe('01');
    expect((await server.call('GET', 'sys/health', { token: null, ca: first.cert })).status).toBe(200);
    await writeFile(certFile, 'broken');
    await reload();
    expect(await serial()).toBe('01');
    expect(server.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    await writeFile(certFile, second.cert);
    await writeFile(keyFile, second.key);
    await reload();
    expect(await serial()).toBe('02');
  });

  it('leaves the oldest version of TLS as it is configured', async () => {
    const { directory } = await makeCertificate();
    directories.push(directory);
    const tls = {
      certFile: join(directory, 'cert.pem'),
      keyFile: join(directory, 'key.pem'),
      minVersion: 'TLSv1.3' as const,
    };
    server = await startServer({ listeners: [{ tls }] });
    await expect(serial('TLSv1.2')).rejects.toThrow();
    expect(await serial('TLSv1.3')).toBe('01');
  });

  function serial(maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3'): Promise<string> {
    const { hostname, port } = new URL(server.addresses[0]!);
    return new Promise((resolve, reject) => {
      const socket = connectTls(
        { host: hostname, port: Number(port), rejectUnauthorized: false, maxVersion },
        () => {
          resolve(socket.getPeerCertificate().serialNumber);
          socket.destroy();
        },
      );
      socket.on('error', reject);
    });
  }
});

/** A method whose logins end when the test says so. */
function slowMethod(): { create: () => AuthMethod; started: Promise<AbortSignal>; finish: () => void } {
  let finish = (): void => undefined;
  let startedAt: (signal: AbortSignal) => void = () => undefined;
  const started = new Promise<AbortSignal>((resolve) => (startedAt = resolve));
  const pending = new Promise<void>((resolve) => (finish = resolve));
  return {
    started,
    finish: () => finish(),
    create: () => ({
      rows: [
        {
          path: 'login',
          operations: {
            write: {
              capability: null,
              async handle({ request }) {
                startedAt(request.signal);
                await pending;
                return { kind: 'data', data: { slow: true } };
              },
            },
          },
        },
      ],
      renew: async () => null,
      close: async () => undefined,
    }),
  };
}

describe('a slow request', () => {
  it('gets its response before the server stops, and its connection ends with it', async () => {
    const { create, started, finish } = slowMethod();
    server = await startServer({ createMethod: create });
    const idle = connect({ host: '127.0.0.1', port: Number(new URL(server.addresses[0]!).port) });
    const idleClosed = new Promise((resolve) => idle.on('close', resolve));
    const response = server.call('POST', 'auth/cloud/login', {
      body: {},
      headers: { Connection: 'keep-alive' },
    });
    await started;
    const closed = server.close();
    finish();
    expect((await response).body.data).toEqual({ slow: true });
    expect((await response).headers.connection).toBe('close');
    await Promise.all([closed, idleClosed]);
    await expect(server.call('GET', 'sys/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('is given up after its time', async () => {
    const { create, started } = slowMethod();
    const limits = { ...defaultListenerLimits, maxRequestDuration: 5_000 };
    server = await startServer({ createMethod: create, listeners: [{ limits }] });
    const response = server.call('POST', 'auth/cloud/login', { body: {} });
    const signal = await started;
    server.clock.advance(5_000);
    expect([(await response).status, (await response).body.errors]).toEqual([
      503,
      ['the request took too long'],
    ]);
    expect(signal.aborted).toBe(true);
  });

  it('is given up when its client leaves', async () => {
    const { create, started } = slowMethod();
    server = await startServer({ createMethod: create });
    const { hostname, port } = new URL(server.addresses[0]!);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(`POST /v1/auth/cloud/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`);
    const signal = await started;
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    socket.destroy();
    await aborted;
    expect(signal.aborted).toBe(true);
  });
});

describe('a connection', () => {
  const open = (): ReturnType<typeof connect> => {
    const { hostname, port } = new URL(server.addresses[0]!);
    return connect({ host: hostname, port: Number(port) });
  };

  it('is closed when it has been idle for its time', async () => {
    server = await startServer({ listeners: [{ limits: { ...defaultListenerLimits, idleTimeout: 20 } }] });
    const socket = open();
    socket.write('GET /robots.txt HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.resume();
    await new Promise((resolve) => socket.on('close', resolve));
    expect(socket.bytesRead).toBeGreaterThan(100);
  });

  it('that was refused is closed after a moment, whatever the other side does', async () => {
    server = await startServer();
    const { hostname, port } = new URL(server.addresses[0]!);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.write('this is nothing\r\n\r\n');
    socket.resume();
    await new Promise((resolve) => socket.on('end', resolve));
    socket.write('and it goes on\r\n\r\n');
    await server.clock.awaited(1_000);
    server.clock.advance(1_000);
    await new Promise((resolve) => socket.on('error', resolve).on('close', resolve).write('more'));
    expect(await health()).toBe(200);
    for (const wrong of ['abc', '1000', '100']) expect(await health(`?standbycode=${wrong}`)).toBe(400);
    socket.destroy();
  });

  it('that sends any bytes gets a response or is closed, and harms no other', async () => {
    server = await startServer();
    const part = fc.oneof(
      fc.constantFrom(
        'GET ',
        'LIST ',
        '/v1/sys/health',
        ' HTTP/1.1',
        '\r\n',
        '\r\n\r\n',
        'Host: localhost\r\n',
        '\0',
        '\n',
        ':',
      ),
      fc.constantFrom(
        'Content-Length: 3\r\n',
        'Transfer-Encoding: chunked\r\n',
        'Expect: 100-continue\r\n',
        'abc',
      ),
      fc.constantFrom(
        'Upgrade: h2c\r\nConnection: Upgrade\r\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        'CONNECT a:1',
      ),
      fc.string({ maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const socket = open();
        socket.on('error', () => undefined);
        socket.resume();
        socket.end(parts.join(''), 'latin1');
        await new Promise((resolve) => socket.on('close', resolve));
      }),
      { numRuns: 200 },
    );
    expect(await health()).toBe(200);
    const head = await server.call('HEAD', 'sys/health', { token: null });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(server.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('too many', () => {
  it('connections of one client are refused with the reason', async () => {
    const limits = { ...defaultListenerLimits, maxConnectionsPerClient: 2 };
    server = await startServer({ listeners: [{ limits }] });
    const { hostname, port } = new URL(server.addresses[0]!);
    const open = [0, 1].map(() => connect({ host: hostname, port: Number(port) }));
    await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const third = await server.call('GET', 'sys/health');
    expect([third.status, third.body.errors]).toEqual([429, ['too many connections from this address']]);
    await Promise.all(
      open.map((socket) => new Promise((resolve) => socket.once('close', resolve).destroy())),
    );
  });

  it('logins of one client wait for their rate', async () => {
    const login = { ...defaultLoginLimits, perSecond: 1, burst: 3 };
    server = await startServer({ mount: { login } });
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    const logIn = async (): Promise<number> =>
      (await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } })).status;
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) statuses.push(await logIn());
    server.clock.advance(1_000);
    statuses.push(await logIn(), await logIn());
    expect(statuses).toEqual([200, 200, 200, 429, 200, 429]);
    const refused = await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
    expect(refused.headers['retry-after']).toBe('1');
    // It delays no other request.
    expect((await server.call('GET', 'auth/token/lookup-self', { token: rootToken })).status).toBe(200);
  });
});
