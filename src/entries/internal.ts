// Time slicing, requests and JSON responses, shared by the lists and by our servers. No stability promise: not part of the documented API.
export { createTurnLimiter, type ScheduleTask } from '../runtime/turn-limiter.js';
export { completionScript, shells, type Shell } from '../runtime/completion-script.js';
export { parseGoBool } from '../runtime/go-bool.js';
export { parseGoDuration } from '../runtime/go-duration.js';
export { parseExactly, type IntegerLimits } from '../runtime/exact-json.js';
export { runInSlices } from '../runtime/run-in-slices.js';
export { createPrinter, jsonListText, type ListForm, type ListPrinter } from '../runtime/json-list.js';
export { jsonSize } from '../runtime/json-size.js';
export { jsonPieces } from '../runtime/json-pieces.js';
export {
  firstParameter,
  parseQueryString,
  type QueryLimits,
  type QueryParameters,
} from '../runtime/query-string.js';
export { RecentMap, type RecentMapLimits } from '../runtime/recent-map.js';
export { RequestError, type RequestErrorCode } from '../runtime/request-error.js';
export {
  createTimeSlicer,
  createTurnQueue,
  defaultSliceBudget,
  eventLoop,
  yieldToEventLoop,
  type EventLoop,
  type TimeSlicer,
  type WorkStep,
} from '../runtime/time-slicer.js';
export { drain, runGenerator, type Steps } from '../runtime/run-generator.js';
export { invisibleCharacters } from '../runtime/invisible-characters.js';
export { createTaskQueue, type TaskQueue } from '../runtime/task-queue.js';
export { writeJson } from '../runtime/write-json.js';
