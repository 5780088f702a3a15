import { describe, expect, it } from 'vitest';
import { compilePattern, PatternError, PatternLimitError } from '../../../src/values/pattern/index.js';

const limits = { maxPatternLength: 1_000, maxPatternSize: 10_000 };

describe('compilePattern', () => {
  it.each([
    ['eb', 'web-12', true],
    ['^web-[0-9]+$', 'web-12', true],
    ['^.$', '😀', true],
    ['(?i)^k$', '\u212a', true],
    ['b$', 'a\nb\n', false],
  ])('%s on %j: %s', (source, text, expected) => {
    expect(compilePattern(source, limits).test(text)).toBe(expected);
  });

  it('refuses in the words of Go', () => {
    expect(() => compilePattern('(', limits)).toThrow(PatternError);
    expect(() => compilePattern('(', limits)).toThrow('error parsing regexp: missing closing ): `(`');
  });

  it('refuses what is too long', () => {
    expect(() => compilePattern('a'.repeat(1_001), limits)).toThrow(PatternLimitError);
  });
});
