import { createTaskQueue, defaultSliceBudget, eventLoop } from '@tamis/http';

/** Queue of work that cannot be sliced. One per process, because there is one event loop. */
export const taskQueue = createTaskQueue(eventLoop, defaultSliceBudget);
