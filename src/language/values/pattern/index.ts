export {
  compilePattern,
  createShared,
  type Pattern,
  type PatternLimits,
  type SharedMeans,
} from './pattern.js';
export type { Pay } from './pay.js';
export { PatternError, PatternLimitError, type PatternLimitCode } from './pattern-error.js';
