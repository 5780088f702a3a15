export * from './backpressured-stream.js';
export * from './body-values.js';
export * from './build-commit.js';
export * from './connection-errors.js';
export * from './connection-limit.js';
export * from './exact-json.js';
export * from './file-mode.js';
export * from './frame-stream.js';
export * from './gzip.js';
export * from './header-check.js';
export * from './limits.js';
export * from './lingering-close.js';
export * from './listeners.js';
export * from './lmdb.js';
export * from './missing-package.js';
export * from './origin-check.js';
export * from './peer-address.js';
export * from './processes.js';
export * from './shared-list.js';
export * from './slow-clients.js';
export * from './store-lock.js';
export * from './text-stream.js';
export * from './timed.js';

export {
  createTurnLimiter,
  createTimeSlicer,
  createTurnQueue,
  createTaskQueue,
  defaultSliceBudget,
  eventLoop,
  drain,
  firstParameter,
  runInSlices,
  jsonListText,
  jsonPieces,
  yieldToEventLoop,
  parseGoBool,
  parseGoDuration,
  parseQueryString,
  RequestError,
  runGenerator,
  writeJson,
  type ScheduleTask,
  type ListForm,
  type EventLoop,
  type QueryParameters,
  type RequestErrorCode,
  type TimeSlicer,
  type Steps,
  type TaskQueue,
} from 'tamis/internal';
