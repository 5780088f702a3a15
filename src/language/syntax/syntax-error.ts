import { FilterSyntaxError } from '../diagnostics/errors.js';
import type { ProvidedHint } from './advice.js';
import type { Level } from './dialect.js';
import { type Expectation, expectations } from './expectation.js';
import type { Failure } from './failure.js';
import { goCode, goMessage } from './go-messages.js';

/** Creates the error of a parser failure: go-bexpr's message in `goMessage`, ours in the label and the hint. */
export function syntaxError(
  source: string,
  failure: Failure,
  level: Level,
  advice: ProvidedHint | null,
): FilterSyntaxError {
  const expected: Expectation = expectations[failure.expected];
  const written = foundText(source, failure);
  const diagnostic = {
    code: goCode(failure),
    goMessage: goMessage(source, failure),
    span: failure.span,
    label: advice?.label ?? labelOf(expected, written, level),
    hint: advice?.hint ?? null,
    suggestions: advice?.suggestions ?? [],
  };
  const known = expected.choices.filter((choice) => level > 0 || choice.go.length > 0);
  const names = known.map((choice) => choice.name);
  return new FilterSyntaxError(source, diagnostic, names, written);
}

function labelOf({ isLabel, phrase, basicPhrase }: Expectation, found: string, level: Level): string {
  return isLabel ? phrase : `expected ${level > 0 ? phrase : basicPhrase}, found ${clipFound(found)}`;
}

/** Maximum length of source quoted in an error message, in UTF-16 units. */
const maxFoundLength = 40;

function foundText(source: string, { span }: Failure): string {
  if (span.start >= source.length) return endOfInput;
  const text = source.slice(span.start, span.end);
  return text.length > maxFoundLength ? `${text.slice(0, maxFoundLength)}…` : text;
}

const endOfInput = 'end of input';

/**
 * Returns a found token in quotes: a literal in its own quotes, everything else in ours. Invisible characters are shown by code
 * point.
 */
function clipFound(found: string): string {
  if (/^[\p{C}\p{Z}]$/u.test(found)) return codePoint(found);
  return found === endOfInput || /^["`]/.test(found) ? found : `"${found}"`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
