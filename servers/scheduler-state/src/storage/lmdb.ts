import type { StructType } from 'tamis';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { commitInLmdb, hushLmdbErrors, requireFreeSpace, type StoreLock } from '@tamis/http';
import { open, type RootDatabase } from 'lmdb';
import { minFreeBytes, probeDisk } from './disk-probe.js';
import { createRowFormat, RowFormatError, type RowFormat, type RowReader } from './row-format.js';
import { createLogFeed } from './log-feed.js';
import { emptyHead, headAfter, judgeEntry, type LogHead } from './log-head.js';
import { makeDataDirectory } from '@tamis/scheduler-model/base/make-data-directory.js';
import type { Batch, Contents, Storage, StoredRow } from './storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import { checkStoreFile, damaged, foreign, storeIsMade } from './store-file.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

export interface LmdbOptions {
  /** The directory, created if missing. The store is the file `state.mdb` in it. */
  readonly dir: string;
  /** Lock of the directory, released with the store. */
  readonly lock: StoreLock;
  /** Row shapes of each table; rows of other tables take more space. */
  readonly shapes: ReadonlyMap<string, StructType>;
}

type Database = RootDatabase<string, Buffer>;

/** Format of the whole store. Later formats have larger numbers, so that older servers reject them. */
const format = 'scheduler 2';
/** The previous format, a subset of this one. Older servers cannot read rows written from now on. */
const formatBefore = 'scheduler 1';

/** Table names are not empty, so no row key starts like these. */
const formatKey = Buffer.from('\0format');
const headKey = Buffer.from('\0head');
const probeKey = Buffer.from('\0probe');

/** Maximum time of encoding rows before other work runs, in ms. */
const maxTurnMs = 5;
/** Number of rows to read before other work runs, so that signals are handled while a large store loads. */
const rowsAtOnce = 4_096;

/**
 * Opens a store in a local directory: a memory-mapped B+ tree in one file that is never changed in place. Each commit is written
 * and synchronised before the page that points to it. After a crash or power loss the store therefore contains the state before
 * or after a commit.
 *
 * @throws StorageError `unusable`, `foreign`, `damaged` or `newer`, with advice.
 */
export function openLmdbStorage({ dir, lock, shapes }: LmdbOptions): Storage {
  const path = storePathIn(dir);
  makeDataDirectory(dir);
  const db = openDatabase(path);
  try {
    checkFormat(db, path);
    storeIsMade(path);
    return createStorage(db, { dir, path, lock }, createRowFormat(shapes));
  } catch (error) {
    void db.close();
    throw error instanceof StorageError ? error : damaged(path, reasonOf(error));
  }
}

/** Whether a directory contains a store. Opening would create a missing one. */
export function hasLmdbStore(dir: string): boolean {
  return existsSync(storePathIn(dir));
}

/** Returns the path of the store in a directory. */
export function storePathIn(dir: string): string {
  return join(dir, 'state.mdb');
}

/**
 * The library identifies readers by process ID, which may be the same in a different container. Reads then return nothing,
 * without an error.
 */
function readFirst(db: Database, path: string): string | undefined {
  try {
    return db.get(formatKey);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const why = 'is in use by a process of another container, whose lock was removed: stop it first';
    throw new StorageError('unusable', `${path} ${why}`, error);
  }
}

function openDatabase(path: string): Database {
  try {
    checkStoreFile(path);
    hushLmdbErrors();
    const db = open<string, Buffer>({
      path,
      noSubdir: true,
      encoding: 'string',
      keyEncoding: 'binary',
      // A commit that completes is on disk, and fails otherwise, so no second promise is needed.
      overlappingSync: false,
      // The state batches writes; batching here would only cause unreported failures.
      eventTurnBatching: false,
    });
    // The library makes the file world-readable, and every reader could hold its lock.
    chmodSync(`${path}-lock`, 0o600);
    return db;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError('unusable', `${path} cannot be opened: ${reasonOf(error)}`, error);
  }
}

function checkFormat(db: Database, path: string): void {
  const found = readFirst(db, path);
  if (found === format) return;
  if (found !== undefined && found !== formatBefore) {
    throw new StorageError(
      'newer',
      `${path} was written by another version of this server (${found}): start that version, or name another data directory`,
    );
  }
  if (found === undefined && entryCount(db) > 0) throw foreign(path);
  db.putSync(formatKey, format);
}

interface Place {
  readonly dir: string;
  /** Path of the store file. */
  readonly path: string;
  readonly lock: StoreLock;
}

function createStorage(db: Database, { dir, path, lock }: Place, rowFormat: RowFormat): Storage {
  let head = readHead(db, path);
  let isOpen = true;
  const feed = createLogFeed(contents);
  /** Number of bytes that a failed commit may have needed: pages are half full after a split. */
  let refused = 0;

  function requireOpen(): void {
    if (!isOpen) throw new StorageError('closed', `${path} has been closed`);
    if (lock.isLocked()) return;
    const why = 'another process has taken it over';
    throw new StorageError('write-failed', `${path} may not be written: ${why}`, undefined, why);
  }

  async function failed(cause: unknown): Promise<StorageError> {
    // The library reports a short write as a device error.
    const why = await probeDisk(dir, minFreeBytes + refused).then(
      () => 'the disk refuses it',
      (found: StorageError) => found.reason,
    );
    const message = `Writing to ${path} failed: ${why} (${reasonOf(cause)})`;
    return new StorageError('write-failed', message, cause, why);
  }

  function contents(): Contents {
    const { id, index, tableIndexes } = head;
    return { id, index, tableIndexes, rows: readRows(db, path, rowFormat) };
  }

  return {
    async append(entry) {
      requireOpen();
      const known = judgeEntry(head, entry);
      if (known !== null) return known;
      const next = headAfter(head, entry);
      const changes = await encodeBatch(entry.batch, next, rowFormat);
      try {
        requireFreeSpace(db, dir, sizesOf(changes));
        await commitInLmdb(db, changes);
      } catch (error) {
        refused = 2 * sizesOf(changes).reduce((sum, size) => sum + size, 0);
        throw await failed(error);
      }
      refused = 0;
      head = next;
      feed.publish(entry.id, entry.batch);
      return { kind: 'committed' };
    },
    subscribe: () => feed.subscribe(),
    async probe() {
      requireOpen();
      await probeDisk(dir, minFreeBytes + refused);
      if (refused === 0) return;
      // The disk has space again, but only a write of that size shows whether the file can grow.
      try {
        await commitInLmdb(db, [[probeKey, 'x'.repeat(refused)]]);
        await commitInLmdb(db, [[probeKey, null]]);
      } catch (error) {
        throw await failed(error);
      }
      refused = 0;
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      feed.close();
      await db.close();
      await lock.release();
    },
  };
}

/** The changes of a transaction; null removes an entry. */
type Changes = readonly (readonly [key: Buffer, text: string | null])[];

/** Encodes first what can throw, because operations in the library's queue cannot be undone. */
async function encodeBatch(batch: Batch, head: LogHead, rowFormat: RowFormat): Promise<Changes> {
  const puts: ReturnType<typeof encodeRow>[] = [];
  /** A job is a row of two tables, and an import contains one table completely before the other. */
  const texts = new Map<object, string>();
  let pause = performance.now() + maxTurnMs;
  for (const { table, key, row } of batch.puts) {
    const text = texts.get(row) ?? seal(rowFormat.write(table, row));
    texts.set(row, text);
    puts.push(encodeRow(table, key, text));
    if (performance.now() < pause) continue;
    await nextTurn();
    pause = performance.now() + maxTurnMs;
  }
  const deletes = batch.deletes.map(({ table, key }) => [encodeKey(table, key), null] as const);
  return [...puts, [headKey, seal(JSON.stringify(head))], ...deletes];
}

function sizesOf(changes: Changes): readonly number[] {
  return changes.flatMap(([key, text]) => (text === null ? [] : [key.length + Buffer.byteLength(text)]));
}

function readHead(db: Database, path: string): LogHead {
  const value = db.get(headKey);
  if (value === undefined) return emptyHead;
  const text = unseal(value);
  if (text === null) throw damaged(path, 'its head cannot be read');
  // This module wrote the value; earlier versions wrote no batch IDs and terms.
  return { ...emptyHead, ...(JSON.parse(text) as Partial<LogHead>) };
}

async function* readRows(db: Database, path: string, rowFormat: RowFormat): AsyncGenerator<StoredRow> {
  const read = rowFormat.reader();
  const expected = entryCount(db);
  let count = 0;
  for (const { key, value } of readEntries(db, path)) {
    count += 1;
    if (key[0] === 0) continue;
    yield decodeRow(key, value, path, read);
    if (count % rowsAtOnce === 0) await nextTurn();
  }
  if (count !== expected) throw damaged(path, `it holds ${count} entries and should hold ${expected}`);
}

function* readEntries(
  db: Database,
  path: string,
): Generator<{ readonly key: Buffer; readonly value: string }> {
  try {
    yield* db.getRange();
  } catch (error) {
    throw damaged(path, reasonOf(error));
  }
}

/** Maximum length of an unhashed key, in bytes. The library accepts 1,978 including the table name. */
const maxKeyLength = 1_024;
/** Prefix of a hashed long key. UTF-8 strings never contain this byte. */
const hashed = Buffer.from([0xff]);

/** Returns the table name, a zero byte, and the key or the hash of a long key. */
function encodeKey(table: string, key: string): Buffer {
  const bytes = Buffer.from(key);
  const name = Buffer.from(`${table}\0`);
  if (bytes.length <= maxKeyLength) return Buffer.concat([name, bytes]);
  return Buffer.concat([name, hashed, createHash('sha256').update(bytes).digest()]);
}

/** Encodes a row with its checksum. A long key is stored in a line before the row. */
function encodeRow(table: string, key: string, text: string): readonly [key: Buffer, text: string] {
  const isHashed = Buffer.byteLength(key) > maxKeyLength;
  const content = isHashed ? seal(`${JSON.stringify(key)}\n${text.slice(checksumLength)}`) : text;
  return [encodeKey(table, key), content];
}

const checksumLength = 8;

/** Prepends a checksum that detects disk corruption. */
function seal(text: string): string {
  return crc32(text).toString(16).padStart(checksumLength, '0') + text;
}

/** Returns the string after its checksum; null if the checksum does not match. */
function unseal(value: string): string | null {
  const text = value.slice(checksumLength);
  return seal(text) === value ? text : null;
}

function decodeRow(bytes: Buffer, value: string, path: string, read: RowReader): StoredRow {
  const end = bytes.indexOf(0);
  const table = bytes.toString('utf8', 0, end);
  const text = unseal(value);
  try {
    if (text === null) throw new RowFormatError('it is not what was written');
    if (bytes[end + 1] !== hashed[0]) {
      return { table, key: bytes.toString('utf8', end + 1), row: read(table, text) };
    }
    const newline = text.indexOf('\n');
    const key = JSON.parse(text.slice(0, newline)) as string;
    return { table, key, row: read(table, text.slice(newline + 1)) };
  } catch (error) {
    if (!(error instanceof RowFormatError || error instanceof SyntaxError)) throw error;
    throw damaged(path, `a row of ${JSON.stringify(table)} cannot be read: ${error.message}`);
  }
}

function entryCount(db: Database): number {
  return (db.getStats() as { readonly entryCount: number }).entryCount;
}
