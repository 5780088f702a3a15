import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { exposureOf } from '@tamis/http';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/**
 * LMDB maps its file into memory without validation: a foreign or truncated file kills the process with a signal. So the two
 * pages that describe the file are checked first. Their layout is `MDB_meta` in LMDB's mdb.c: integers in machine byte order,
 * little-endian on all supported platforms.
 */
const metaOffset = {
  magic: 24,
  version: 28,
  pageSize: 48,
  freeRoot: 88,
  mainRoot: 136,
  lastPage: 144,
  txn: 152,
};
const metaLength = 160;
const magic = 0xbeefc0de;
const dataVersion = 2;
const emptyRoot = 2n ** 64n - 1n;

/** Maximum missing bytes of a valid file: its last pages may never have been written. */
const maxMissing = 4_194_304n;

interface Meta {
  readonly lastPage: bigint;
  readonly roots: readonly bigint[];
  readonly txn: bigint;
}

/** Path of a marker file next to a store being created, to distinguish it from an emptied one. */
const newMark = (path: string): string => `${path}-new`;

/**
 * Ensures that the library can open a file and other users cannot read it: rows contain secrets of nodes and tokens. Creates a
 * missing file; call `storeIsMade` once it contains a store.
 *
 * @throws StorageError `foreign`, `damaged` or `exposed`, with advice.
 */
export function checkStoreFile(path: string): void {
  if (!existsSync(path)) writeFileSync(newMark(path), '');
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    checkOpenFile(file, path);
  } finally {
    closeSync(file);
  }
}

/** Marks the store as complete: an empty file is then a damaged store. */
export function storeIsMade(path: string): void {
  rmSync(newMark(path), { force: true });
}

function checkOpenFile(file: number, path: string): void {
  const { mode, size: bytes } = fstatSync(file);
  const size = BigInt(bytes);
  if (size > 0n) checkContent(file, path, size);
  else if (!existsSync(newMark(path))) throw damaged(path, 'it is empty, which no store is');
  const exposure = exposureOf(path, mode);
  if (exposure !== null) throw new StorageError('exposed', exposure);
}

function checkContent(file: number, path: string, size: bigint): void {
  const head = readAt(file, 0);
  if (head === null || head.readUInt32LE(metaOffset.magic) !== magic) throw foreign(path);
  const pageSize = head.readUInt32LE(metaOffset.pageSize);
  const isPageSize = pageSize >= 256 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  const second = isPageSize ? readAt(file, pageSize) : null;
  if (second === null) throw damaged(path);
  const [newest] = [readMeta(head, path), readMeta(second, path)].sort((a, b) => (a.txn > b.txn ? -1 : 1));
  if (newest === undefined) throw damaged(path);
  const page = BigInt(pageSize);
  const needed = (newest.lastPage + 1n) * page;
  const hasRoots = newest.roots.every((root) => root === emptyRoot || (root + 1n) * page <= size);
  if (!hasRoots || needed - size > maxMissing) throw damaged(path);
  if (needed > size) ftruncateSync(file, Number(needed));
}

function readAt(file: number, position: number): Buffer | null {
  const bytes = Buffer.alloc(metaLength);
  return readSync(file, bytes, 0, metaLength, position) === metaLength ? bytes : null;
}

function readMeta(bytes: Buffer, path: string): Meta {
  if (bytes.readUInt32LE(metaOffset.magic) !== magic) throw damaged(path);
  if ((bytes.readUInt32LE(metaOffset.version) & 0xffff) !== dataVersion) throw foreign(path);
  return {
    lastPage: bytes.readBigUInt64LE(metaOffset.lastPage),
    roots: [bytes.readBigUInt64LE(metaOffset.freeRoot), bytes.readBigUInt64LE(metaOffset.mainRoot)],
    txn: bytes.readBigUInt64LE(metaOffset.txn),
  };
}

export function foreign(path: string): StorageError {
  return new StorageError(
    'foreign',
    `${path} is not a store of this server: name another data directory, or move the file away`,
  );
}

export function damaged(path: string, problem = 'it is cut short or overwritten'): StorageError {
  return new StorageError(
    'damaged',
    `${path} is damaged: ${problem}. Put a copy from before in its place, or move it away to begin with nothing`,
  );
}
