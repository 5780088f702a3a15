import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compilePattern,
  createShared,
  type Pattern,
  PatternError,
  PatternLimitError,
} from '../../../src/language/values/pattern/index.js';

const limits = { maxPatternLength: 1_000, maxPatternSize: 10_000 };

function compile(source: string): Pattern {
  return compilePattern(source, limits);
}

describe('what patterns mean', () => {
  it.each([
    // An unanchored search
    ['eb', 'web-12', true],
    ['', 'web-12', true],
    ['', '', true],
    ['^web-[0-9]+$', 'web-12', true],
    ['^web-\\d+$', 'web-12', true],
    ['^web$', 'web-12', false],
    ['web|api', 'an api', true],
    ['(|a)', '', true],
    ['a||b', '', true],
    // The ends of the text, and of lines under (?m)
    ['^b', 'a\nb\n', false],
    ['b$', 'a\nb\n', false],
    ['b\\z', 'a\nb', true],
    ['(?m)^b$', 'a\nb\n', true],
    ['(?m)a$', 'a\nb', true],
    ['(?m)a$', 'a\r\nb', false],
    ['(?m)^b', 'a\rb', false],
    ['(?m)^b', 'a\u2028b', false],
    ['(?m)\\Ab', 'a\nb', false],
    ['(?m)a\\z', 'a\nb', false],
    ['^$', '', true],
    ['^$', 'a', false],
    ['a^b', 'ab', false],
    ['(?m)a$\n^b', 'a\nb', true],
    // The dot
    ['a.b', 'a\nb', false],
    ['a.b', 'a\rb', true],
    ['(?s)a.b', 'a\nb', true],
    ['^.$', '😀', true],
    ['^..$', '😀', false],
    ['^.$', '\ud83d', true],
    ['^..$', '\ude00\ud83d', true],
    ['^[^a]$', '😀', true],
    ['(?s)^.*$', 'a\nb', true],
    ['^.*$', 'a\nb', false],
    ['.', '\n', false],
    // Halves of pairs
    ['\\x{D83D}', '😀', false],
    ['\\x{DE00}', '😀', false],
    ['\\x{D83D}', '\ud83d', true],
    ['[\\x{D800}-\\x{DFFF}]', 'a😀', false],
    ['\\x{DE00}a', '😀a', false],
    ['\\x{DE00}a', '\ude00a', true],
    ['\\B', 'a😀b', false],
    ['\\B', '😀', true],
    ['(?m)^$', '😀', false],
    ['(?m)^$', '😀\n', true],
    // Case
    ['(?i)^WEB', 'web-12', true],
    ['(?i)^k$', '\u212a', true],
    ['(?i)^\\x{212A}$', 'K', true],
    ['(?i)^s$', 'ſ', true],
    ['(?i)ſ', 'S', true],
    ['(?i)[^s]', 'ſ', false],
    ['(?i)\\w', 'ſ', true],
    ['(?i)\\W', 'ſ', false],
    ['\\w', 'ſ', false],
    ['(?i)STRASSE', 'Straße', false],
    ['(?i)STRAẞE', 'Straße', true],
    ['(?i)ﬀ', 'FF', false],
    ['(?i)σ', 'ς', true],
    ['(?i)ı', 'I', false],
    ['(?i)İ', 'i', false],
    ['(?i)ǆ', 'ǅ', true],
    ['(?i)[[:upper:]]', 'a', true],
    ['(?i)\\p{Lu}', 'é', true],
    ['(?i)\\P{Lu}', 'é', false],
    ['(?i:a)b', 'Ab', true],
    ['(?i:a)b', 'AB', false],
    ['a(?i)b|c', 'C', true],
    ['(a(?i)b)c', 'aBC', false],
    ['(?i)a(?-i)b', 'Ab', true],
    ['(?i)a(?-i)b', 'AB', false],
    // Classes
    ['\\s', '\v', false],
    ['\\v', '\v', true],
    ['[[:space:]]', '\v', true],
    ['^\\w+$', 'Straße', false],
    ['^\\pL+$', 'Straße', true],
    ['^[[:alpha:]][[:punct:]]\\pL$', 'a.b', true],
    ['^\\p{Greek}+$', 'αβγ', true],
    ['\\p{^Greek}', 'α', false],
    ['\\P{^Greek}', 'α', true],
    ['\\PL', '1', true],
    ['\\p{Han}', '中', true],
    ['\\p{Cs}', '\ud800', true],
    ['\\p{Any}', '\u{10ffff}', true],
    ['\\pC', '\u0378', false],
    ['^[]a]+$', ']a', true],
    ['[^]a]', ']', false],
    ['[a-]', '-', true],
    ['[-a]', '-', true],
    ['^[a-c-e]+$', 'b-e', true],
    ['[^\\d]', 'é', true],
    ['[^a]', '\n', true],
    ['[^\\x00-\\x{10FFFF}]', 'a', false],
    ['[[:^ascii:]]', 'é', true],
    ['[[:word:]]', '_', true],
    ['^[é-ü]$', 'ö', true],
    ['[😀-😃]', '😂', true],
    // Escapes
    ['^\\Qa.b\\E\\z', 'a.b', true],
    ['\\Qa.b', 'axb', false],
    ['\\07', '\u0007', true],
    ['\\101', 'A', true],
    ['\\x{1F600}', '😀', true],
    ['\\x41', 'A', true],
    ['\\_', '_', true],
    ['\\/', '/', true],
    // Repetitions
    ['^a{2,3}$', 'aaaa', false],
    ['^a{2,3}$', 'aaa', true],
    ['a{,2}', 'a{,2}', true],
    ['^a{0}$', '', true],
    ['(?P<x>a)(?U).+b', 'a.b', true],
    ['(?P<n>a)(?P<n>b)', 'ab', true],
    ['^(a*)*$', 'aaa', true],
    ['^(\\ba?)*$', 'a', true],
    ['a(?i)*', 'A', true],
    // Words
    ['foo\\b', 'foo bar', true],
    ['foo\\b', 'foo_bar', false],
    ['\\bé', ' é', false],
    ['\\Bé', ' é', true],
  ])('%j finds in %j: %s', (source, text, expected) => {
    expect(compile(source).test(text)).toBe(expected);
  });
});

describe('the strategy', () => {
  it.each([
    ['web', 'string'],
    ['^web-', 'string'],
    ['-prod$', 'string'],
    ['^running$', 'string'],
    ['^(running|pending)$', 'string'],
    ['^job-0[123]$', 'string'],
    ['_task-abcd.*', 'string'],
    ['.*/web', 'string'],
    ['groupa-*', 'string'],
    ['(?s)^.*web', 'string'],
    ['^.*web.*$', 'string'],
    ['(?m)^.*web.*$', 'string'],
    ['(a*)*', 'string'],
    ['^(?:)', 'string'],
    ['a$b', 'string'],
    ['web-[0-9]', 'native'],
    ['^web-[0-9]+$', 'native'],
    ['^web-.*$', 'native'],
    ['(?i)frontend', 'native'],
    ['^a+[123]', 'native'],
    ['\\bapi\\b', 'native'],
    ['^(a+)+$', 'native'],
    ['[^@]+@[^@]+\\.[a-z]{2,}', 'native'],
    ['^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$', 'native'],
    ['web-.*-prod', 'string'],
    ['(?s)^a.+b', 'string'],
    ['web-.*-[0-9]', 'guarded'],
    ['-[a-z-]+$', 'guarded'],
    ['(x+x+)+y', 'guarded'],
    ['^(a|aa)+$', 'automaton'],
    ['^a*a*b', 'automaton'],
    ['\\B', 'automaton'],
    ['(?m)^$', 'string'],
    ['(?m)^$|^ ', 'native'],
    ['\\B|(?m)^$', 'automaton'],
    ['a{600}b?$', 'automaton'],
    ['\\x{D83D}\\B', 'native'],
  ])('%s: %s', (source, strategy) => {
    expect(compile(source).strategy).toBe(strategy);
  });

  it('matches a megabyte for patterns that hang backtrackers', () => {
    const text = 'a'.repeat(1 << 20);
    for (const source of [
      '^(a+)+$',
      '^(a|aa)+$',
      '(x+x+)+y',
      '(a*)*b',
      '^(a?){60}a{60}$',
      'a.*b.*c',
      '(.*)=(.*)=',
    ]) {
      expect(compile(source).test(`${text}!`), source).toBe(false);
    }
    expect(compile('^(a|b|ab)*c').test(`${text}c`)).toBe(true);
  });

  it.each([
    ['web-.*-prod', 'web-1-prod', 'web--pro'],
    ['\\bx[0-9]+y', 'x12y', 'x12z'],
    ['-'.repeat(40), '-'.repeat(40), '-'.repeat(39)],
    ['(?m)^x$', '\nx\n', '\nxx\n'],
    ['^.*x.*$', 'x', '\nx'],
    ['(x+x+)+y', 'xxy', 'xy'],
  ])('%s returns the same with and without the guard', (source, found, notFound) => {
    const pattern = compile(source);
    for (const filler of ['', ' '.repeat(50_000)]) {
      expect(pattern.test(filler + found)).toBe(true);
      expect(pattern.test(filler + notFound)).toBe(false);
    }
  });
});

describe('limits', () => {
  const thrown = (source: string, own = limits): unknown => {
    try {
      return compilePattern(source, own);
    } catch (error) {
      return error;
    }
  };

  it('refuses a pattern that is too long', () => {
    expect(compile('a'.repeat(1_000)).test('a')).toBe(false);
    expect(thrown('a'.repeat(1_001))).toMatchObject({
      name: 'PatternLimitError',
      code: 'pattern-too-long',
      limit: 1_000,
      message: 'the pattern is longer than 1000 characters',
    });
    expect(thrown('a'.repeat(1_001))).toBeInstanceOf(PatternLimitError);
  });

  it.each([
    ['(?:abcdefghijk){1000}', 'repetitions written out'],
    ['((a{1000}|b{1000}){1}c{1000}){1}'.repeat(4), 'many repetitions'],
    [
      Array.from({ length: 90 }, (_, i) => `[\\pL${String.fromCodePoint(0x2190 + i)}]`).join(''),
      'many large classes',
    ],
  ])('refuses %# as too large: %s', (source) => {
    expect(thrown(source)).toMatchObject({ code: 'pattern-too-large', limit: 10_000 });
  });

  it('leaves nested repetitions to the words of Go', () => {
    expect(thrown('(((a{100}){100}){100})')).toBeInstanceOf(PatternError);
    expect(thrown('(((a{100}){100}){100})')).toMatchObject({
      message: 'error parsing regexp: invalid repeat count: `{100}`',
    });
  });

  it('takes patterns of any size where the limits are lifted', () => {
    const lifted = { maxPatternLength: Infinity, maxPatternSize: Infinity };
    const long = compilePattern(`^${'(?:ab|c)'.repeat(5_000)}`, lifted);
    expect(long.test('ab'.repeat(5_000))).toBe(true);
    expect(long.test('ab'.repeat(4_999))).toBe(false);
    const deep = compilePattern(`${'(?:'.repeat(50_000)}a${')'.repeat(50_000)}`, lifted);
    expect(deep.test('a')).toBe(true);
    expect(thrown('(?:a{1000}b{1000}){1}'.repeat(2_000), lifted)).toMatchObject({
      reason: 'expression too large',
    });
  });

  it('reads texts of many megabytes without exhausting a stack', () => {
    const text = `${'ab'.repeat(12_000_000)}!`;
    expect(compile('^(?:a|b)*c').test(text)).toBe(false);
    expect(compile('^(?:ab|a)*$').test(text)).toBe(false);
  });
});

describe('plain words', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9_/:@ -]{1,40}$/);
  const text = fc.stringMatching(/^[ab/@ -]{0,6}$/);

  it('match, cost and count like the same words written as classes', () => {
    fc.assert(
      fc.property(word, fc.boolean(), fc.array(text), (plain, isPrefix, texts) => {
        const start = isPrefix ? '^' : '';
        const means = createShared();
        const pattern = compilePattern(start + plain, limits, means);
        const classes = Array.from(plain, (letter) => (letter === '-' ? '[\\-]' : `[${letter}]`)).join('');
        const asClasses = compile(start + classes);
        for (const each of [...texts, plain, `${plain}x`, `x${plain}`])
          expect(pattern.test(each)).toBe(asClasses.test(each));
        expect(pattern).toMatchObject({ source: start + plain, strategy: 'string' });
        expect([pattern.size, pattern.freeLength]).toEqual([asClasses.size, asClasses.freeLength]);
        // 350 steps, 18 for each character, and 6 for each instruction.
        expect(means.account.spent).toBe(350 + 24 * (start + plain).length);
      }),
    );
  });

  it('exceed the limits like other patterns', () => {
    expect(() => compilePattern('abcd', { ...limits, maxPatternSize: 3 })).toThrow(PatternLimitError);
    expect(() => compilePattern('abcd', limits, createShared(445))).toThrow(PatternLimitError);
    expect(compilePattern('abcd', limits, createShared(446)).size).toBe(4);
  });
});
