export { compilePattern, type Pattern, type PatternLimits } from './pattern.js';
export { createShelf, type Shelf } from './automaton.js';
export type { Pay } from './pay.js';
export { PatternError, PatternLimitError } from './pattern-error.js';
