import { FilterSyntaxError, goPosition } from '../diagnostics/errors.js';
import { type Expectation, expectations } from './expectation.js';
import type { Failure } from './failure.js';
import { advise } from './hints.js';

/** Puts a failure of the parser into words: go-bexpr's own in the message, ours around the caret. */
export function refusal(source: string, failure: Failure): FilterSyntaxError {
  const expected: Expectation = expectations[failure.expected];
  const found = foundText(source, failure);
  const advice = advise({ source, failure, found });
  const complaint = {
    code:
      failure.closableAt >= 0 && failure.code === 'no-match'
        ? ('unmatched-parentheses' as const)
        : failure.code,
    message: goMessage(source, failure, expected),
    span: failure.span,
    label: `expected ${expected.phrase}, found ${found}`,
    hint: null,
    suggestions: [],
    ...advice,
  };
  return new FilterSyntaxError(source, complaint, namesOf(expected), found);
}

function foundText(source: string, { span }: Failure): string {
  if (span.start >= source.length) return 'end of input';
  return JSON.stringify(source.slice(span.start, span.end));
}

function namesOf(expected: Expectation): string[] {
  return expected.choices.map((choice) => choice.name);
}

const ruleMessages = {
  'unterminated-string': 'rule "string": Unterminated string literal',
  'bad-string': 'rule "string": invalid syntax',
  'invalid-number': 'rule "number": Invalid number literal',
  'invalid-index': 'rule "index": Invalid index',
  'unclosed-index': 'rule "index": Unclosed index expression',
  'unmatched-parentheses': 'rule "grouping": Unmatched parentheses',
  'invalid-selector': 'rule "match": Invalid selector',
} as const;

function goMessage(source: string, failure: Failure, expected: Expectation): string {
  if (failure.code !== 'no-match')
    return `${goPosition(source, failure.place)}: ${ruleMessages[failure.code]}`;
  if (failure.closableAt >= 0) {
    return `${goPosition(source, failure.closableAt)}: ${ruleMessages['unmatched-parentheses']}`;
  }
  return `${goPosition(source, failure.place)}: no match found, expected: ${goList(expected)}`;
}

function goList(expected: Expectation): string {
  const words = [...new Set(expected.choices.flatMap((choice) => choice.go))].sort();
  const last = words.pop() ?? 'EOF';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}
