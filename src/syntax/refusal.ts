import { FilterSyntaxError, type Suggestion } from '../diagnostics/errors.js';
import { type Expectation, expectations } from './expectation.js';
import type { Failure } from './failure.js';
import { goCode, goMessage } from './go-words.js';
import { advise } from './hints.js';

/** How far a text can be read: `Infinity` for a filter, else the place of the first mistake. */
export type Reach = (source: string) => number;

/**
 * Puts a failure of the parser into words: go-bexpr's own in the message, ours around the caret. A suggestion is kept only
 * where the text can be read beyond it once it is applied.
 */
export function refusal(source: string, failure: Failure, reach: Reach): FilterSyntaxError {
  const expected: Expectation = expectations[failure.expected];
  const found = foundText(source, failure);
  const advice = advise(source, failure);
  const complaint = {
    code: goCode(failure),
    message: goMessage(source, failure),
    span: failure.span,
    label: expected.isLabel ? expected.phrase : `expected ${expected.phrase}, found ${shown(found)}`,
    hint: null,
    ...advice,
    suggestions: (advice?.suggestions ?? []).filter((each) => isProgress(source, each, reach)),
  };
  const names = expected.choices.map((choice) => choice.name);
  return new FilterSyntaxError(source, complaint, names, found);
}

function isProgress(source: string, { span, replacement }: Suggestion, reach: Reach): boolean {
  const corrected = source.slice(0, span.start) + replacement + source.slice(span.end);
  return reach(corrected) >= span.start + replacement.length;
}

/** Longest piece of the source that an error repeats, in UTF-16 units. */
const longestFound = 40;

function foundText(source: string, { span }: Failure): string {
  if (span.start >= source.length) return endOfInput;
  const text = source.slice(span.start, span.end);
  return text.length > longestFound ? `${text.slice(0, longestFound)}…` : text;
}

const endOfInput = 'end of input';

/** A literal in its own quotes, everything else in ours, and what nobody can see by its number. */
function shown(found: string): string {
  if (/^[\p{C}\p{Z}]$/u.test(found)) return codePoint(found);
  return found === endOfInput || /^["`]/.test(found) ? found : `"${found}"`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
