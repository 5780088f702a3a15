/** Bounds on what one filter may cost. Each is a count; `Infinity` switches one off. */
export interface Limits {
  /** Longest expression, in UTF-16 units, checked before the lexer runs. Stops megabytes of text in a query. */
  readonly maxLength: number;
  /** Deepest nesting of parentheses, braces and `not`, checked before the parser runs. Stops stack exhaustion. */
  readonly maxDepth: number;
  /** Most matches and collections in one expression. Stops filters that cost more per row than the row is worth. */
  readonly maxTerms: number;
  /** Longest pattern after `matches`, in UTF-16 units. Stops patterns whose automaton fills the memory. */
  readonly maxPatternLength: number;
  /**
   * Largest compiled pattern, in automaton instructions; a large class counts one more for each four of its ranges. Stops
   * `(((a{100}){100}){100})`, and patterns that cost thousands of steps for each character of every row.
   */
  readonly maxPatternSize: number;
  /**
   * Most runs of the bodies of nested collections for one row. Stops `any L as x { any L as x { ... } }`, whose cost is
   * the length of the list to the power of the depth.
   */
  readonly maxSteps: number;
}

/** Generous for what people type (the longest of 377 real filters has under 1,000 characters), small for a server. */
export const defaultLimits: Limits = Object.freeze({
  maxLength: 65_536,
  maxDepth: 100,
  maxTerms: 2_000,
  maxPatternLength: 1_000,
  maxPatternSize: 2_000,
  maxSteps: 100_000,
});
