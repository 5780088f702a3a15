import type { SyntaxErrorCode } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import type { ExpectationName } from './expectation.js';

/** Where and why the parser stopped, before it is put into words. */
export interface Failure {
  readonly code: SyntaxErrorCode;
  /** What could have stood there. */
  readonly expected: ExpectationName;
  /** What stood there; empty at the end of the text. */
  readonly span: Span;
  /** The offset that go-bexpr would name, as far as whole tokens tell. */
  readonly place: number;
  /** Where the innermost open parenthesis could have been closed, or -1: go-bexpr names this place instead. */
  readonly closableAt: number;
}

/** Thrown by the parser, caught by `parse`, which puts it into words. */
export class ParserFailure extends Error {
  override readonly name = 'ParserFailure';

  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}
