import type { SyntaxErrorCode } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import type { DialectChecker } from './dialect-checker.js';
import { type ExpectationName, isExpectationName } from './expectation.js';
import { makeSpan } from './factory.js';
import { fail } from './failure.js';
import { stateWords } from './operator-words.js';
import * as type from './tokens.js';
import { endOf, type Lexeme, spanOf } from './tokens.js';

/**
 * Throws the ParserFailure for a token that the grammar has no use for.
 *
 * @param message The name of what was expected, as Chevrotain's exception brings it along.
 * @param previous The token before it, or the same one at the start of the source.
 */
export function classifyFailure(
  checker: DialectChecker,
  message: string,
  found: Lexeme,
  previous: Lexeme,
): never {
  const expected = refine(isExpectationName(message) ? message : 'end', previous);
  const operandEnd = endOfOperand(expected, found);
  if (operandEnd !== null) checker.endOperand(operandEnd);
  const span = type.isOneOf(found, type.Unknown) ? spanOfUnknown(found) : spanOf(found);
  if (type.isOneOf(found, type.Unterminated) && stringPlaces.has(expected)) failUnterminated(checker, found);
  const position = expected === 'part' ? endOf(previous) : found.startOffset;
  fail(codeOf(expected, found.startOffset > endOf(previous)), expected, span, position);
}

/** The places where go-bexpr tries to read a string. */
const stringPlaces: ReadonlySet<ExpectationName> = new Set(['operand', 'value', 'key']);

const startsWithState = new RegExp(`^(?:${stateWords.join('|')})`);

/** Returns the end of an operand after which the grammar allows nothing more; null if that is not the case. */
function endOfOperand(expected: ExpectationName, found: Lexeme): number | null {
  if (expected === 'end' || expected === 'groupEnd' || expected === 'bodyEnd') return found.startOffset;
  if (expected !== 'property' && expected !== 'negatedProperty') return null;
  // go-bexpr has read `empty` before it misses the end of the word in `emptyx`.
  const state = startsWithState.exec(found.image)?.[0];
  return state === undefined ? null : found.startOffset + state.length;
}

function codeOf(expected: ExpectationName, isSpaced: boolean): SyntaxErrorCode {
  if (expected === 'key') return 'invalid-index';
  if (expected === 'bracket') return 'unclosed-index';
  return expected === 'container' && isSpaced ? 'invalid-selector' : 'no-match';
}

/** One rule of the grammar can fail at several places; the previous token determines which one it was. */
function refine(expected: ExpectationName, previous: Lexeme): ExpectationName {
  if (expected === 'selector' && type.isA(previous, type.Reversed)) return 'container';
  if (expected === 'listEnd' && type.isOneOf(previous, type.LeftBracket)) return 'listStart';
  if (!type.isOneOf(previous, type.Not)) return expected;
  if (expected === 'property') return 'negatedProperty';
  return expected === 'membership' ? 'negatedMembership' : expected;
}

/** Fails for an unterminated literal. go-bexpr ends a literal at the first quote, escaped or not. */
function failUnterminated({ dialect }: DialectChecker, { image, startOffset: start }: Lexeme): never {
  const span = makeSpan(start, start + image.length);
  if (dialect === 'go-bexpr' && image.startsWith('"') && image.includes('"', 1)) {
    fail('bad-string', 'escapedQuote', span, start);
  }
  fail('unterminated-string', 'quote', makeSpan(start, start + 1), span.end);
}

/** Returns the relevant part of a token that extends to the end of the source: one character, or a run of operator characters. */
function spanOfUnknown({ image, startOffset: start }: Lexeme): Span {
  const signs = /^[=<>!&|~^%*+?]+/.exec(image)?.[0];
  const first = signs ?? String.fromCodePoint(image.codePointAt(0) ?? 0);
  return makeSpan(start, start + first.length);
}
