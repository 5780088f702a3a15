import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { encryptStorage, oneKey } from '../../src/seal/encrypted-storage.js';
import { openLmdbStorage } from '../../src/storage/lmdb.js';
import { readServerSettings } from '../../src/program/settings/server-settings.js';
import { storageDrivers } from '../../src/server/storage-drivers.js';
import type { DriverContext } from '../../src/storage/driver.js';
import type { Change, RootStorage, Storage } from '../../src/storage/storage.js';
import { createFakeClock } from '../support/fake-clock.js';
import { becomeActive, createModelled, openModelled } from '../support/modelled-store.js';
import { createMemoryLogger } from '../support/secrets-server.js';

const directories: string[] = [];
async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'secrets-store-'));
  directories.push(directory);
  return directory;
}
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

/** The settings in a block of each driver, for a store that is new. */
const settingsOf: Readonly<Record<string, () => Promise<string>>> = {
  lmdb: async () => `path = ${JSON.stringify(await newDirectory())}`,
  memory: async () => '',
};

const context: DriverContext = {
  clock: createFakeClock(),
  logger: createMemoryLogger(),
  randomBytes,
  uuid: randomUUID,
  readText: (file) => readFile(file, 'utf8'),
  readSecret: (file) => readFile(file, 'utf8'),
};

async function openNew(driver: string): Promise<RootStorage> {
  if (driver === 'etcd') {
    const store = await openModelled(createModelled());
    await becomeActive(store);
    return store.storage;
  }
  const text = `storage "${driver}" { ${await settingsOf[driver]!()} }`;
  const { storage: config } = readServerSettings([{ name: 'f', text }], {
    dev: false,
    onWarning: (warning) => expect.unreachable(warning),
  });
  return (await config.open(context)).storage;
}

const drivers = storageDrivers.flatMap(({ name }): [string, () => Promise<Storage>][] => [
  [name, () => openNew(name)],
  [
    `${name}, encrypted`,
    async () => encryptStorage(await openNew(name), oneKey(randomBytes(32)), randomBytes),
  ],
]);

const put = (path: string, text: string): Change => ({ path, value: Buffer.from(text) });
const remove = (path: string): Change => ({ path, value: null });

describe.each(drivers)('the store in %s', (_, open) => {
  it('keeps what is written until it is removed', async () => {
    const storage = await open();
    expect(await storage.get('a')).toBeNull();
    await storage.write([put('a', '1'), put('b', ''), put('a', '2')]);
    expect(Buffer.from((await storage.get('a'))!).toString()).toBe('2');
    expect(await storage.get('b')).toHaveLength(0);
    await storage.write([remove('a'), remove('never there')]);
    expect(await storage.get('a')).toBeNull();
    await storage.write([]);
    await storage.close();
  });

  it('hands out copies and keeps its own', async () => {
    const storage = await open();
    const value = Buffer.from('abc');
    await storage.write([{ path: 'a', value }]);
    value.fill(0);
    (await storage.get('a'))!.fill(0);
    expect(Buffer.from((await storage.get('a'))!).toString()).toBe('abc');
    await storage.close();
  });

  it('lists by prefix in the order of the bytes', async () => {
    const storage = await open();
    const paths = ['a/b', 'a/', 'a', 'a/\u{10000}', 'a/\uffee', 'a/b/c', 'b', 'a0', 'A/b'];
    await storage.write(paths.map((path) => put(path, path)));
    expect(await storage.list('a/')).toEqual(['a/', 'a/b', 'a/b/c', 'a/\uffee', 'a/\u{10000}']);
    expect(await storage.list('')).toHaveLength(paths.length);
    expect(await storage.list('c')).toEqual([]);
    await storage.close();
  });

  it('behaves as a map under any changes, also many at once', async () => {
    const path = fc.constantFrom('a', 'a/b', 'a/c', 'b/a', 'b/\u00e9');
    const change = fc.record({ path, value: fc.option(fc.uint8Array({ maxLength: 50 })) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 6 }), async (batches) => {
        const storage = await open();
        const model = new Map<string, Uint8Array>();
        await Promise.all(batches.map((batch) => storage.write(batch)));
        for (const { path: at, value } of batches.flat()) {
          if (value === null) model.delete(at);
          else model.set(at, value);
        }
        expect(await storage.list('')).toEqual([...model.keys()].sort());
        for (const [at, value] of model) expect(Uint8Array.from((await storage.get(at))!)).toEqual(value);
        await storage.close();
      }),
      { numRuns: 12 },
    );
  });
});

describe('the store on disk', () => {
  it('is there again after it was closed, and holds no plain text', async () => {
    const directory = await newDirectory();
    const key = oneKey(randomBytes(32));
    const first = encryptStorage(await openLmdbStorage(directory), key, randomBytes);
    await first.write([put('config', 'client secret in the clear')]);
    await first.close();
    expect((await readFile(join(directory, 'secrets.mdb'))).includes('in the clear')).toBe(false);
    const second = encryptStorage(await openLmdbStorage(directory), key, randomBytes);
    expect(Buffer.from((await second.get('config'))!).toString()).toBe('client secret in the clear');
    await second.close();
  });

  it('is for its owner alone', async () => {
    const directory = join(await newDirectory(), 'new');
    const storage = await openLmdbStorage(directory);
    const modes = [directory, join(directory, 'secrets.mdb')].map(
      async (path) => (await stat(path)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
    await storage.close();
  });

  it('keeps nothing of changes that cannot all be made', async () => {
    const storage = await openLmdbStorage(await newDirectory());
    await expect(storage.write([put('a', '1'), put('x'.repeat(5_000), '2')])).rejects.toThrow(
      '1 to 1900 bytes',
    );
    expect(await storage.list('')).toEqual([]);
    await storage.close();
  });
});
