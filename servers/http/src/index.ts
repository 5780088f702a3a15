export { limitValues } from './body-values.js';
export { buildCommit, withCommit } from './build-commit.js';
export { limitConnections } from './connection-limit.js';
export { exposureOf } from './file-mode.js';
export { readFirstJson, readJson } from './exact-json.js';
export { openFrameStream, type FrameSource, type FrameStreamLimits } from './frame-stream.js';
export { lingeringClose } from './lingering-close.js';
export { checkHeaders, allowAllHeaders } from './header-check.js';
export {
  acceptsCoding,
  acceptsGzip,
  compressReply,
  gzipText,
  inlineGzipLimit,
  isGzipAccepted,
} from './gzip.js';
export {
  acceptQueue,
  defaultHttpLimits,
  listenerIdleMs,
  poolIdleMs,
  retryAfter,
  timeoutCheck,
  type HttpLimits,
} from './limits.js';
export {
  openBackpressuredStream,
  repeat,
  type After,
  type BackpressuredStream,
  type Pacing,
  type PieceSource,
} from './backpressured-stream.js';
export { hushLmdbErrors, requireFreeSpace, reusableInLmdb } from './lmdb.js';
export { createListeners, type Listeners } from './listeners.js';
export { mayDialPeer } from './peer-address.js';
export { isAlive, systemProcesses, type Processes } from './processes.js';
export { explainMissingPackage } from './missing-package.js';
export { checkOrigin, isLoopbackAddress, type OriginPolicy } from './origin-check.js';
export { createSharedLists, type SharedList, type SharedLists } from './shared-list.js';
export { disconnectSlowClients } from './slow-clients.js';
export { findLocks, lockStore, StoreLockError, watchLock, type StoreLock } from './store-lock.js';
export { whyUnreachable } from './connection-errors.js';
export { printPieces, textStream, type Chunk, type Printer } from './text-stream.js';

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
