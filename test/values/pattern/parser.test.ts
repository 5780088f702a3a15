import { describe, expect, it } from 'vitest';
import { parsePattern } from '../../../src/language/values/pattern/parser.js';
import { PatternError } from '../../../src/language/values/pattern/pattern-error.js';

function refusal(source: string): PatternError {
  try {
    parsePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
  throw new Error(`${source} was accepted`);
}

describe('refusals, in the words of Go', () => {
  it.each([
    // pattern, Go's reason, the fragment that it quotes, where the mistake is
    ['(', 'missing closing )', '(', 0],
    ['a(b', 'missing closing )', 'a(b', 1],
    ['(a(?:b', 'missing closing )', '(a(?:b', 2],
    [')', 'unexpected )', ')', 0],
    ['a)b', 'unexpected )', 'a)b', 1],
    ['[a', 'missing closing ]', '[a', 0],
    ['x[', 'missing closing ]', '[', 1],
    ['[]', 'missing closing ]', '[]', 0],
    ['[^]', 'missing closing ]', '[^]', 0],
    ['[z-a]', 'invalid character class range', 'z-a', 1],
    ['[a-\\d]', 'invalid escape sequence', '\\d', 3],
    ['[[:foo:]]', 'invalid character class range', '[:foo:]', 1],
    ['[[:ALPHA:]]', 'invalid character class range', '[:ALPHA:]', 1],
    ['*', 'missing argument to repetition operator', '*', 0],
    ['+', 'missing argument to repetition operator', '+', 0],
    ['**', 'missing argument to repetition operator', '*', 0],
    ['a|*', 'missing argument to repetition operator', '*', 2],
    ['(+?)', 'missing argument to repetition operator', '+?', 1],
    ['(?i)*', 'missing argument to repetition operator', '*', 4],
    ['\\Q\\E*', 'missing argument to repetition operator', '*', 4],
    ['{1}{2}{', 'missing argument to repetition operator', '{1}', 0],
    ['a**', 'invalid nested repetition operator', '**', 1],
    ['w++', 'invalid nested repetition operator', '++', 1],
    ['a+?*', 'invalid nested repetition operator', '+?*', 1],
    ['x{1000}{1000}', 'invalid nested repetition operator', '{1000}{1000}', 1],
    ['a{2,1}', 'invalid repeat count', '{2,1}', 1],
    ['w{1001}', 'invalid repeat count', '{1001}', 1],
    ['w{1001}?', 'invalid repeat count', '{1001}', 1],
    ['{1001}', 'invalid repeat count', '{1001}', 0],
    ['a{99999999999999999999}', 'invalid repeat count', '{99999999999999999999}', 1],
    ['(a{100}){11}', 'invalid repeat count', '{11}', 8],
    ['((a{2}b){500}){2,}?', 'invalid repeat count', '{2,}?', 14],
    ['\\', 'trailing backslash at end of expression', '', 1],
    ['[\\', 'trailing backslash at end of expression', '', 2],
    ['\\8', 'invalid escape sequence', '\\8', 0],
    ['(w)\\1', 'invalid escape sequence', '\\1', 3],
    ['\\u0077', 'invalid escape sequence', '\\u', 0],
    ['12\\Z', 'invalid escape sequence', '\\Z', 2],
    ['\\cA', 'invalid escape sequence', '\\c', 0],
    ['\\C', 'invalid escape sequence', '\\C', 0],
    ['\\é', 'invalid escape sequence', '\\é', 0],
    ['\\😀', 'invalid escape sequence', '\\😀', 0],
    ['\\x', 'invalid escape sequence', '\\x', 0],
    ['\\xg', 'invalid escape sequence', '\\xg', 0],
    ['\\x4', 'invalid escape sequence', '\\x4', 0],
    ['\\x{110000}', 'invalid escape sequence', '\\x{110000', 0],
    ['\\x{}', 'invalid escape sequence', '\\x{}', 0],
    ['\\x{12', 'invalid escape sequence', '\\x{12', 0],
    ['\\pX', 'invalid character class range', '\\pX', 0],
    ['\\p', 'invalid character class range', '\\p', 0],
    ['\\p{Foo}', 'invalid character class range', '\\p{Foo}', 0],
    ['\\p{greek}', 'invalid character class range', '\\p{greek}', 0],
    ['\\p{Grek}', 'invalid character class range', '\\p{Grek}', 0],
    ['\\p{Emoji}', 'invalid character class range', '\\p{Emoji}', 0],
    ['\\p{Cn}', 'invalid character class range', '\\p{Cn}', 0],
    ['\\p{Vithkuqi}', 'invalid character class range', '\\p{Vithkuqi}', 0],
    ['[\\p{L]', 'invalid character class range', '\\p{L]', 1],
    ['(?=w)', 'invalid or unsupported Perl syntax', '(?=', 0],
    ['(?!a)', 'invalid or unsupported Perl syntax', '(?!', 0],
    ['(?<=w)eb', 'invalid or unsupported Perl syntax', '(?<', 0],
    ['(?<n>a)', 'invalid or unsupported Perl syntax', '(?<', 0],
    ['(?>a)', 'invalid or unsupported Perl syntax', '(?>', 0],
    ['(?#c)', 'invalid or unsupported Perl syntax', '(?#', 0],
    ['(?P=n)', 'invalid or unsupported Perl syntax', '(?P', 0],
    ['(?P<', 'invalid or unsupported Perl syntax', '(?P', 0],
    ['(?i', 'invalid or unsupported Perl syntax', '(?i', 0],
    ['(?', 'invalid or unsupported Perl syntax', '(?', 0],
    ['(?z)', 'invalid or unsupported Perl syntax', '(?z', 0],
    ['(?i-)', 'invalid or unsupported Perl syntax', '(?i-)', 0],
    ['(?-i-s)', 'invalid or unsupported Perl syntax', '(?-i-', 0],
    ['(?P<n', 'invalid named capture', '(?P<n', 0],
    ['(?P<n m>a)', 'invalid named capture', '(?P<n m>', 0],
    ['(?P<>a)', 'invalid named capture', '(?P<>', 0],
    ['(?P<é>a)', 'invalid named capture', '(?P<é>', 0],
    ['a\ud800b', 'invalid UTF-8', '\ud800b', 1],
    // The first mistake from the left
    ['[z-a](', 'invalid character class range', 'z-a', 1],
    ['a**[', 'invalid nested repetition operator', '**', 1],
  ])('%s: %s', (source, reason, fragment, offset) => {
    expect(refusal(source)).toMatchObject({
      name: 'PatternError',
      message: `error parsing regexp: ${reason}: \`${fragment}\``,
      reason,
      fragment,
      offset,
    });
  });

  it('bounds the height of the tree, not the depth of plain groups', () => {
    expect(refusal('('.repeat(1_001) + ')'.repeat(1_001)).reason).toBe('expression nests too deeply');
    expect(() => parsePattern('(?:'.repeat(5_000) + ')'.repeat(5_000))).not.toThrow();
  });
});

describe('the size of a pattern', () => {
  it.each([
    ['', 1],
    ['abc', 3],
    ['a|b|c', 5],
    ['a*', 3],
    ['a+', 2],
    ['a?', 2],
    ['a{3}', 3],
    ['a{2,5}', 8],
    ['a{2,}', 3],
    ['a{0}', 1],
    ['(ab){10}', 20],
    ['[a-z]\\pL', 2],
  ])('%s: %d', (source, size) => {
    expect(parsePattern(source).size).toBe(size);
  });
});
