import { statfsSync } from 'node:fs';

/** A store of the LMDB library. */
interface Store {
  getStats(): object;
}

/** The part of a store that writes. */
interface WritableStore<V> {
  batch(action: () => void): Promise<unknown>;
  put(key: Buffer, value: V): Promise<unknown>;
  remove(key: Buffer): Promise<unknown>;
}

/** Applies changes in one commit, in order; null removes an entry. Rejects with the reason of a failure, which the library provides as a promise in its error. */
export async function commitInLmdb<V>(
  store: WritableStore<V>,
  changes: Iterable<readonly [key: Buffer, value: V | null]>,
): Promise<void> {
  // The promise of the whole commit reports failures; promises of its parts only need a handler.
  const received = (part: Promise<unknown>): void => void part.catch(() => undefined);
  try {
    await store.batch(() => {
      for (const [key, value] of changes) {
        received(value === null ? store.remove(key) : store.put(key, value));
      }
    });
  } catch (error) {
    const { commitError } = error as { readonly commitError?: Promise<unknown> };
    await commitError;
    throw error;
  }
}

/** Statistics of the library that its types do not declare. */
interface StoreStats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** Bytes reserved for a commit in addition to its values: whole pages, branch pages and concurrent writes. */
const commitReserveBytes = 1_048_576;

/**
 * Checks whether the disk of a directory has space for a commit of values of these sizes, in bytes. Call it before the library:
 * if a write fails, lmdb 3.5.6 writes its message past the end of a buffer, which can crash the process.
 *
 * @param reserve bytes that must be left for other commits. Default: 0.
 * @throws Error with the code ENOSPC.
 */
export function requireFreeSpace(
  store: Store,
  directory: string,
  sizes: readonly number[],
  reserve = 0,
): void {
  const needed = commitReserveBytes + reserve + sizes.reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize >= needed) return;
  // Longer values need contiguous pages; free pages of the file may not be contiguous.
  const { pageSize } = statsOf(store);
  const fitsAnyPage = sizes.every((size) => size <= pageSize / 4);
  const free = bavail * bsize + (fitsAnyPage ? reusableInLmdb(store) : 0);
  if (free < needed) throw Object.assign(new Error('no space is left on the disk'), { code: 'ENOSPC' });
}

/** Returns the unused bytes in the file of a store, which never shrinks. */
export function reusableInLmdb(store: Store): number {
  const stats = statsOf(store);
  const used = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
  return Math.max(0, stats.lastPageNumber - used) * stats.pageSize;
}

const statsOf = (store: Store): StoreStats => store.getStats() as StoreStats;

let isHushed = false;

/**
 * Suppresses what the LMDB library prints about a failed commit: it rejects the promise of the commit with the same error, and
 * the caller reports it once.
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

/** Error codes of LMDB are numbers, those of the runtime are strings. */
function isErrorOfLmdb(said: unknown): boolean {
  return said instanceof Error && typeof (said as { readonly code?: unknown }).code === 'number';
}
