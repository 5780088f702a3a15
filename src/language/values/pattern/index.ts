export {
  compilePattern,
  createShared,
  type Pattern,
  type PatternLimits,
  type SharedMeans,
} from './pattern.js';
export type { ChargeFunction } from './charge-function.js';
export { PatternError, PatternLimitError, type PatternLimitCode } from './pattern-error.js';
