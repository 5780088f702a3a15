/** Limits on the cost of one filter. Each is a count; `Infinity` disables it. */
export interface Limits {
  /** Maximum length of an expression, in UTF-16 units, checked before the lexer runs. Prevents queries of several megabytes. */
  readonly maxLength: number;
  /** Maximum nesting of parentheses, braces and `not`, checked before the parser runs. Prevents stack exhaustion. */
  readonly maxDepth: number;
  /** Maximum number of matches and collections in one expression. Prevents filters that are too expensive to evaluate per row. */
  readonly maxTerms: number;
  /** Maximum length of a pattern of `matches`, in UTF-16 units. Prevents patterns whose automaton exhausts memory. */
  readonly maxPatternLength: number;
  /**
   * Maximum size of all compiled patterns of a filter together, in automaton instructions. A large class counts one more per four
   * ranges; equal patterns count once. Prevents `(((a{100}){100}){100})`, and a thousand patterns that take seconds to compile.
   * Typical patterns have 10 to 40 instructions.
   */
  readonly maxPatternSize: number;
  /**
   * Maximum number of steps, of about 10 ns, for compiling the patterns of a filter; equal patterns count once, invalid patterns
   * count nothing. Prevents thousands of large classes, each of which counts little towards `maxPatternSize`. Typical patterns
   * take 500 to 5,000 steps each.
   */
  readonly maxCompileSteps: number;
  /**
   * Maximum number of steps per row: comparisons of collection elements, groups of four elements that `in` scans, enumerated
   * keys. Prevents `any L as x { any L as x { ... } }`, whose cost is the list length to the power of the depth.
   */
  readonly maxSteps: number;
  /**
   * Maximum number of characters searched per row by `in`, `contains` and `matches`; characters count more for patterns that cost
   * more than a plain search. Prevents a thousand searches of a 1 MB string. Long integers of a row count as strings. Shares one
   * budget with `maxSteps`: a row that has used half of its steps can search at most half of the characters.
   */
  readonly maxSearchedText: number;
}

/**
 * The default limits: ample for handwritten filters (the longest of 377 real filters has under 1,000 characters), but safe for a
 * server.
 */
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
