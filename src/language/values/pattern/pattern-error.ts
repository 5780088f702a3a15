/**
 * Thrown for an invalid pattern. The message is Go's own, word for word, so that web searches for it succeed: ``error parsing
 * regexp: missing closing ): `(` ``.
 */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  /** Go's name for the mistake, without the quoted fragment: `missing closing )`. */
  readonly reason: string;
  /** The part of the pattern that Go quotes; the empty string if Go quotes nothing. */
  readonly fragment: string;
  /** Offset of the mistake in the pattern, in UTF-16 units. */
  readonly offset: number;

  constructor(reason: string, fragment: string, offset: number) {
    super(`error parsing regexp: ${reason}: \`${fragment}\``);
    this.reason = reason;
    this.fragment = fragment;
    this.offset = offset;
  }
}

/** Which limit a pattern exceeds. */
export type PatternLimitCode = 'pattern-too-long' | 'pattern-too-large' | 'too-many-compile-steps';

const limitMessages: Readonly<Record<PatternLimitCode, (limit: number) => string>> = {
  'pattern-too-long': (limit) => `the pattern is longer than ${limit} characters`,
  'pattern-too-large': (limit) => `the pattern compiles to more than ${limit} instructions`,
  'too-many-compile-steps': (limit) => `the pattern takes more than ${limit} steps to compile`,
};

/** A pattern that exceeds a limit. It was rejected before it was expanded. */
export class PatternLimitError extends Error {
  override readonly name = 'PatternLimitError';
  readonly code: PatternLimitCode;
  /** The exceeded limit: UTF-16 units, automaton instructions or compile steps, depending on the code. */
  readonly limit: number;

  constructor(code: PatternLimitCode, limit: number) {
    super(limitMessages[code](limit));
    this.code = code;
    this.limit = limit;
  }
}
