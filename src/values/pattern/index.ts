export { compilePattern, type Pattern, type PatternLimits } from './pattern.js';
export { PatternError, PatternLimitError } from './pattern-error.js';
