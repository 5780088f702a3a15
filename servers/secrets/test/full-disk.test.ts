import { spawn } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../stress/build-server.js';
import { startServerProcess, type ServerProcess } from '../stress/server-process.js';
import { mountSmallDisk, whyNoSmallDisk, type SmallDisk } from '../../http/test/support/small-disk.js';

/** The built server on file systems of eight megabytes that are really full. */

const noDisk = whyNoSmallDisk();
let built: BuiltServer;
let directory: string;
let disk: SmallDisk;
let server: ServerProcess;
let address = '';
let token = '';

beforeAll(async () => {
  [built, directory] = await Promise.all([buildServer(), mkdtemp(join(tmpdir(), 'secrets-full-'))]);
});
afterAll(async () => {
  built.remove();
  await rm(directory, { recursive: true });
});

interface TestReply {
  readonly status: number;
  readonly errors: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(method: string, path: string, body?: unknown): Promise<TestReply> {
  const response = await fetch(`${address}/v1/${path}`, {
    method,
    headers: { 'X-Secrets-Token': token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = (text === '' ? {} : JSON.parse(text)) as TestReply['body'];
  return { status: response.status, errors: (parsed['errors'] as string[] | undefined) ?? [], body: parsed };
}

async function start(store: string, audit: string): Promise<void> {
  const file = join(directory, 'server.hcl');
  await writeFile(
    file,
    `storage "lmdb" { path = ${JSON.stringify(store)} }
     audit "file" { path = ${JSON.stringify(audit)} }
     listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }`,
  );
  server = startServerProcess(built.main, ['--config', file]);
  [address = ''] = (await server.listening) ?? [];
  const { body } = await call('PUT', 'sys/init', {});
  token = String(body['root_token']);
  const key = (body['keys'] as string[])[0];
  expect((await call('PUT', 'sys/unseal', { key })).status).toBe(200);
}

const health = async (): Promise<TestReply> => call('GET', 'sys/health');
/** Some ten kilobytes of constraints. */
const role = {
  bound_service_principal_ids: Array.from({ length: 300 }, (_, at) => `principal-${at}-${'x'.repeat(20)}`),
};

describe.skipIf(noDisk !== null)(`a disk without space${noDisk === null ? '' : `: ${noDisk}`}`, () => {
  afterEach(async () => {
    await server.kill();
    disk.remove();
  });

  it('under the store is reported: nothing acknowledged is lost, and all continues when there is space', async () => {
    disk = mountSmallDisk(8);
    await start(join(disk.directory, 'store'), join(directory, 'audit-of-store.log'));
    const retained: string[] = [];
    let refused: TestReply | null = null;
    for (let round = 0; refused === null && round < 200; round += 1) {
      const names = Array.from({ length: 8 }, (_, at) => `r-${round}-${at}`);
      const responses = await Promise.all(names.map((name) => call('PUT', `auth/cloud/role/${name}`, role)));
      if (round === 2) disk.fill();
      for (const [at, response] of responses.entries()) {
        if (response.status === 204) retained.push(names[at]!);
        else refused = response;
      }
    }
    expect([refused?.status, refused?.errors]).toEqual([
      503,
      [expect.stringContaining('store cannot be written')],
    ]);
    expect(retained.length).toBeGreaterThan(16);
    const [, sick] = [await call('GET', 'sys/seal-status'), await health()];
    expect(sick).toMatchObject({ status: 503, body: { sealed: false } });
    expect(sick.errors.join()).toContain('store');
    for (const name of retained) expect((await call('GET', `auth/cloud/role/${name}`)).status).toBe(200);
    disk.free();
    expect((await call('PUT', 'auth/cloud/role/after', role)).status).toBe(204);
    await expect.poll(async () => (await health()).status).toBe(200);
    for (const name of [...retained, 'after'])
      expect((await call('GET', `auth/cloud/role/${name}`)).status).toBe(200);
    expect(server.output()).not.toMatch(/^Error: |unhandled|\n\s+at .*node:internal\/process/im);
    // The library damages its memory where the disk refuses what it writes.
    expect(server.output()).not.toContain('Write error');
  });

  it('under the store refuses what is new, and lets tokens be revoked', async () => {
    disk = mountSmallDisk(16);
    await start(join(disk.directory, 'store'), join(directory, 'audit-of-revocations.log'));
    const root = token;
    const made: string[] = [];
    for (let at = 0; at < 40; at += 1) {
      const { body } = await call('POST', 'auth/token/create', { policies: ['default'] });
      made.push((body['auth'] as { readonly client_token: string }).client_token);
    }
    disk.fill();
    const create = (): Promise<TestReply> => call('POST', 'auth/token/create', { policies: ['default'] });
    // The free space is checked once a second.
    await expect.poll(async () => (await create()).status).toBe(503);
    expect(await health()).toMatchObject({ status: 503, errors: [expect.stringContaining('no space')] });
    expect((await call('PUT', 'auth/cloud/role/new', role)).status).toBe(503);
    for (const [at, each] of made.entries()) {
      token = at % 2 === 0 ? root : each;
      const revoked = await (at % 2 === 0
        ? call('POST', 'auth/token/revoke', { token: each })
        : call('POST', 'auth/token/revoke-self'));
      expect(revoked).toMatchObject({ status: 204 });
    }
    token = root;
    expect((await call('POST', 'auth/token/revoke-all', { mount: 'cloud' })).status).toBe(200);
    for (const each of made) {
      token = each;
      expect((await call('GET', 'auth/token/lookup-self')).status).toBe(403);
    }
    token = root;
    disk.free();
    expect((await call('PUT', 'auth/cloud/role/new', role)).status).toBe(204);
  });

  it('under the audit log is reported, and all continues when there is space', async () => {
    disk = mountSmallDisk(1);
    await start(join(directory, 'store-of-audit'), join(disk.directory, 'audit.log'));
    disk.fill();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => call('GET', 'auth/token/lookup-self')),
    );
    expect(responses.at(-1)).toMatchObject({
      status: 500,
      errors: ['the audit log cannot be written: nothing is done that cannot be recorded'],
    });
    const sick = await health();
    expect([sick.status, sick.errors.join()]).toEqual([503, expect.stringContaining('audit')]);
    disk.free();
    await expect.poll(async () => (await health()).status).toBe(200);
    expect((await call('GET', 'auth/token/lookup-self')).status).toBe(200);
  });
});

it('a log that cannot be written ends nothing', async () => {
  const file = join(directory, 'dev.hcl');
  await writeFile(
    file,
    'listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }  log_level = "debug"',
  );
  const full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, [built.main, 'server', '--dev', '--config', file], {
    stdio: ['ignore', 'pipe', full.fd],
  });
  const [, at = ''] = await new Promise<readonly string[]>((resolve) => {
    let said = '';
    child.once('close', () => resolve([]));
    child.stdout?.on('data', (piece: Buffer) => {
      said += piece.toString();
      const found = /Listening on (\S+)\n[^]*Logins/.exec(said);
      if (found !== null) resolve(found);
    });
  });
  for (let round = 0; round < 20; round += 1) {
    expect((await fetch(`${at}/v1/auth/token/lookup-self`)).status).toBe(403);
  }
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await full.close();
});
