export { createAdmission, type Admit } from './admission.js';
export { limitValues } from './body-values.js';
export { limitConnections } from './connection-limit.js';
export { exposureOf } from './file-mode.js';
export { readFirstJson, readJson, writeJson } from './exact-json.js';
export { openFrameStream, type FrameSource, type FrameStreamLimits } from './frame-stream.js';
export { parseGoBool } from './go-bool.js';
export { checkHeaders, keepAllHeaders } from './header-check.js';
export { parseGoDuration } from './go-duration.js';
export { acceptsCoding, acceptsGzip, compressReply, gzipText, inlineGzipLimit, wantsGzip } from './gzip.js';
export { jsonPieces } from './json-pieces.js';
export { jsonListText, type ListForm } from './json-list.js';
export { acceptQueue, defaultHttpLimits, timeoutCheck, type HttpLimits } from './limits.js';
export {
  openPacedStream,
  repeat,
  type After,
  type PacedStream,
  type Pacing,
  type PieceSource,
} from './paced-stream.js';
export { isAlive, systemProcesses, type Processes } from './processes.js';
export { firstParameter, parseQueryString, type QueryParameters } from './query-string.js';
export { RequestError, type RequestErrorCode } from './request-error.js';
export { checkOrigin, isLoopbackAddress, type OriginPolicy } from './origin-check.js';
export { createSharedLists, type SharedList, type SharedLists } from './shared-list.js';
export { cutSlowReaders } from './slow-readers.js';
export {
  createSlices,
  createTurns,
  defaultSliceBudget,
  eventLoop,
  nextTurn,
  type Pace,
  type Slices,
  type Step,
} from './slices.js';
export { finishSteps, runSteps, type Steps } from './steps.js';
export { findLocks, lockStore, StoreLockError, watchLock, type StoreLock } from './store-lock.js';
export { printPieces, textStream, type Chunk, type Printer } from './text-stream.js';
