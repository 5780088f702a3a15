import type { SyntaxErrorCode } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import type { ExpectationName } from './expectation.js';

/** Where and why the parser stopped, before it is formatted as a message. */
export interface Failure {
  readonly code: SyntaxErrorCode;
  /** What was expected there. */
  readonly expected: ExpectationName;
  /** What was found there; empty at the end of the source. */
  readonly span: Span;
  /** The offset that go-bexpr would report, as far as tokens determine it. */
  readonly position: number;
  /** Where the innermost open parenthesis could have been closed, or -1. go-bexpr reports this position instead. */
  readonly closableAt: number;
}

/** Thrown while a filter is read. `parse` catches it and creates the message. */
export class ParserFailure extends Error {
  override readonly name = 'ParserFailure';
  failure: Failure;

  /** Only the parser, which handles every failure, knows the enclosing parentheses. */
  constructor(failure: Omit<Failure, 'closableAt'>) {
    super(failure.code);
    this.failure = { ...failure, closableAt: -1 };
  }
}

export function fail(code: SyntaxErrorCode, expected: ExpectationName, span: Span, position: number): never {
  throw new ParserFailure({ code, expected, span, position });
}
