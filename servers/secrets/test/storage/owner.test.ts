import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLmdbStorage } from '../../src/storage/lmdb.js';
import { startServer } from '../support/secrets-server.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secrets-owner-'));
});
afterEach(() => rm(directory, { recursive: true }));

const lockFiles = async (): Promise<readonly string[]> =>
  (await readdir(directory)).filter((name) => name.startsWith('secrets.lock.'));

it('a store belongs to one process, and a second one gets an error', async () => {
  const first = await openLmdbStorage(directory);
  await first.write([{ path: 'a', value: Buffer.of(1) }]);
  const second = openLmdbStorage(directory);
  await expect(second).rejects.toThrow(
    new RegExp(
      `^${directory} is in use by process ${process.pid} since 20[^ ]+Z: stop it first, or name another`,
    ),
  );
  await expect(second).rejects.toMatchObject({ code: 'in-use' });
  expect(await first.list('')).toEqual(['a']);
  await first.close();
  expect(await lockFiles()).toEqual([]);
  const third = await openLmdbStorage(directory);
  expect(await third.get('a')).not.toBeNull();
  await third.close();
});

it('a store that cannot be opened is not locked', async () => {
  await (await openLmdbStorage(directory)).close();
  await chmod(join(directory, 'secrets.mdb'), 0o644);
  await expect(openLmdbStorage(directory)).rejects.toThrow('has the mode 0644');
  expect(await lockFiles()).toEqual([]);
});

it('a store without its lock is neither read nor written, and requests to its server report it', async () => {
  const storage = await openLmdbStorage(directory);
  const server = await startServer({ storage });
  expect((await server.call('GET', 'sys/health')).status).toBe(200);
  const [lock = ''] = await lockFiles();
  await rm(join(directory, lock));
  const error = 'another process has taken over the store';
  await expect(storage.get('a')).rejects.toThrow(error);
  await expect(storage.write([{ path: 'a', value: Buffer.of(1) }])).rejects.toThrow(error);
  // Some of these would need no look into the store.
  for (const path of ['sys/seal-status', 'sys/leader', 'sys/mounts', 'auth/token/lookup-self']) {
    const { status, body } = await server.call('GET', path);
    expect([status, body.errors]).toEqual([503, [error]]);
  }
  const next = await openLmdbStorage(directory);
  expect(await next.get('core/keyring')).not.toBeNull();
  await server.close();
  await next.close();
});
