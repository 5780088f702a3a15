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
   * Largest size of all compiled patterns of a filter together, in automaton instructions; a large class counts one more
   * for each four of its ranges, and equal patterns count once. Stops `(((a{100}){100}){100})`, and a thousand patterns
   * that take seconds to compile. Patterns that people write have 10 to 40 instructions.
   */
  readonly maxPatternSize: number;
  /**
   * Most steps, of about 10 ns, for compiling the patterns of a filter; equal patterns count once, and what is no pattern
   * takes none. Stops thousands of large classes, of which each counts for little in `maxPatternSize`. Patterns that people
   * write take 500 to 5,000 each.
   */
  readonly maxCompileSteps: number;
  /**
   * Most steps for one row: comparisons made for elements of collections, four elements that `in` passes, keys that are
   * enumerated. Stops `any L as x { any L as x { ... } }`, whose cost is the length of the list to the power of the depth.
   */
  readonly maxSteps: number;
  /**
   * Most characters of text that are searched for one row, by `in`, `contains` and `matches`; for patterns that take more
   * than a plain search a character counts more. Stops a thousand searches of a text of a megabyte. Long integers of a row count as texts. Shared with `maxSteps`: the
   * parts of the two that a row uses are together no more than one whole.
   */
  readonly maxSearchedText: number;
}

/** Generous for what people type (the longest of 377 real filters has under 1,000 characters), small for a server. */
export const defaultLimits: Limits = Object.freeze({
  maxLength: 65_536,
  maxDepth: 100,
  maxTerms: 2_000,
  maxPatternLength: 1_000,
  maxPatternSize: 10_000,
  maxCompileSteps: 1_000_000,
  maxSteps: 100_000,
  maxSearchedText: 8 * 1024 * 1024,
});
