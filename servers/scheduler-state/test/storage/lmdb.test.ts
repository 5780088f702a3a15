import { execFile } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { open } from 'lmdb';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { mountSmallDisk, whyNoSmallDisk } from '../../../http/test/support/small-disk.js';
import { hasLmdbStore, openLmdbStorage } from '@tamis/scheduler-state/storage/lmdb.js';
import { makeDataDirectory } from '@tamis/scheduler-model/base/make-data-directory.js';
import { StorageError, type StorageErrorCode } from '@tamis/scheduler-model/base/storage-error.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { testLock } from '../../../scheduler-model/test/support/processes.js';
import { commit, readContents } from '../support/storage-log.js';

const root = mkdtempSync(join(tmpdir(), 'lmdb-'));
afterAll(() => rmSync(root, { recursive: true }));
let dir = '';
let count = 0;
beforeEach(() => {
  count += 1;
  dir = join(root, String(count));
});

const file = (): string => join(dir, 'state.mdb');
const openStore = (lock = testLock): Storage => openLmdbStorage({ dir, lock, shapes: new Map() });

async function fill(rows = 50): Promise<void> {
  const storage = openStore();
  const puts = Array.from({ length: rows }, (_, at) => ({
    table: 'jobs',
    key: `job ${at}`,
    row: { at, text: 'x'.repeat(500) },
  }));
  await commit(storage, { index: 9, puts, deletes: [], tableIndexes: { jobs: 9 } });
  await storage.close();
}

function refusal(action: () => unknown): StorageError {
  try {
    action();
  } catch (error) {
    if (error instanceof StorageError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function expectRefusal(code: StorageErrorCode, text: string): void {
  const error = refusal(() => openStore());
  expect([error.code, error.message]).toEqual([code, expect.stringContaining(text) as string]);
  expect(error.message).toContain(dir);
}

async function readAll(storage: Storage): Promise<number> {
  return (await readContents(storage)).rows.length;
}

function overwrite(position: number, bytes: Buffer): void {
  const handle = openSync(file(), 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

it('exists after it was opened, and is not created by reads', async () => {
  expect(hasLmdbStore(dir)).toBe(false);
  mkdirSync(dir);
  expect(hasLmdbStore(dir)).toBe(false);
  expect(readdirSync(dir)).toEqual([]);
  await openStore().close();
  expect(hasLmdbStore(dir)).toBe(true);
});

describe('a place that cannot be a store', () => {
  it('is a file', () => {
    writeFileSync(dir, '');
    expectRefusal('unusable', 'cannot be the data directory');
  });

  it.skipIf(process.platform !== 'linux')('is below a directory in which nothing can be made', () => {
    const error = refusal(() => makeDataDirectory('/proc/none/data'));
    expect(error.message).toMatch(
      /^\/proc\/none\/data cannot be the data directory: .*: name another one, which this user may write$/,
    );
  });

  it.each<[what: string, content: string | Buffer]>([
    ['a short text', 'hello'],
    ['a long text', 'hello '.repeat(10_000)],
    ['a database of another kind', Buffer.from(`SQLite format 3\0${'\0'.repeat(9_000)}`)],
    ['zeros', Buffer.alloc(8_192)],
  ])('holds %s under the name of the store', (_what, content) => {
    mkdirSync(dir);
    writeFileSync(file(), content);
    expectRefusal('foreign', 'is not a store of this server');
    expect(readFileSync(file()).equals(Buffer.from(content))).toBe(true);
  });

  it('holds what another program has written with the same library', async () => {
    const other = open({ path: file(), noSubdir: true });
    await other.put('key', 'value');
    await other.close();
    chmodSync(file(), 0o600);
    expectRefusal('foreign', 'is not a store of this server');
  });

  it('holds a store of a later version', async () => {
    await fill();
    const db = open<string, Buffer>({
      path: file(),
      noSubdir: true,
      encoding: 'string',
      keyEncoding: 'binary',
      overlappingSync: false,
    });
    await db.put(Buffer.from('\0format'), 'scheduler 3');
    await db.close();
    expectRefusal('newer', 'another version of this server (scheduler 3)');
  });

  it('is a directory that is not there yet, or empty: that one can', async () => {
    await openStore().close();
    const modes = [dir, file(), `${file()}-lock`].map((path) => statSync(path).mode & 0o777);
    // Others pass to the files of their tasks, and read nothing here.
    expect(modes).toEqual([0o711, 0o600, 0o600]);
    rmSync(dir, { recursive: true });
    mkdirSync(dir);
    expect(await readAll(openStore())).toBe(0);
  });

  it('is an empty file, which no store ever is', async () => {
    await fill();
    truncateSync(file(), 0);
    expectRefusal('damaged', 'is empty');
    expect(statSync(file()).size).toBe(0);
    // The first start of a store may be cut off before its file is filled.
    writeFileSync(`${file()}-new`, '');
    await openStore().close();
    expect(readdirSync(dir).sort()).toEqual(['state.mdb', 'state.mdb-lock']);
    truncateSync(file(), 0);
    expectRefusal('damaged', 'is empty');
  });

  it.each([0o604, 0o644, 0o620, 0o602, 0o666, 0o777])('is a file of the mode %o', async (mode) => {
    await fill();
    chmodSync(file(), mode);
    expectRefusal('exposed', `has the mode 0${mode.toString(8)}`);
    chmodSync(file(), 0o600);
    expect(await readAll(openStore())).toBe(50);
  });

  it('may be read by a group, in a directory that everybody may look into', async () => {
    await fill();
    chmodSync(file(), 0o640);
    chmodSync(dir, 0o755);
    expect(await readAll(openStore())).toBe(50);
  });
});

describe('a damaged store', () => {
  it.each<[what: string, length: number]>([
    ['its first page only', 4_096],
    ['less than the pages that describe it', 6_000],
    ['nothing but the pages that describe it', 8_192],
  ])('is refused when it is cut to %s', async (_what, length) => {
    await fill();
    truncateSync(file(), length);
    expectRefusal('damaged', 'cut short or overwritten');
  });

  it('is refused when much of it is gone', async () => {
    await fill(20_000);
    truncateSync(file(), 1_000_000);
    expectRefusal('damaged', 'Put a copy from before in its place');
  });

  it('is refused, or has all its rows, wherever it is cut off', async () => {
    await fill(300);
    const whole = readFileSync(file());
    for (let length = 0; length < whole.length; length += 2_048) {
      writeFileSync(file(), whole.subarray(0, length), { mode: 0o600 });
      rmSync(`${file()}-lock`, { force: true });
      const read = async (): Promise<number> => {
        const storage = openStore();
        try {
          return await readAll(storage);
        } finally {
          await storage.close().catch(() => undefined);
        }
      };
      const rows = await read().catch((error: unknown) => {
        expect(error).toBeInstanceOf(StorageError);
        return 300;
      });
      expect(rows, `cut to ${length} bytes`).toBe(300);
    }
  });

  it('is refused when the first page of its rows is overwritten', async () => {
    await fill();
    const at = readFileSync(file()).lastIndexOf('"index":9,');
    overwrite(at - (at % 4_096), Buffer.alloc(4_096));
    const opened = Promise.resolve().then(() => readAll(openStore()));
    await expect(opened).rejects.toMatchObject({ code: 'damaged' });
  });

  it('is not reported if only its last pages were never written, which happens', async () => {
    await fill();
    for (const page of [0, 4_096]) {
      const last = Buffer.alloc(8);
      last.writeBigUInt64LE(readFileSync(file()).readBigUInt64LE(page + 144) + 3n);
      overwrite(page + 144, last);
    }
    const storage = openStore();
    expect(await readAll(storage)).toBe(50);
    await commit(storage, { index: 10, puts: [], deletes: [], tableIndexes: {} });
    await storage.close();
  });

  it('is refused when a page that describes it is overwritten', async () => {
    await fill();
    overwrite(4_096, Buffer.alloc(200, 'x'));
    expectRefusal('damaged', 'cut short or overwritten');
  });

  it.each<[what: string, at: number, text: string]>([
    ['its form', 0, '#'],
    ['a brace', 1, '#'],
    ['a letter that could be another', 20, 'y'],
    ['its checksum', -1, 'z'],
  ])('is refused when in a row %s is overwritten', async (_what, at, text) => {
    await fill();
    overwrite(readFileSync(file()).lastIndexOf('w{"at":') + at, Buffer.from(text));
    const storage = openStore();
    await expect(readAll(storage)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining(
        'a row of "jobs" cannot be read: it is not what was written',
      ) as string,
    });
    await storage.close();
  });
});

describe('a damaged head', () => {
  it('is refused', async () => {
    await fill();
    overwrite(readFileSync(file()).lastIndexOf('"index":9,') + 8, Buffer.from('8'));
    expectRefusal('damaged', 'its head cannot be read');
  });
});

it('is written by no process whose directory another one holds', async () => {
  let isLocked = true;
  let released = 0;
  const storage = openStore({ isLocked: () => isLocked, release: async () => void (released += 1) });
  await commit(storage, { index: 1, puts: [], deletes: [], tableIndexes: {} });
  isLocked = false;
  const lost = { code: 'write-failed', reason: 'another process has taken it over' };
  await expect(commit(storage, { index: 2, puts: [], deletes: [], tableIndexes: {} })).rejects.toMatchObject(
    lost,
  );
  await expect(storage.probe()).rejects.toMatchObject(lost);
  await storage.close();
  expect(released).toBe(1);
  const next = openStore();
  expect((await readContents(next)).index).toBe(1);
  await next.close();
});

/** Writes batches of 100 kB until one fails, then one more without rows, and reports what is there. */
const fillTheDisk = `
import { hasLmdbStore, openLmdbStorage } from './src/storage/lmdb.js';
import { commit, readContents } from './test/support/storage-log.js';
const storage = openLmdbStorage({ dir: process.argv[1], shapes: new Map(), lock: { isLocked: () => true, release: async () => {} } });
let index = 0;
let failure = null;
while (failure === null) {
  index += 1;
  const puts = Array.from({ length: 100 }, (_, at) => ({ table: 'jobs', key: index + '.' + at, row: { text: 'x'.repeat(1000) } }));
  await commit(storage, { index, puts, deletes: [], tableIndexes: { jobs: index } }).catch((error) => void (failure = error));
}
const probed = await storage.probe().then(() => '', (error) => error.reason);
const { index: kept, rows } = await readContents(storage);
process.stdout.write(JSON.stringify({ code: failure.code, message: failure.message, reason: failure.reason, probed, index, kept, found: rows.length }));
`;

const noDisk = whyNoSmallDisk();

describe('a full disk', () => {
  it.skipIf(noDisk !== null)('is not written at all, and takes what comes when there is room', async () => {
    const disk = mountSmallDisk(8);
    onTestFinished(() => disk.remove());
    dir = join(disk.directory, 'store');
    const storage = openStore();
    const entry = (index: number, rows: number) => ({
      index,
      puts: Array.from({ length: rows }, (_, at) => ({
        ...{ table: 'jobs', key: `${String(index)}.${String(at)}` },
        row: { text: 'x'.repeat(1_000) },
      })),
      ...{ deletes: [], tableIndexes: { jobs: index } },
    });
    await commit(storage, entry(1, 10));
    disk.fill();
    const sizes = (): readonly number[] => [file(), `${file()}-lock`].map((each) => statSync(each).size);
    const before = sizes();
    for (let times = 0; times < 20; times += 1) {
      await expect(commit(storage, entry(2, 500))).rejects.toMatchObject({
        ...{ code: 'write-failed', reason: 'no room is left on the disk' },
        message: expect.stringMatching(/: no room is left on the disk \(no space is left on the disk\)$/),
      });
    }
    // The library damages its memory if the disk refuses its writes: it was not called.
    expect(sizes()).toEqual(before);
    expect(await readAll(storage)).toBe(10);
    disk.free();
    await storage.probe();
    await commit(storage, entry(2, 500));
    expect(await readAll(storage)).toBe(510);
    await storage.close();
  });

  it('rejects the write and keeps nothing of it', async () => {
    // Files may not grow beyond two megabytes: the system refuses to write as it does when there is no room.
    const command = 'ulimit -f 2048; exec "$0" --import tsx --input-type=module -e "$1" "$2"';
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['-c', command, process.execPath, fillTheDisk, dir],
      {
        cwd: new URL('../..', import.meta.url).pathname,
      },
    );
    // Its native part may say a word of its own.
    expect(stderr).not.toContain('Error');
    const reported = JSON.parse(stdout) as Record<string, number | string>;
    expect(reported['code']).toBe('write-failed');
    expect(reported['message']).toContain(`Writing to ${file()} failed: `);
    expect(reported['reason']).not.toBe('');
    // Other files may still be written here: only a trial shows that this one may not grow.
    expect(reported['probed']).toBe(reported['reason']);
    expect(reported['index']).toBeGreaterThan(1);
    expect(reported['kept']).toBe(Number(reported['index']) - 1);
    expect(reported['found']).toBe(Number(reported['kept']) * 100);
    const storage = openStore();
    expect((await readContents(storage)).index).toBe(reported['kept']);
    const next = { index: Number(reported['index']), puts: [], deletes: [], tableIndexes: {} };
    await commit(storage, next);
    expect(await readAll(storage)).toBe(reported['found']);
    await storage.close();
  });
});
