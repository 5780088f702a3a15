import { appendFile, copyFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFile } from '../../src/storage/locked-file.js';
import type { Storage } from '../../src/storage/storage.js';
import { openLmdbStorage } from '../../src/storage/lmdb.js';
import { startServer } from '../support/secrets-server.js';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secrets-held-'));
  path = join(directory, 'secrets.mdb');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const losses: readonly (readonly [what: string, lose: () => Promise<unknown>])[] = [
  ['removed', () => rm(path)],
  ['removed', () => rm(directory, { recursive: true })],
  ['removed', () => rename(path, `${path}.old`)],
  [
    'replaced',
    async () => {
      await copyFile(path, `${path}.copy`);
      await rename(`${path}.copy`, path);
    },
  ],
  ['cut short', () => truncate(path, 0)],
  ['cut short', () => truncate(path, 4_096)],
];

describe('a file that is in use', () => {
  it.each(losses)('is reported to have been %s', async (what, lose) => {
    await writeFile(path, 'x'.repeat(10_000));
    const requireFile = lockFile(path);
    await appendFile(path, 'more');
    expect(requireFile).not.toThrow();
    await lose();
    expect(requireFile).toThrow(`was ${what}`);
  });

  it('stays cut short, whatever is written to it later', async () => {
    await writeFile(path, 'x'.repeat(10_000));
    const requireFile = lockFile(path);
    await truncate(path, 100);
    expect(requireFile).toThrow('was cut short');
    await appendFile(path, 'x'.repeat(20_000));
    expect(requireFile).toThrow('was cut short');
  });

  it('may be moved away and back', async () => {
    await writeFile(path, 'x');
    const requireFile = lockFile(path);
    await rename(path, `${path}.old`);
    expect(requireFile).toThrow('was removed');
    await rename(`${path}.old`, path);
    expect(requireFile).not.toThrow();
  });
});

describe('a store whose file is lost while it is open', () => {
  it.each(losses)('is neither read nor written once it was %s', async (what, lose) => {
    const storage: Storage = await openLmdbStorage(directory);
    await storage.write([{ path: 'a', value: Buffer.of(1) }]);
    await lose();
    const lost = `the file of the store was ${what}`;
    await expect(storage.write([{ path: 'b', value: Buffer.of(1) }])).rejects.toThrow(lost);
    await expect(storage.get('a')).rejects.toThrow(lost);
    await expect(storage.list('')).rejects.toThrow(lost);
    await expect(storage.space()).rejects.toThrow(lost);
    await storage.close();
  });

  it('makes every request a 503 that says so, and the health too', async () => {
    const server = await startServer({ storage: await openLmdbStorage(directory) });
    await server.call('PUT', 'sys/policies/acl/kept', { body: { policy: '' } });
    expect((await server.call('GET', 'sys/health')).status).toBe(200);
    await rename(path, `${path}.old`);
    server.clock.advance(2_000);
    const lost = expect.stringContaining('the file of the store was removed') as string;
    const read = await server.call('GET', 'auth/cloud/role/any');
    expect([read.status, read.body.errors]).toEqual([503, [lost]]);
    const write = await server.call('PUT', 'sys/policies/acl/other', { body: { policy: '' } });
    expect([write.status, write.body.errors]).toEqual([503, [lost]]);
    const health = await server.call('GET', 'sys/health');
    expect([health.status, health.body.errors, health.body.initialized]).toEqual([503, [lost], true]);
    expect(server.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    await rename(`${path}.old`, path);
    server.clock.advance(2_000);
    expect((await server.call('GET', 'sys/health')).status).toBe(200);
    expect((await server.call('GET', 'sys/policies/acl/kept')).status).toBe(200);
    await server.close();
  });
});
