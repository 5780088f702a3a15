import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openAuditLog, type AuditRecord, type AuditSink } from '../../src/audit/audit-log.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { TokenEntry } from '../../src/tokens/token-entry.js';
import { createFakeMethod } from '../support/fake-method.js';
import { startServer, type TestResponse, type TestServer } from '../support/secrets-server.js';

/** Bytes that one request may write, its lines together. */
const max = 4_096;

let server: TestServer;
afterEach(() => server.close());

interface Line {
  readonly auth: { readonly metadata: unknown } | null;
  readonly request: { readonly id: string; readonly data: unknown };
}

function countingSink(): AuditSink & { text: string; last(): number; lines(): readonly Line[] } {
  return {
    text: '',
    async write(lines) {
      this.text += lines;
    },
    lines() {
      return this.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
    },
    /** The bytes that the last request wrote. */
    last() {
      const id = this.lines().at(-1)?.request.id;
      const mine = this.text.split('\n').filter((line) => line.includes(`"id":"${String(id)}"`));
      return Buffer.byteLength(mine.join('\n')) + 1;
    },
    reopen: async () => undefined,
    space: async () => null,
    close: async () => undefined,
  };
}

async function tokenOf(body: unknown): Promise<string> {
  const made = await server.call('POST', 'auth/token/create', { body });
  return String(made.body.auth?.client_token);
}

describe('a holder of a token', () => {
  it('without any right leaves nothing of a body, whatever is in it', async () => {
    const sink = countingSink();
    server = await startServer({ auditSink: sink });
    const token = await tokenOf({ policies: ['none'], no_default_policy: true });
    const bodies = [
      { a: Array(9_991).fill('') },
      { a: Array(500).fill('x') },
      '{"broken": ',
      '['.repeat(200),
    ];
    for (const path of [
      'auth/cloud/role/dev',
      'auth/token/create',
      'sys/policies/acl/x',
      'sys/capabilities-self',
    ]) {
      for (const body of bodies) {
        const response = await server.call('PUT', path, { token, body });
        expect([path, response.status, sink.last() <= 1_500]).toEqual([path, 403, true]);
        expect(sink.lines().at(-1)?.request.data).toBeNull();
      }
    }
  });

  it('writes at most 4 kB a request, whatever is allowed and sent', async () => {
    const sink = countingSink();
    server = await startServer({ auditSink: sink });
    await server.call('PUT', 'sys/policies/acl/all', { body: { policy: 'path "*" { policy = "sudo" }' } });
    const token = await tokenOf({ policies: ['all'], meta: { note: 'n'.repeat(4_000) } });
    const wide = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`field_${at}`, 'x'.repeat(20)]));
    const odd = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`Name ${at}`, at]));
    const bodies = [
      wide,
      odd,
      { list: Array(1_000).fill('') },
      { list: Array(1_000).fill([[]]) },
      { text: 'x'.repeat(60_000) },
    ];
    for (const path of [
      'auth/cloud/role/dev',
      'sys/policies/acl/x',
      'auth/token/create',
      'sys/capabilities-self',
    ]) {
      for (const body of [
        ...bodies,
        {
          policies: Array(1_000)
            .fill(0)
            .map((_, at) => `p${at}`),
        },
      ]) {
        await server.call('PUT', path, { token, body });
        expect([path, sink.last() <= max]).toEqual([path, true]);
      }
    }
    expect((await server.call('GET', 'auth/cloud/role/dev', { token })).status).toBe(200);
    expect(sink.last()).toBeLessThanOrEqual(max);
    expect(sink.text).toContain('"data":{"bytes":');
    expect(sink.text).toContain('"metadata":{"bytes":');
    expect(sink.text).not.toContain('nnnn');
  });

  it('is identified by what does not fit', async () => {
    const sink = countingSink();
    server = await startServer({ auditSink: sink });
    const reported: unknown[] = [];
    for (const last of ['a', 'b', 'a']) {
      await server.call('PUT', 'auth/cloud/role/dev', { body: { list: [...Array(100).fill(''), last] } });
      reported.push(sink.lines().at(-1)?.request.data);
    }
    expect(reported[0]).toEqual({
      bytes: expect.any(Number),
      hash: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/),
    });
    expect([reported[2], reported[1]]).toEqual([
      reported[0],
      expect.not.objectContaining(reported[0] as object),
    ]);
  });

  it('with more metadata than a token may have now is still let in, within the bound', async () => {
    const sink = countingSink();
    server = await startServer({
      auditSink: sink,
      createMethod: (storage) => {
        const method = createFakeMethod(storage);
        const rows = method.rows.map((row) =>
          row.path !== 'login'
            ? row
            : {
                ...row,
                operations: {
                  write: {
                    logIn: async () => ({
                      identity: {
                        alias: 'someone',
                        role: 'dev',
                        metadata: { big: 'm'.repeat(1_000_000) },
                        token: (await method.renew('dev'))!,
                      },
                      warnings: [],
                    }),
                  },
                },
              },
        );
        return { ...method, rows };
      },
    });
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    const login = await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
    const token = String(login.body.auth?.client_token);
    expect((await server.call('GET', 'auth/token/lookup-self', { token })).status).toBe(200);
    expect(sink.last()).toBeLessThanOrEqual(max);
    expect(sink.text).not.toContain('mmmm');
  });
});

it('whatever is recorded, two lines are at most 4 kB', async () => {
  server = await startServer();
  const log = await openAuditLog({
    storage: createMemoryStorage(),
    sink: countingSink(),
    now: () => 0,
    randomBytes,
  });
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 3_000, size: 'max' }),
    fc.string({ unit: fc.constantFrom('"', '\\', 'é', '𝒳'), maxLength: 1_024, size: 'max' }),
  );
  const entry = fc.record({
    type: fc.constantFrom('service', 'batch'),
    accessor: text,
    policies: fc.array(text, { maxLength: 100 }),
    metadata: fc.dictionary(text, text, { maxKeys: 80 }),
    displayName: text,
  }) as unknown as fc.Arbitrary<TokenEntry>;
  const record = fc.record({
    id: fc.uuid(),
    operation: fc.constantFrom('read', 'list', 'write', 'delete'),
    path: text.map((path) => path.slice(0, 1_024)),
    peer: fc.ipV6(),
    token: fc.option(text),
    secrets: fc.array(
      text.filter((secret) => secret !== ''),
      { maxLength: 3 },
    ),
    isKnown: fc.boolean(),
    caller: fc.option(entry),
    data: fc.oneof(
      fc.constant(null),
      fc.dictionary(text, fc.anything({ withNullPrototype: true })).map(plain),
    ),
    response: fc.oneof(fc.constant(null), fc.dictionary(text, text)),
    status: fc.constant(200),
    error: text,
  }) as unknown as fc.Arbitrary<AuditRecord>;
  fc.assert(
    fc.property(record, (one) => {
      for (const kind of ['request', 'response'] as const) {
        const line = log.line(kind, one);
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(max / 2);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(() => JSON.parse(line) as unknown).not.toThrow();
      }
    }),
    { numRuns: 60 },
  );
});

/** As a body could be: JSON. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)),
  ) as unknown;
}

describe('the bounds of what is sent', () => {
  it.each([
    ['a body of more than 64 kB', 'PUT', 'auth/cloud/role/dev', { text: 'x'.repeat(65_536) }, 413],
    ['metadata of 20 MB', 'POST', 'auth/token/create', { meta: { a: 'x'.repeat(20_000_000) } }, 413],
    ['metadata of more than 4 kB', 'POST', 'auth/token/create', { meta: { a: 'x'.repeat(4_096) } }, 400],
    [
      'names of metadata of more than 4 kB',
      'POST',
      'auth/token/create',
      { meta: { ['x'.repeat(4_096)]: 'y' } },
      400,
    ],
    ['metadata of 4 kB', 'POST', 'auth/token/create', { meta: { a: 'x'.repeat(4_095) } }, 200],
    ['a list of 1,001', 'POST', 'auth/token/create', { policies: Array(1_001).fill('a') }, 400],
    ['a list of 1,001, deep inside', 'POST', 'auth/token/create', { x: [{ y: Array(1_001).fill(0) }] }, 400],
    [
      'a list of 1,001 with commas',
      'POST',
      'auth/token/create',
      { policies: Array(1_001).fill('a').join() },
      400,
    ],
    [
      'lists of 1,000',
      'POST',
      'auth/token/create',
      { policies: Array(1_000).fill('a'), x: Array(1_000).fill(0) },
      200,
    ],
    [
      'an object of 1,500',
      'PUT',
      'auth/cloud/role/dev',
      Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`f${at}`, at])),
      204,
    ],
    [
      'a path of 1,025 bytes',
      'POST',
      'sys/capabilities-self',
      { paths: ['sys/auth', `${'é'.repeat(512)}a`] },
      400,
    ],
    ['a path of 1,024 bytes', 'POST', 'sys/capabilities-self', { paths: ['é'.repeat(512)] }, 200],
    ['a path of 60 kB of slashes', 'POST', 'sys/capabilities-self', { path: '/'.repeat(60_000) }, 400],
    [
      'a batch token that could not be sent',
      'POST',
      'auth/token/create',
      { type: 'batch', policies: Array.from({ length: 900 }, (_, at) => `policy-with-a-name-${at}`) },
      400,
    ],
    [
      'the longest policy, as escapes',
      'PUT',
      'sys/policies/acl/long',
      `{"policy":"${'\\u0023'.repeat(65_536)}"}`,
      204,
    ],
  ])('%s: %s %s', async (_, method, path, body, status) => {
    server = await startServer();
    const response: TestResponse = await server.call(method, path, { body });
    expect([response.status, response.body.errors]).toEqual([status, response.body.errors]);
  });
});
