import { createTaskQueue, defaultSliceBudget, eventLoop } from '@tamis/http';

/** Request work that cannot be sliced. One queue per process, because there is one event loop. */
export const taskQueue = createTaskQueue(eventLoop, defaultSliceBudget);
