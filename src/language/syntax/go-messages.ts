import { goPosition, type SyntaxErrorCode } from '../diagnostics/errors.js';
import { whitespace, type Expectation, type ExpectationName, expectations } from './expectation.js';
import type { Failure } from './failure.js';
import { stateWords } from './operator-words.js';
import { isBlank } from './characters.js';
import { enumerate } from './wording.js';

// go-bexpr reads characters and not tokens. Its messages name the farthest character that it reached and all that could
// have stood there, so they differ with the blanks before that place and with words that begin like a keyword.

/** go-bexpr blames a parenthesis that could have been closed rather than the token found instead. */
export function goCode({ code, closableAt }: Failure): SyntaxErrorCode {
  return code === 'no-match' && closableAt >= 0 ? 'unmatched-parentheses' : code;
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

/** go-bexpr's message for the same source: first the place, as line, column and byte offset. */
export function goMessage(source: string, failure: Failure): string {
  const code = goCode(failure);
  if (code !== 'no-match') {
    const position = code === failure.code ? failure.position : failure.closableAt;
    return `${goPosition(source, position)}: ${ruleMessages[code]}`;
  }
  const { position, words } = insideToken(source, failure) ?? {
    position: failure.position,
    words: betweenTokens(source, failure),
  };
  return `${goPosition(source, position)}: no match found, expected: ${listed(words)}`;
}

/** Places where words are names and need no blank before them. */
const opensOperand: ReadonlySet<ExpectationName> = new Set([
  'operand',
  'value',
  'selector',
  'container',
  'binding',
  'bindingName',
]);

interface Farthest {
  readonly position: number;
  readonly words: readonly string[];
}

/** The place that go-bexpr gets to when it recognises the beginning of the token that does not fit. */
function insideToken(source: string, { expected, position }: Failure): Farthest | null {
  const rest = source.slice(position);
  const word = /^[a-zA-Z][a-zA-Z0-9_/]*/.exec(rest)?.[0] ?? '';
  const isAfterBlank = isBlank(source.charCodeAt(position - 1));
  const keyword = isAfterBlank
    ? expectations[expected].keywords.find((text) => word.startsWith(text))
    : undefined;
  if (keyword !== undefined) {
    const endsMatch = stateWords.includes(keyword);
    return { position: position + keyword.length, words: endsMatch ? [whitespace, 'EOF'] : [whitespace] };
  }
  if (rest.startsWith('-') && (expected === 'value' || expected === 'operand')) {
    return { position: position + 1, words: ['"0"', '[1-9]'] };
  }
  if (!rest.startsWith('"') || expected !== 'selector') return null;
  const pointer = /^"(?:\/[\p{L}\p{N}\-_.~:|]+)*\/?/u.exec(rest)?.[0] ?? '';
  const words = pointer.endsWith('/') ? ['[\\pL\\pN-_.~:|]'] : ['"/"', '"\\""'];
  return { position: position + pointer.length, words };
}

const endsInState = new RegExp(`\\s(?:${stateWords.join('|')})$`);

/** What go-bexpr expects after a complete token or after blanks. */
function betweenTokens(source: string, { expected, position }: Failure): string[] {
  const { choices, keywords }: Expectation = expectations[expected];
  if (expected === 'part') return choices.flatMap((choice) => choice.go);
  const before = source.slice(0, position);
  const isAfterBlank = position > 0 && isBlank(source.charCodeAt(position - 1));
  // A name could go on, or be followed by a part, but for one that was the last word of an operator.
  const isAfterName =
    /(?:^|[^a-zA-Z0-9_/.])[a-zA-Z][a-zA-Z0-9_/.]*$/.test(before) && !endsInState.test(before);
  const takesParts = (isAfterName || before.endsWith(']')) && !opensOperand.has(expected);
  const words = choices.flatMap(({ name, go }) => {
    const isWord = keywords.includes(name.slice(1, -1));
    return isWord && !isAfterBlank && !opensOperand.has(expected) ? [] : go;
  });
  if (takesParts && expected !== 'bindingEnd') words.push('"."', '"["');
  if (takesParts && isAfterName) words.push('[a-zA-Z0-9_/]');
  return [...words, whitespace];
}

/** Sorted and deduplicated, the last one after `or`; the end of input always comes last. */
function listed(words: readonly string[]): string {
  const sorted = [...new Set(words)].filter((word) => word !== 'EOF').sort();
  if (words.includes('EOF')) sorted.push('EOF');
  return enumerate(sorted, 'or');
}
