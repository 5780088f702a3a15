import { sharedWeakMap } from '../runtime/shared-identity.js';
import { eventLoop } from '../runtime/time-slicer.js';
import { createTaskQueue, type TaskQueue } from '../runtime/task-queue.js';
import type { LivePool } from '../lists/query/source/pool.js';

const works = sharedWeakMap<LivePool, TaskQueue>('task queues');

/** Returns the queue for work of a pool's lists that cannot be sliced, such as compiling the filter of a request. */
export function taskQueueOf(pool: LivePool): TaskQueue {
  const work = works.get(pool) ?? createTaskQueue(eventLoop, pool.limits.sliceBudget);
  works.set(pool, work);
  return work;
}
