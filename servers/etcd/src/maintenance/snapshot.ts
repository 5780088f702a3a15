import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { methods } from '../protocol/methods.js';

/**
 * Saves the whole store of the member in use as a file that etcd's own `etcdctl snapshot restore` (`etcdutl` from 3.5 on)
 * reads; it contains the checksum that they verify. The file appears when all of it is on disk, and only its owner may read it.
 * Returns its size in bytes. Needs root rights if etcd has authentication enabled.
 *
 * @throws EtcdError; an error of the file system
 */
export async function saveSnapshot(
  transport: Transport,
  path: string,
  signal?: AbortSignal,
): Promise<number> {
  const partial = `${path}.partial`;
  const file = await open(partial, 'w', 0o600);
  let bytes = 0;
  try {
    let remaining = -1n;
    const options = signal === undefined ? {} : { signal };
    for await (const { blob, remainingBytes } of transport.stream(methods.snapshot, {}, options)) {
      await file.writeFile(blob);
      bytes += blob.length;
      remaining = remainingBytes;
    }
    if (remaining !== 0n) throw new EtcdError('unknown', `etcd: the snapshot ended after ${bytes} bytes`);
    await file.sync();
    await file.close();
    await rename(partial, path);
    return bytes;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

/** Bytes of the checksum (SHA-256) that ends a snapshot. */
const checksumBytes = 32;

/**
 * Whether a file is a snapshot as it was saved: its checksum is that of the rest. Returns its size in bytes.
 *
 * @throws EtcdError `damaged`; an error of the file system
 */
export async function checkSnapshot(path: string): Promise<number> {
  const { size } = await stat(path);
  const end = size - checksumBytes;
  // The store's pages have 512 bytes or a multiple of that.
  if (end <= 0 || size % 512 !== checksumBytes)
    throw new EtcdError('damaged', `${path} is no snapshot of etcd, or a part of one`);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { end: end - 1 })) hash.update(piece as Buffer);
  const written: Buffer[] = [];
  for await (const piece of createReadStream(path, { start: end })) written.push(piece as Buffer);
  if (!hash.digest().equals(Buffer.concat(written)))
    throw new EtcdError('damaged', `${path} is damaged: its checksum is another one`);
  return size;
}
