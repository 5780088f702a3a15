import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { openAuditFile } from '../../src/audit/audit-file.js';
import type { AuditSink } from '../../src/audit/audit-log.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { rootToken, startServer } from '../support/secrets-server.js';

interface Line {
  readonly type: string;
  readonly auth: { readonly accessor: string } | null;
  readonly request: {
    readonly id: string;
    readonly path: string;
    readonly operation: string;
    readonly client_token: string;
  };
  readonly response?: {
    readonly status: number;
    readonly body: { readonly auth?: { readonly client_token: string } };
  };
  readonly error?: string;
}

interface MemorySink extends AuditSink {
  readonly lines: () => readonly Line[];
  text: string;
  fails: boolean;
  /** The kind of line that cannot be written. */
  failsAt: string | null;
}

function memorySink(): MemorySink {
  return {
    text: '',
    fails: false,
    failsAt: null,
    async write(lines) {
      const isAffected = this.failsAt !== null && lines.includes(`"type":"${this.failsAt}"`);
      if (this.fails || isAffected) throw new Error('disk full');
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

describe('the audit log', () => {
  it('has two lines for each request, refused ones too, and no secret', async () => {
    const sink = memorySink();
    const server = await startServer({ auditSink: sink });
    await server.call('PUT', 'auth/cloud/role/dev', {
      body: { note: 'very private', nested: { a: ['deep down'] } },
    });
    const login = await server.call('POST', 'auth/cloud/login', {
      token: null,
      body: { role: 'dev', jwt: 'ey.private' },
    });
    const token = String(login.body.auth?.client_token);
    await server.call('GET', 'auth/token/lookup-self', { token });
    await server.call('GET', 'auth/cloud/role/dev', { token });
    await server.call('GET', 'auth/cloud/role/dev', { token: 'wrong-token' });
    await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'nobody' } });
    await server.call('GET', 'no/such/mount', { token: null });
    await server.close();
    const lines = sink.lines();
    expect(
      lines.map(({ type, request, response, error }) => [type, request.path, response?.status, error]),
    ).toEqual([
      ['request', 'auth/cloud/role/dev', undefined, undefined],
      ['response', 'auth/cloud/role/dev', 204, undefined],
      ['request', 'auth/cloud/login', undefined, undefined],
      ['response', 'auth/cloud/login', 200, undefined],
      ['request', 'auth/token/lookup-self', undefined, undefined],
      ['response', 'auth/token/lookup-self', 200, undefined],
      ['request', 'auth/cloud/role/dev', undefined, 'permission denied'],
      ['response', 'auth/cloud/role/dev', 403, 'permission denied'],
      ['request', 'auth/cloud/role/dev', undefined, 'permission denied'],
      ['response', 'auth/cloud/role/dev', 403, 'permission denied'],
      ['request', 'auth/cloud/login', undefined, undefined],
      ['response', 'auth/cloud/login', 403, 'permission denied'],
      ['request', 'no/such/mount', undefined, 'there is nothing at this path'],
      ['response', 'no/such/mount', 404, 'there is nothing at this path'],
    ]);
    const accessor = String(login.body.auth?.accessor);
    for (const secret of [
      rootToken,
      token,
      accessor,
      'ey.private',
      'very private',
      'deep down',
      'wrong-token',
    ]) {
      expect(sink.text).not.toContain(secret);
    }
    // The hash of a token is the same wherever it appears: that is how its uses are found.
    expect(lines[3]?.response?.body.auth?.client_token).toBe(lines[4]?.request.client_token);
    expect(lines[2]?.request.id).toBe(login.body.request_id);
    expect(lines[6]?.auth?.accessor).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  });

  it('stops what it cannot record', async () => {
    const sink = memorySink();
    const server = await startServer({ auditSink: sink });
    sink.fails = true;
    const refused = await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    expect([refused.status, refused.body]).toEqual([
      500,
      { errors: ['the audit log cannot be written: nothing is done that cannot be recorded'] },
    ]);
    expect(server.logger.lines.some(({ message }) => message.includes('audit log cannot be written'))).toBe(
      true,
    );
    const sick = await server.call('GET', 'sys/health', { token: null });
    expect([sick.status, sick.body.errors]).toEqual([
      503,
      [expect.stringContaining('audit log cannot be written')],
    ]);
    sink.fails = false;
    expect((await server.call('GET', 'auth/cloud/role/dev')).status).toBe(404);
    await server.close();
  });
});

describe('a token whose making cannot be recorded', () => {
  it.each([
    ['a login', 'auth/cloud/login', { role: 'dev', jwt: 'who:dev' }],
    ['a login for a batch token', 'auth/cloud/login', { role: 'batch', jwt: 'who:batch' }],
    ['a token', 'auth/token/create', {}],
    ['a batch token', 'auth/token/create', { type: 'batch' }],
  ])('is taken back: %s', async (_what, path, body) => {
    const sink = memorySink();
    const storage = createMemoryStorage();
    const server = await startServer({ auditSink: sink, storage });
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    await server.call('PUT', 'auth/cloud/role/batch', { body: { type: 'batch' } });
    const before = await storage.list('');
    // The request is recorded, its response is not.
    sink.failsAt = 'response';
    const refused = await server.call('POST', path, { body });
    expect([refused.status, refused.body.errors?.join()]).toEqual([
      500,
      expect.stringContaining('audit log'),
    ]);
    expect(await storage.list('')).toEqual(before);
    sink.failsAt = null;
    const made = await server.call('POST', path, { body });
    expect(made.status).toBe(200);
    const isStored = made.body.auth?.token_type === 'service';
    expect((await storage.list('')).length > before.length).toBe(isStored);
    await server.close();
  });
});

describe('the file of the audit log', () => {
  const directories: string[] = [];
  afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));
  const newFile = async (): Promise<string> => {
    directories.push(await mkdtemp(join(tmpdir(), 'secrets-audit-')));
    return join(directories.at(-1)!, 'audit.log');
  };

  it('is appended to in order, and is for its owner alone', async () => {
    const path = await newFile();
    for (const round of ['a', 'b']) {
      const sink = await openAuditFile(path);
      await Promise.all(Array.from({ length: 100 }, (_, at) => sink.write(`${round}${at}\n`)));
      await sink.close();
    }
    const lines = (await readFile(path, 'utf8')).split('\n');
    expect(lines).toEqual([
      ...['a', 'b'].flatMap((round) => Array.from({ length: 100 }, (_, at) => `${round}${at}`)),
      '',
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is reopened after it was moved away, without losing a line', async () => {
    const path = await newFile();
    const sink = await openAuditFile(path);
    const before = sink.write('before\n');
    await rename(path, `${path}.1`);
    await sink.reopen();
    await sink.write('after\n');
    await before;
    await sink.close();
    expect(await readFile(`${path}.1`, 'utf8')).toBe('before\n');
    expect(await readFile(path, 'utf8')).toBe('after\n');
  });

  it('is created again after its removal: an unlinked file keeps nothing', async () => {
    const path = await newFile();
    const sink = await openAuditFile(path);
    await sink.write('lost\n');
    await rm(path);
    await sink.write('kept\n');
    expect(await readFile(path, 'utf8')).toBe('kept\n');
    await rm(dirname(path), { recursive: true });
    await expect(sink.write('nowhere\n')).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(dirname(path));
    await sink.write('kept\n');
    await sink.close();
    expect((await readFile(path, 'utf8')).trim()).toBe('kept');
  });

  it('may be a pipe with a reader', async () => {
    const path = await newFile();
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    await expect(openAuditFile(path)).rejects.toThrow('has no reader');
    const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const sink = await openAuditFile(path);
    await sink.write('heard\n');
    expect((await reader.read()).bytesRead).toBe(6);
    await reader.close();
    await expect(sink.write('unheard\n')).rejects.toMatchObject({ code: 'EPIPE' });
    await expect(sink.reopen()).rejects.toThrow('has no reader');
    await sink.close();
  });

  it('knows the space on a disk, not that of a system without one', async () => {
    const path = await newFile();
    const sink = await openAuditFile(path);
    expect(await sink.space()).not.toBeNull();
    const other = await open(path, 'a');
    const byNumber = await openAuditFile(`/proc/self/fd/${other.fd}`);
    expect(await byNumber.space()).toBeNull();
    for (const each of [sink, byNumber, other]) await each.close();
  });

  it('says so when a line could not be written', async () => {
    const sink = await openAuditFile('/dev/full');
    await expect(sink.write('lost\n')).rejects.toThrow('ENOSPC');
    await sink.close();
  });
});
