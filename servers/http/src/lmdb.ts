import { statfsSync } from 'node:fs';

/** A store of the library of LMDB. */
interface Store {
  getStats(): object;
}

/** What the library counts, which its types do not say. */
interface StoreStats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** Bytes for a commit beside its values: whole pages, those on the way to them, and what others write at the same moment. */
const commitRoom = 1_048_576;

/**
 * Looks whether a commit of values of these sizes, in bytes, has room on the disk of a directory. Before the library is asked: where
 * the disk refuses what it writes, it puts a sentence about that past the end of a buffer (lmdb 3.5.6), which can end the process.
 *
 * @throws Error with the code ENOSPC.
 */
export function requireLmdbRoom(store: Store, directory: string, sizes: readonly number[]): void {
  const needed = commitRoom + sizes.reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize >= needed) return;
  // What is longer wants pages beside each other, which those in the file need not be.
  const { pageSize } = statsOf(store);
  const fitsAnyPage = sizes.every((size) => size <= pageSize / 4);
  const free = bavail * bsize + (fitsAnyPage ? reusableInLmdb(store) : 0);
  if (free < needed) throw Object.assign(new Error('no space is left on the disk'), { code: 'ENOSPC' });
}

/** Bytes in the file of a store that hold nothing any more: it never shrinks. */
export function reusableInLmdb(store: Store): number {
  const stats = statsOf(store);
  const used = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
  return Math.max(0, stats.lastPageNumber - used) * stats.pageSize;
}

const statsOf = (store: Store): StoreStats => store.getStats() as StoreStats;

let isHushed = false;

/**
 * Leaves out what the library of LMDB writes to the console of a commit that fails: it rejects the promise of the commit
 * with the same error, and who made the commit tells of it once, in words.
 */
export function hushLmdbErrors(): void {
  if (isHushed) return;
  isHushed = true;
  const write = console.error;
  console.error = (...said: unknown[]) => {
    if (said.length === 1 && isErrorOfLmdb(said[0])) return;
    write(...said);
  };
}

/** Its errors have a number, where those of the runtime have a name. */
function isErrorOfLmdb(said: unknown): boolean {
  return said instanceof Error && typeof (said as { readonly code?: unknown }).code === 'number';
}
