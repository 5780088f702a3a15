import type { SyntaxErrorCode } from '../diagnostics/errors.js';
import { type ExpectationName, isExpectationName } from './expectation.js';
import type { Reading } from './reading.js';
import * as type from './tokens.js';
import type { Lexeme } from './tokens.js';

/**
 * Throws the ParserFailure for a token that the grammar has no use for.
 *
 * @param message The name of what was expected, as Chevrotain's exception brings it along.
 * @param previous The token before it, or the same one at the start of the text.
 */
export function explain(reading: Reading, message: string, found: Lexeme, previous: Lexeme): never {
  const expected = refine(isExpectationName(message) ? message : 'end', previous);
  const span = type.isOneOf(found, type.Unknown) ? reading.unknown(found) : reading.spanOf(found);
  if (type.isOneOf(found, type.Unterminated) && stringPlaces.has(expected)) reading.failUnterminated(span);
  // go-bexpr has read `empty` before it misses the end of the word in `emptyx`.
  const property = /^(?:empty|nil)/.exec(found.image)?.[0];
  if (property !== undefined && (expected === 'property' || expected === 'negatedProperty')) {
    reading.noteClosable(found.startOffset + property.length);
  }
  const place = expected === 'part' ? reading.endOf(previous) : reading.startOf(found);
  reading.fail(codeOf(expected, reading.isSpaced(previous, found)), expected, span, place);
}

/** The places where go-bexpr tries to read a string. */
const stringPlaces: ReadonlySet<ExpectationName> = new Set(['operand', 'value', 'key']);

function codeOf(expected: ExpectationName, isSpaced: boolean): SyntaxErrorCode {
  if (expected === 'key') return 'invalid-index';
  if (expected === 'bracket') return 'unclosed-index';
  return expected === 'container' && isSpaced ? 'invalid-selector' : 'no-match';
}

/** One rule of the grammar can fail at several places; the token before tells which one it was. */
function refine(expected: ExpectationName, previous: Lexeme): ExpectationName {
  if (expected === 'selector' && type.isOneOf(previous, type.In)) return 'container';
  if (!type.isOneOf(previous, type.Not)) return expected;
  if (expected === 'property') return 'negatedProperty';
  return expected === 'membership' ? 'negatedMembership' : expected;
}
