import { open, rename, rm } from 'node:fs/promises';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { methods } from '../protocol/methods.js';

/**
 * Saves the whole store of the member in use as a file that etcd's own `etcdctl snapshot restore` (`etcdutl` from 3.5 on)
 * reads; the checksum that they look for is in it. The file is there when all of it is on disk, and only its owner may
 * read it. Returns its size in bytes. Needs the rights of root where etcd knows users.
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
