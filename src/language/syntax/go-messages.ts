import { goPosition, type SyntaxErrorCode } from '../diagnostics/errors.js';
import { whitespace, type Expectation, type ExpectationName, expectations } from './expectation.js';
import type { Failure } from './failure.js';
import { stateWords } from './operator-words.js';
import { isBlank } from './characters.js';
import { enumerate } from './wording.js';

// go-bexpr reads characters instead of tokens. Its messages name the farthest character reached and everything allowed there. So
// they depend on preceding blanks and on words that begin like a keyword.

/** Returns go-bexpr's error code. It reports a parenthesis that could have been closed instead of the token found. */
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

/** Returns go-bexpr's message for the same source. It begins with the position: line, column and byte offset. */
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

/** Positions where words are names and need no preceding blank. */
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

/** Returns the position that go-bexpr reaches when it recognises the beginning of the unexpected token. */
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

/** Returns what go-bexpr expects after a complete token or after blanks. */
function betweenTokens(source: string, { expected, position }: Failure): string[] {
  const { choices, keywords }: Expectation = expectations[expected];
  if (expected === 'part') return choices.flatMap((choice) => choice.go);
  const before = source.slice(0, position);
  const isAfterBlank = position > 0 && isBlank(source.charCodeAt(position - 1));
  // A name could continue or be followed by a part, unless it was the last word of an operator.
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

/** Returns the words sorted and deduplicated, with `or` before the last one; the end of input comes last. */
function listed(words: readonly string[]): string {
  const sorted = [...new Set(words)].filter((word) => word !== 'EOF').sort();
  if (words.includes('EOF')) sorted.push('EOF');
  return enumerate(sorted, 'or');
}
