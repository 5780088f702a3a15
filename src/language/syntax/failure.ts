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

/** Thrown by what reads a filter, caught by `parse`, which puts it into words. */
export class ParserFailure extends Error {
  override readonly name = 'ParserFailure';
  failure: Failure;

  /** Only the parser, which every failure passes, knows of the parentheses around the place. */
  constructor(failure: Omit<Failure, 'closableAt'>) {
    super(failure.code);
    this.failure = { ...failure, closableAt: -1 };
  }
}

export function fail(code: SyntaxErrorCode, expected: ExpectationName, span: Span, place: number): never {
  throw new ParserFailure({ code, expected, span, place });
}
