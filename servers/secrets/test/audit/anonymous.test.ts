import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { AuditSink } from '../../src/audit/audit-log.js';
import { cutText } from '../../src/audit/redacted-path.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { startServer, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
afterEach(() => server.close());

interface Line {
  readonly type: string;
  readonly count?: number;
  readonly error?: string;
  readonly request?: { readonly path: string; readonly path_hash?: string; readonly remote_address: string };
  readonly response?: { readonly status: number };
}

function memorySink(): AuditSink & { text: string; lines(): readonly Line[] } {
  return {
    text: '',
    async write(lines) {
      this.text += lines;
    },
    lines() {
      return this.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line);
    },
    reopen: async () => undefined,
    space: async () => null,
    close: async () => undefined,
  };
}

const logLength = (): number => JSON.stringify(server.logger.lines).length;

describe('an unauthenticated client', () => {
  it('writes nothing with a path that is too long', async () => {
    const sink = memorySink();
    server = await startServer({ auditSink: sink });
    for (const path of ['x'.repeat(60_000), `auth/cloud/role/${'%41'.repeat(400)}`, 'x'.repeat(1_021)]) {
      expect((await server.call('GET', path, { token: null })).status).toBe(414);
      expect((await server.call('GET', path)).status).toBe(414);
    }
    expect([sink.text, server.logger.lines]).toEqual(['', []]);
  });

  it('leaves the beginning of a long path, and a hash of the whole', async () => {
    const sink = memorySink();
    server = await startServer({ auditSink: sink });
    const long = `auth/cloud/role/${'r'.repeat(900)}`;
    for (const path of [long, `${long}s`, long]) await server.call('GET', path, { token: null });
    const requests = sink.lines().map(({ request }) => request!);
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set([long.slice(0, 256)]));
    expect(new Set(requests.map(({ path_hash }) => path_hash)).size).toBe(2);
    expect(requests[0]?.path_hash).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  });

  it('writes at most a megabyte a minute to each log, and the rest is counted in one line', async () => {
    const sink = memorySink();
    server = await startServer({ auditSink: sink });
    const requests = 400;
    const path = `auth/cloud/role/${'r'.repeat(1_000)}`;
    for (let sent = 0; sent < requests; sent += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          at % 2 === 0
            ? server.call('GET', path, { token: `wrong-${at}` })
            : server.call('POST', 'auth/cloud/login', {
                token: null,
                body: Object.fromEntries(Array.from({ length: 100 }, (__, field) => [`f${field}`, 'x'])),
              }),
        ),
      );
    }
    expect(sink.text.length).toBeLessThan(500_000);
    expect(logLength()).toBeLessThan(500_000);
    const written = sink.lines().length / 2;
    // A caller with a token is recorded all the same, and so is a successful login.
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    const login = await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
    expect(login.status).toBe(200);
    expect(
      sink
        .lines()
        .slice(-4)
        .map(({ request, response }) => [request?.path, response?.status]),
    ).toEqual([
      ['auth/cloud/role/dev', undefined],
      ['auth/cloud/role/dev', 204],
      ['auth/cloud/login', undefined],
      ['auth/cloud/login', 200],
    ]);
    server.clock.advance(60_000);
    const [counted, ...others] = sink.lines().filter(({ type }) => type === 'suppressed');
    expect([counted?.count, others]).toEqual([requests - written, []]);
    const before = sink.text.length;
    await server.call('GET', 'auth/cloud/role/dev', { token: null });
    expect(sink.text.length).toBeGreaterThan(before);
  });

  it('costs few looks into the store with a path of many parts, none of which is shown', async () => {
    const sink = memorySink();
    const storage = createMemoryStorage();
    let looks = 0;
    const get = (path: string): Promise<Uint8Array | null> => {
      looks += 1;
      return storage.get(path);
    };
    server = await startServer({ auditSink: sink, storage: { ...storage, get } });
    const { body } = await server.call('POST', 'auth/token/create', { body: { id: 'own-word' } });
    expect(body.auth?.client_token).toBe('own-word');
    const parts = Array.from({ length: 150 }, (_, at) => `p${100 + at}`);
    looks = 0;
    await server.call('GET', ['sys', ...parts].join('/'), { token: null });
    expect(looks).toBeLessThan(40);
    for (const before of [0, 10, 15, 16, 17, 30]) {
      await server.call('GET', ['x', ...parts.slice(0, before), 'own-word'].join('/'), { token: null });
    }
    expect(sink.text).not.toContain('/own-word"');
    expect(sink.lines().some(({ request }) => request?.path.startsWith('sys/p100/p101/'))).toBe(true);
  });

  it('does not fill a line with one body', async () => {
    const sink = memorySink();
    server = await startServer({ auditSink: sink });
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, '']));
    for (const sent of [body, { a: [Object.keys(body)] }, { role: ',[{'.repeat(10_000) }]) {
      await server.call('POST', 'auth/cloud/login', { token: null, body: sent });
    }
    expect(sink.lines()).toHaveLength(6);
    expect(sink.text.length).toBeLessThan(10_000);
    await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'none' } });
    expect(sink.text).toMatch(/"data":\{"role":"hmac-sha256:[0-9a-f]{64}"\}/);
  });

  it('and everybody else leaves no token in a path', async () => {
    const sink = memorySink();
    server = await startServer({ auditSink: sink });
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    const made = await server.call('POST', 'auth/token/create', { body: { id: 'my-own-id' } });
    const service = await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
    const { client_token: token, accessor } = service.body.auth ?? {};
    const secrets = [
      'root-of-the-tests',
      'my-own-id',
      String(token),
      String(accessor),
      randomBytes(32).toString('hex'),
    ];
    expect(made.status).toBe(200);
    for (const secret of secrets) {
      for (const path of [
        `auth/token/lookup/${secret}`,
        `auth/token/${secret}`,
        `AUTH/Token/Lookup/${secret}`,
        `auth/token/lookup-accessor/${secret}`,
        `auth//token/lookup/${secret}`,
        `sys/unseal/${secret}`,
        `sys/policies/acl/x/${secret}`,
        `${secret}`,
        `auth/cloud/${secret}/x`,
      ]) {
        for (const caller of [null, 'wrong', 'root-of-the-tests'])
          await server.call('GET', path, { token: caller });
      }
    }
    const logs = sink.text + JSON.stringify(server.logger.lines);
    for (const secret of secrets) expect(logs).not.toContain(secret);
    expect(sink.text).toContain('"path":"auth/token/lookup/hmac-sha256:');
  });
});

it('a text is cut between two characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 600 }).filter((text) => !/\p{Cs}/u.test(text)),
      (text) => {
        const cut = cutText(text);
        if (cut === null) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256);
        else
          expect([text.startsWith(cut), Buffer.byteLength(cut) > 252, Buffer.byteLength(cut) <= 256]).toEqual(
            [true, true, true],
          );
      },
    ),
  );
});

describe('what opens the store', () => {
  it('leaves a trace, refusals too, and no key', async () => {
    const sink = memorySink();
    server = await startServer({ auditSink: sink, unsealed: false });
    const wrong = 'ab'.repeat(32);
    await server.call('PUT', 'sys/unseal', { token: null, body: { key: wrong } });
    const made = await server.call('PUT', 'sys/init', { token: null, body: {} });
    await server.call('PUT', 'sys/init', { token: null, body: {} });
    await server.call('PUT', 'sys/unseal', { token: null, body: { key: wrong } });
    const [key = ''] = made.body.keys as readonly string[];
    await server.call('PUT', 'sys/unseal', { token: null, body: { key } });
    expect(sink.lines().map(({ request, response }) => [request?.path, response?.status])).toEqual([
      ['sys/unseal', 400],
      ['sys/init', 200],
      ['sys/init', 400],
      ['sys/unseal', 400],
      ['sys/unseal', 200],
    ]);
    expect(sink.lines().every(({ request }) => request?.remote_address === '127.0.0.1')).toBe(true);
    expect(server.logger.lines.map(({ message }) => message)).toEqual([
      'unsealing was refused',
      'the server was initialized',
      'initializing was refused',
      'unsealing was refused',
      'the server was unsealed',
    ]);
    const logs = sink.text + JSON.stringify(server.logger.lines);
    for (const secret of [wrong, key, String(made.body.root_token)]) expect(logs).not.toContain(secret);
  });

  it('is logged regardless of earlier output of unauthenticated clients', async () => {
    server = await startServer({ unsealed: false });
    const key = 'ab'.repeat(32);
    for (let at = 0; at < 5_000; at += 50) {
      const tries = Array.from({ length: 50 }, () => server.call('PUT', 'sys/unseal', { body: { key } }));
      await Promise.all(tries);
    }
    await server.call('PUT', 'sys/init', { body: {} });
    expect(server.logger.lines.map(({ message }) => message)).toContain('the server was initialized');
    expect(server.logger.lines.length).toBeLessThan(5_000);
  });

  it('is opened all the same while the audit log cannot be written', async () => {
    const sink = memorySink();
    server = await startServer({
      auditSink: { ...sink, write: () => Promise.reject(new Error('disk full')) },
      unsealed: false,
    });
    const made = await server.call('PUT', 'sys/init', { token: null, body: {} });
    const [key] = made.body.keys as readonly string[];
    expect((await server.call('PUT', 'sys/unseal', { token: null, body: { key } })).status).toBe(200);
    const sick = await server.call('GET', 'sys/health', { token: null });
    expect([sick.status, sick.body.sealed]).toEqual([503, false]);
  });
});
