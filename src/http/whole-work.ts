import { eventLoop } from '../runtime/slices.js';
import { createWholeWork, type WholeWork } from '../runtime/whole-work.js';
import type { LivePool } from '../lists/query/source/pool.js';

const works = new WeakMap<LivePool, WholeWork>();

/** Returns the queue for work of a pool's lists that cannot be sliced, such as compiling the filter of a request. */
export function wholeWorkOf(pool: LivePool): WholeWork {
  const work = works.get(pool) ?? createWholeWork(eventLoop, pool.limits.sliceBudget);
  works.set(pool, work);
  return work;
}
