// Turns for what takes long, and the texts of requests and answers: what lists and servers share below any engine.
export { createAdmission, type Admit } from './admission.js';
export { completionScript, shells, type Shell } from './completion-script.js';
export { parseGoBool } from './go-bool.js';
export { parseGoDuration } from './go-duration.js';
export { parseExactly, type IntegerLimits } from './exact-json.js';
export { inSlices } from './in-slices.js';
export { createPrinter, jsonListText, type ListForm, type ListPrinter } from './json-list.js';
export { jsonSize } from './json-size.js';
export { jsonPieces } from './json-pieces.js';
export { firstParameter, parseQueryString, type QueryLimits, type QueryParameters } from './query-string.js';
export { RecentMap, type RecentMapLimits } from './recent-map.js';
export { RequestError, type RequestErrorCode } from './request-error.js';
export {
  createSlices,
  createTurns,
  defaultSliceBudget,
  eventLoop,
  nextTurn,
  type Pace,
  type Slices,
  type WorkStep,
} from './slices.js';
export { finishSteps, runSteps, type Steps } from './steps.js';
export { unseenCharacters } from './unseen.js';
export { createWholeWork, type WholeWork } from './whole-work.js';
export { writeJson } from './write-json.js';
