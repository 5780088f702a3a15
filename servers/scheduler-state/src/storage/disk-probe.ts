import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** Minimum free disk space, in bytes. A commit writes whole pages, which are more than its rows. */
export const minFreeBytes = 1_048_576;

const probeFile = 'write-probe';
const probeBytes = Buffer.alloc(4_096);

/**
 * Checks that the disk of a directory is writable and has the given number of free bytes.
 *
 * @throws StorageError `write-failed`
 */
export async function probeDisk(dir: string, capacity = minFreeBytes): Promise<void> {
  try {
    const { bfree, bsize } = await statfs(dir, { bigint: true });
    if (bfree * bsize < BigInt(capacity))
      throw Object.assign(new Error('too little is free'), { code: 'ENOSPC' });
    const path = join(dir, probeFile);
    await writeFile(path, probeBytes, { mode: 0o600, flush: true });
    // Two probes may run at once.
    await rm(path, { force: true });
  } catch (error) {
    const reason = diskReason(error);
    throw new StorageError('write-failed', `${dir} cannot be written: ${reason}`, error, reason);
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'no room is left on the disk'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EFBIG', 'files may not grow any further'],
  ['EROFS', 'the disk is read-only'],
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
  ['ENOENT', 'the data directory is gone'],
  ['EIO', 'the disk reports an error'],
]);

/** Returns the message of a file system error without the file name, so that clients may see it. */
function diskReason(error: unknown): string {
  return reasons.get((error as { readonly code?: unknown }).code) ?? 'the disk refuses it';
}
