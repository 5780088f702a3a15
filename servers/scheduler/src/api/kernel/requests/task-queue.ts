import { createTaskQueue, defaultSliceBudget, eventLoop } from '@tamis/http';

/** What requests ask for that cannot be sliced. One for the process, as there is one event loop. */
export const taskQueue = createTaskQueue(eventLoop, defaultSliceBudget);
