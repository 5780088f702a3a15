import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { EtcdError } from '../errors.js';
import type { RowChange } from './rows.js';

/** Bytes of a chunk: etcd takes requests of 1.5 MiB. */
const chunkBytes = 1 << 20;
/** The length value that marks a deleted row. */
const deleted = 0xffff_ffff;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** Changes as compressed chunks: each change is the length of its key, the length of its value, and both. */
export async function packChunks(changes: readonly RowChange[]): Promise<readonly Buffer[]> {
  const packed = await compress(Buffer.concat(changes.flatMap(partsOf)), { level: 1 });
  const chunks: Buffer[] = [];
  for (let at = 0; at === 0 || at < packed.length; at += chunkBytes)
    chunks.push(packed.subarray(at, at + chunkBytes));
  return chunks;
}

function partsOf({ key, value }: RowChange): Buffer[] {
  const keyBytes = Buffer.from(key);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(keyBytes.length, 0);
  lengths.writeUInt32BE(value === undefined ? deleted : value.length, 4);
  return value === undefined ? [lengths, keyBytes] : [lengths, keyBytes, value];
}

/** @throws EtcdError `damaged` */
export async function unpackChunks(chunks: readonly Buffer[]): Promise<readonly RowChange[]> {
  try {
    return readChanges(await expand(Buffer.concat(chunks)));
  } catch (error) {
    throw new EtcdError('damaged', `etcd log: staged rows cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function readChanges(bytes: Buffer): RowChange[] {
  const changes: RowChange[] = [];
  for (let at = 0; at < bytes.length;) {
    const keyEnd = at + 8 + bytes.readUInt32BE(at);
    const length = bytes.readUInt32BE(at + 4);
    const end = length === deleted ? keyEnd : keyEnd + length;
    if (end > bytes.length) throw new RangeError('a row is cut off');
    const value = length === deleted ? undefined : bytes.subarray(keyEnd, end);
    changes.push({ key: bytes.toString('utf8', at + 8, keyEnd), value });
    at = end;
  }
  return changes;
}
