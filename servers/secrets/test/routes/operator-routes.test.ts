import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeRootToken } from '../../src/routes/root-token.js';
import { backupPieces, restoreBackup } from '../../src/storage/backup.js';
import { openLmdbStorage } from '../../src/storage/lmdb.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { createFakeClock } from '../support/fake-clock.js';
import { startServer, type TestBody, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
let key = '';
let token = '';
const clock = createFakeClock();
let audited = '';
beforeEach(async () => {
  audited = '';
  const auditSink = {
    write: async (lines: string) => void (audited += lines),
    reopen: async () => undefined,
    space: async () => null,
    close: async () => undefined,
  };
  server = await startServer({ unsealed: false, clock, auditSink });
  const { body } = await server.call('PUT', 'sys/init', { token: null, body: {} });
  [key] = body.keys as [string];
  token = String(body.root_token);
  await put('sys/unseal', { key });
});
afterEach(() => server.close());

const put = (path: string, body: object = {}, as: string | null = token): ReturnType<TestServer['call']> =>
  server.call('PUT', path, { token: as, body });
const get = (path: string, as: string | null = token): ReturnType<TestServer['call']> =>
  server.call('GET', path, { token: as });

describe('sealing by a request', () => {
  it('ends all access until it is unsealed, and loses nothing', async () => {
    await put('sys/policies/acl/kept', { policy: '' });
    const started = Array.from({ length: 20 }, () => get('sys/policies/acl/kept'));
    const { status } = await put('sys/seal');
    expect(status).toBe(204);
    // Those in progress get a whole response or are rejected, none with an error of its own.
    for (const response of await Promise.all(started)) expect([200, 503]).toContain(response.status);
    expect((await get('sys/seal-status', null)).body.sealed).toBe(true);
    for (const path of ['sys/policies/acl/kept', 'sys/metrics', 'auth/token/lookup-self']) {
      expect((await get(path)).body.errors).toEqual(['the server is sealed']);
    }
    expect((await put('sys/generate-root/update', { key, nonce: 'x' }, null)).status).toBe(400);
    expect((await put('sys/unseal', { key: randomBytes(32).toString('hex') }, null)).status).toBe(400);
    expect((await put('sys/unseal', { key }, null)).status).toBe(200);
    expect((await get('sys/policies/acl/kept')).status).toBe(200);
    // And again: nothing of the first time is in the way.
    expect((await put('sys/seal')).status).toBe(204);
    expect((await put('sys/unseal', { key }, null)).status).toBe(200);
    expect((await get('auth/token/lookup-self')).status).toBe(200);
  });
});

it.each<[path: string, body: Record<string, unknown>, name: string]>([
  ['sys/init', { pgp_keys: ['a'] }, 'pgp_keys'],
  ['sys/init', { root_token_pgp_key: 'a' }, 'root_token_pgp_key'],
  ['sys/rekey/init', { pgp_keys: ['a'] }, 'pgp_keys'],
  ['sys/rekey/update', { pgp_keys: ['a'] }, 'pgp_keys'],
  ['sys/generate-root/attempt', { pgp_key: 'a' }, 'pgp_key'],
  ['sys/generate-root/update', { pgp_key: 'a' }, 'pgp_key'],
])('%s returns nothing in plain if encryption is requested: %j', async (path, body, name) => {
  const response = await put(path, body);
  expect([response.status, response.body.errors]).toEqual([
    400,
    [expect.stringContaining(`${name} is not supported`)],
  ]);
});

it('a request for no encryption is as if it had not been sent', async () => {
  expect((await put('sys/rekey/init', { pgp_keys: [] })).status).toBe(200);
  expect((await put('sys/generate-root/attempt', { pgp_key: '' })).status).toBe(200);
});

it.each(['X-Vault-Wrap-TTL', 'X-Secrets-Wrap-TTL'])(
  'no response is wrapped, and a request for wrapping is refused: %s',
  async (name) => {
    const make = (ttl: string): ReturnType<TestServer['call']> =>
      server.call('POST', 'auth/token/create', { token, headers: { [name]: ttl }, body: {} });
    const response = await make('60s');
    expect([response.status, response.body.errors]).toEqual([
      400,
      [expect.stringContaining('not supported')],
    ]);
    expect((await make('0')).status).toBe(200);
  },
);

describe('the keys', () => {
  it('are rotated, and reported by number and time', async () => {
    expect((await get('sys/key-status')).body.data).toEqual({ term: 1, install_time: null });
    await put('sys/policies/acl/before', { policy: 'path "a" { capabilities = ["read"] }' });
    expect((await put('sys/rotate')).status).toBe(204);
    const time = new Date(clock.now()).toISOString();
    expect((await get('sys/key-status')).body.data).toEqual({ term: 2, install_time: time });
    await put('sys/policies/acl/after', { policy: '' });
    await put('sys/seal');
    await put('sys/unseal', { key }, null);
    for (const name of ['before', 'after']) expect((await get(`sys/policies/acl/${name}`)).status).toBe(200);
  });

  it('are replaced in two steps, which take the key and the right', async () => {
    const { body } = await put('sys/rekey/init', { secret_shares: 1, secret_threshold: 1 });
    expect(body).toMatchObject({ started: false, t: 1, n: 1, verification_required: true });
    const { nonce } = body;
    expect((await put('sys/rekey/init', { secret_shares: 5 })).status).toBe(400);
    const wrong = randomBytes(32).toString('base64');
    for (const refused of [{ key: wrong, nonce }, { key }, { key, nonce: 'other' }, { nonce }]) {
      expect((await put('sys/rekey/update', refused)).status).toBe(400);
    }
    const { body: made } = await put('sys/rekey/update', { key, nonce });
    const [next = ''] = made.keys as string[];
    expect((await get('sys/rekey/init')).body.started).toBe(true);
    // It has been shown to an operator: it never ends unnoticed.
    for (const [path, body] of [['sys/rekey/init'], ['sys/rekey/update', { key, nonce }]] as const) {
      const { status, body: refused } = await put(path, body);
      expect([status, refused.errors]).toEqual([400, [expect.stringContaining('rekey already in progress')]]);
    }
    expect((await put('sys/rekey/verify', { key, nonce })).status).toBe(400);
    for (const either of [key, next]) {
      await put('sys/seal');
      expect((await put('sys/unseal', { key: either }, null)).status).toBe(200);
    }
    // An interrupted operator finds the name of it again.
    const { nonce: again } = (await get('sys/rekey/verify')).body;
    expect((await put('sys/rekey/verify', { key: next, nonce: again })).body.complete).toBe(true);
    await put('sys/seal');
    expect((await put('sys/unseal', { key }, null)).body.errors).toEqual(['the unseal key is wrong']);
    expect((await put('sys/unseal', { key: next }, null)).status).toBe(200);
    expect((await get('auth/token/lookup-self')).status).toBe(200);
    for (const secret of [key, next, made.keys_base64 as string]) expect(audited).not.toContain(secret);
  });

  it('stay when the change is taken back', async () => {
    const { nonce } = (await put('sys/rekey/init')).body;
    const [next] = (await put('sys/rekey/update', { key, nonce })).body.keys as string[];
    expect((await server.call('DELETE', 'sys/rekey/init', { token })).status).toBe(204);
    expect((await put('sys/rekey/verify', { key: next, nonce })).status).toBe(400);
    await put('sys/seal');
    expect((await put('sys/unseal', { key: next }, null)).status).toBe(400);
    expect((await put('sys/unseal', { key }, null)).status).toBe(200);
  });
});

describe('a new root token', () => {
  const attempt = async (): Promise<TestBody> => (await put('sys/generate-root/attempt', {}, null)).body;

  it('is made for the holder of the unseal key, and sent under a pad', async () => {
    await put('auth/token/revoke-self');
    expect((await get('auth/token/lookup-self')).status).toBe(403);
    const { nonce, otp, otp_length: length } = await attempt();
    expect(String(otp)).toHaveLength(Number(length));
    const { status, body } = await put('sys/generate-root/update', { key, nonce }, null);
    expect([status, body.complete]).toEqual([200, true]);
    const made = decodeRootToken(String(body.encoded_token), String(otp)) ?? '';
    expect((await get('auth/token/lookup-self', made)).body.data).toMatchObject({ policies: ['root'] });
    expect(audited).not.toContain(made);
    expect(audited).toContain('sys/generate-root/update');
    expect(server.logger.lines.some(({ message }) => message.startsWith('a root token was made'))).toBe(true);
  });

  it('takes a recent attempt of this server, which no unauthenticated client can end', async () => {
    const { nonce } = await attempt();
    for (let others = 0; others < 50; others += 1) await attempt();
    expect((await server.call('DELETE', 'sys/generate-root/attempt', { token: null })).status).toBe(204);
    const wrong = randomBytes(32).toString('hex');
    const cut = String(nonce).slice(0, -4);
    for (const body of [{ key: wrong, nonce }, { key }, { nonce }, { key, nonce: cut }, { key, nonce: 7 }]) {
      expect((await put('sys/generate-root/update', body, null)).status).toBe(400);
    }
    expect((await put('sys/generate-root/update', { key, nonce }, null)).status).toBe(200);
    clock.advance(600_000);
    expect((await put('sys/generate-root/update', { key, nonce }, null)).status).toBe(400);
  });

  it('is not made when that cannot be recorded', async () => {
    await server.close();
    let isFull = false;
    const auditSink = {
      write: () => (isFull ? Promise.reject(new Error('full')) : Promise.resolve()),
      reopen: async () => undefined,
      space: async () => null,
      close: async () => undefined,
    };
    const storage = { ...createMemoryStorage(), close: async () => undefined };
    server = await startServer({ unsealed: false, clock, auditSink, storage });
    const { body } = await put('sys/init', {}, null);
    const [unsealKey] = body.keys as string[];
    await put('sys/unseal', { key: unsealKey }, null);
    const { nonce } = await attempt();
    const before = await storage.list('');
    isFull = true;
    expect((await put('sys/generate-root/update', { key: unsealKey, nonce }, null)).status).toBe(500);
    expect(await storage.list('')).toEqual(before);
  });
});

/** Returns what `promtool check metrics` would report about metrics in the text format. */
function problemsOf(text: string): readonly string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type = '']) => {
    const segments = name.split('_');
    const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
      [!text.includes(`# HELP ${name} `), 'has no help'],
      [type === 'counter' && !name.endsWith('_total'), 'does not end in _total'],
      [type !== 'counter' && name.endsWith('_total'), 'ends in _total'],
      [
        type !== 'histogram' && type !== 'summary' && /_(?:count|sum|bucket)$/.test(name),
        'has a reserved end',
      ],
      [segments.some((each) => /^(?:n|u|m)?s$|^sec$|^[kmgt]?b$|^[mhd]$/.test(each)), 'abbreviates its unit'],
      [/milliseconds|minutes|hours|kilobytes|megabytes|percent/.test(name), 'has no base unit'],
      [segments.includes(type), 'names its type'],
      [/[A-Z]/.test(name), 'has capital letters'],
      [!/^[a-zA-Z_]\w*$/.test(name), 'has reserved characters'],
    ];
    return rules.filter(([isBroken]) => isBroken).map(([, problem]) => `${name} ${problem}`);
  });
}

describe('metrics', () => {
  it('are counted by what the server knows, never by what was sent', async () => {
    await put('auth/cloud/login', { role: 'r', jwt: 'x' }, null);
    await get('secret/some-made-up-path');
    const { status, headers, text } = await get('sys/metrics?format=prometheus');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toMatch(/^secrets_requests_total\{operation="read",status="4xx"\} 1$/m);
    expect(text).toMatch(/^secrets_logins_total\{mount="cloud",status="\dxx"\} 1$/m);
    expect(text).toMatch(/^secrets_disk_writable\{disk="the store"\} 1$/m);
    expect(text).toMatch(/^secrets_key_term 1$/m);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('made-up');
    expect(text).toMatch(/^nodejs_active_handles\{/m);
    expect((await get('sys/metrics?format=json')).status).toBe(400);
    expect((await get('sys/metrics', null)).status).toBe(403);
  });

  it('have names that Prometheus accepts, and are those of the document', async () => {
    const { text } = await get('sys/metrics');
    expect(problemsOf(text)).toEqual([]);
    const document = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');
    const documented = [...document.matchAll(/^\| `(secrets_\w+)/gm)].map(([, name]) => name);
    expect(documented.sort()).toEqual(
      [...text.matchAll(/^# TYPE (secrets_\w+)/gm)].map(([, name]) => name).sort(),
    );
  });

  it('are checked by the rules of Prometheus', () => {
    expect(problemsOf('# TYPE a_total gauge\n')).toEqual(['a_total has no help', 'a_total ends in _total']);
    const wrong = ['a counter', 'a_count gauge', 'a_ms gauge', 'aB gauge', 'a_gauge gauge', 'a:b gauge'];
    for (const each of wrong) {
      expect(problemsOf(`# HELP ${each.replace(/ .*/, '')} x\n# TYPE ${each}\n`)).toHaveLength(1);
    }
  });
});

describe('a backup', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'secrets-backup-'));
  });
  afterEach(() => rm(directory, { recursive: true }));
  const linesOf = (text: string) =>
    async function* () {
      yield* text.replace(/\n$/, '').split('\n');
    };

  it('fills a new store, of which the key of its time opens all', async () => {
    await put('sys/policies/acl/kept', { policy: 'path "x" { capabilities = ["read"] }' });
    await put('sys/rotate');
    await put('sys/policies/acl/later', { policy: '' });
    const { status, text, headers } = await get('sys/storage/backup');
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    expect(text).not.toContain('path \\"x\\"');
    const storage = await openLmdbStorage(join(directory, 'store'));
    const count = await restoreBackup(storage, linesOf(text));
    expect(count).toBe((await storage.list('')).length);
    await expect(restoreBackup(storage, linesOf(text))).rejects.toThrow('the store is initialized');
    await server.close();
    server = await startServer({ unsealed: false, clock, storage });
    await put('sys/unseal', { key }, null);
    for (const name of ['kept', 'later']) expect((await get(`sys/policies/acl/${name}`)).status).toBe(200);
  });

  it('is of one moment, whatever is written while it is read', async () => {
    const storage = await openLmdbStorage(directory);
    const values = Array.from({ length: 3_000 }, (_, at) => ({
      path: `p/${at}`,
      value: Buffer.alloc(100, 1),
    }));
    await storage.write([...values, { path: 'core/keyring', value: Buffer.of(1) }]);
    const pieces = backupPieces(storage.entries(), 0);
    let text = (await pieces.next()).value ?? '';
    await storage.write(values.map(({ path }) => ({ path, value: Buffer.alloc(100, 2) })));
    await storage.write([{ path: 'p/9999', value: Buffer.of(3) }]);
    for await (const piece of pieces) text += piece;
    const copy = createMemoryStorage();
    expect(await restoreBackup(copy, linesOf(text))).toBe(3_001);
    const retained = await Promise.all(values.map(({ path }) => copy.get(path)));
    expect(retained.every((value) => value?.every((byte) => byte === 1))).toBe(true);
    await storage.close();
  });

  it('that is not whole, or changed, is refused before anything is written', async () => {
    const text = (await get('sys/storage/backup')).text;
    const lines = text.trimEnd().split('\n');
    const broken = [
      '',
      '{}',
      lines.slice(0, -1).join('\n'),
      lines.filter((_, at) => at !== 2).join('\n'),
      [...lines, lines[1]].join('\n'),
      text.slice(0, text.length / 2),
      text.replace('"version":1', '"version":2'),
      text.replace(/"(\w)/, (_, letter: string) => `"${letter === 'a' ? 'b' : 'a'}`),
      ['not json', ...lines.slice(1)].join('\n'),
    ];
    for (const each of broken) {
      const storage = createMemoryStorage();
      await expect(restoreBackup(storage, linesOf(each))).rejects.toThrow('this is not a complete backup');
      expect(await storage.list('')).toEqual([]);
    }
  });

  it.each<[what: string, entries: readonly (readonly [path: string, text: string])[], problem: string]>([
    ['no keyring', [['a', 'AA==']], 'there is no entry core/keyring'],
    ['no entry', [], 'there is no entry core/keyring'],
    [
      'no base64',
      [
        ['core/keyring', 'AA=='],
        ['a', '?'],
      ],
      'line 3 has a value that is not base64',
    ],
    ['base64 cut short', [['core/keyring', 'AA']], 'line 2 has a value that is not base64'],
    ['an empty path', [['', 'AA==']], 'line 2 has a path of 0 bytes: one has 1 to 1900'],
    [
      'a long path',
      [
        ['core/keyring', 'AA=='],
        ['é'.repeat(951), 'AA=='],
      ],
      'line 3 has a path of 1902 bytes',
    ],
  ])('with %s is refused, whatever its end says, and nothing is written', async (_what, entries, problem) => {
    const head = JSON.stringify({ format: 'tamis-secrets-backup', version: 1, time: '' });
    const text = [head, ...entries.map((entry) => JSON.stringify(entry))].map((line) => `${line}\n`).join('');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const whole = `${text}${JSON.stringify({ entries: entries.length, sha256 })}\n`;
    const memory = createMemoryStorage();
    await memory.write([{ path: 'left/behind', value: Buffer.of(1) }]);
    await expect(restoreBackup(memory, linesOf(whole))).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining(problem) as unknown,
    });
    expect(await memory.list('')).toEqual(['left/behind']);
  });

  it('that was restored in part is restarted', async () => {
    const text = (await get('sys/storage/backup')).text;
    const memory = createMemoryStorage();
    await memory.write([{ path: 'left/behind', value: Buffer.of(1) }]);
    const failing = { ...memory, write: () => Promise.reject(new Error('killed')) };
    await expect(restoreBackup(failing, linesOf(text))).rejects.toThrow('killed');
    const count = await restoreBackup(memory, linesOf(text));
    const paths = await memory.list('');
    expect(paths).toHaveLength(count);
    expect(paths).not.toContain('left/behind');
  });
});
