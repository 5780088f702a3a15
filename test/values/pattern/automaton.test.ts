import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { createAutomaton } from '../../../src/language/values/pattern/automaton.js';
import { substringSequence } from '../../../src/language/values/pattern/substring-sequence.js';
import { nativeRegExp } from '../../../src/language/values/pattern/native.js';
import { parsePattern } from '../../../src/language/values/pattern/parser.js';
import { simplify } from '../../../src/language/values/pattern/simplify.js';
import { stringStrategy } from '../../../src/language/values/pattern/string-strategy.js';
import { randomOf } from './generate.js';

const automaton = (source: string): ((text: string) => boolean) =>
  createAutomaton(parsePattern(source).node).test;

describe('the automaton', () => {
  it('returns correct results while it evicts states and while it keeps none', () => {
    // Each has exponentially many states: the budget runs out within a few thousand characters.
    const patterns = [
      '[ab]*a[ab]{60}c',
      '(?:a.{9}b|b.{7}a){9}$',
      '\\b[ab]*(?:a[ab ]{40}|b[ab]{50})\\bc',
      '(?m)^.*a.{30}$',
    ];
    const searches = patterns.map((source) => ({
      source,
      search: automaton(source),
      oracle: RE2JS.compile(source),
    }));
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('ab', 'aab ', 'ab\n', 'abé😀'), (seed, letters) => {
        const random = randomOf(seed);
        const all = [...letters];
        const text = Array.from({ length: 1_500 }, () => all[Math.floor(random() * all.length)]).join('');
        for (const { source, search, oracle } of searches) {
          for (const whole of [text, `${text}c`, `${text} c`]) {
            expect({ source, seed, found: search(whole) }).toEqual({
              source,
              seed,
              found: oracle.test(whole),
            });
          }
        }
      }),
      { numRuns: 5 },
    );
  });

  it('returns correct results for repeated strings', () => {
    const search = automaton('(?m)^(a|b\\b)+$');
    for (let round = 0; round < 3; round += 1) {
      expect(['', 'ab', 'ab\n', 'x\naab', 'abc', 'ba', 'b', '\n', 'b\nc'].map(search)).toEqual(
        ['', 'ab', 'ab\n', 'x\naab', 'abc', 'ba', 'b', '\n', 'b\nc'].map((text) => /^(a|b\b)+$/m.test(text)),
      );
    }
  });

  it.each([
    ['[^\\x00-\\x{10FFFF}]', 'a', false],
    ['(?:a|[^\\x00-\\x{10FFFF}])b', 'ab', true],
    ['(\\b|a)*b', 'aab', true],
    ['^(\\Ba?){2,3}b$', 'ab', false],
    ['(?:a{3}){2}$', 'aaaaa', false],
    ['(?:a{3}){2}$', 'aaaaaa', true],
    ['x*', '', true],
  ])('%s finds in %j: %s', (source, text, expected) => {
    expect(automaton(source)(text)).toBe(expected);
  });
});

describe('the translation to a native RegExp', () => {
  it.each([
    ['^web[0-9]', '^web[0-9]'],
    ['a\\.b', 'a\\u{2e}b'],
    ['[^a]b', '[^a]b'],
    ['.x', '[^\\u{a}]x'],
    ['(?s)a.', 'a[^]'],
    ['(?i)ab', '[Aa][Bb]'],
    ['(?i)k', '[Kk\\u{212a}]'],
    ['é$|😀', '\\u{e9}$|\\u{1f600}'],
    ['(?m)^a$', '(?<![^\\n])a(?![^\\n])'],
    ['^(ab|c)*?$', '^(?:ab|c)*$'],
    ['^a{2}b{2,}c{2,3}d?$', '^a{2}b{2,}c{2,3}d?$'],
    ['^(ab){2}$', '^(?:ab){2}$'],
    ['\\bx', '\\bx'],
    ['x\\B', 'x\\B'],
  ])('%s is %s', (source, expected) => {
    const native = nativeRegExp(simplify(parsePattern(source).node));
    expect(native?.source).toBe(expected);
    expect(native?.flags).toBe('u');
  });

  it.each(['\\B', '(?m)^$', '(?m)(^|a)$', '\\B|\\b', '\\pL\\p{Lu}\\p{Ll}[\\pL1]'])(
    'leaves %s to the automaton',
    (source) => {
      expect(nativeRegExp(simplify(parsePattern(source).node))).toBeNull();
    },
  );
});

describe('string operations', () => {
  const operation = (source: string): ((text: string) => boolean) | null =>
    stringStrategy(simplify(parsePattern(source).node))?.test ?? null;

  it.each([
    ['web', 'aweb', 'wbe'],
    ['^web', 'web1', 'aweb'],
    ['web$', 'aweb', 'web1'],
    ['^web$', 'web', 'web1'],
    ['^😀$', '😀', '\ud83d'],
    ['^$', '', 'a'],
    ['', 'x', null],
    ['a^', null, 'a'],
    ['(?s).', '\n', ''],
    ['^(a|b|cd)$', 'cd', 'c'],
    ['^x{2,3}[01]$', 'xxx1', 'x1'],
    ['^a{3}$', 'aaa', 'aa'],
  ])('%s finds %j, not %j', (source, found, notFound) => {
    const test = operation(source);
    if (found !== null) expect(test?.(found)).toBe(true);
    if (notFound !== null) expect(test?.(notFound)).toBe(false);
    expect(test).not.toBeNull();
  });

  it.each([
    '[ab]',
    '^(a|b)',
    '^\\w\\w$',
    '^a*$',
    '\\bweb',
    '\\x{D800}',
    '^[a-z]{3}$',
    '^a{0,99}$',
    '^(a|\\bb)$',
  ])('are not enough for %s', (source) => {
    expect(operation(source)).toBeNull();
  });
});

describe('texts with gaps', () => {
  it.each([
    ['(?s)a.*b', 'xaxbx', 'ba'],
    ['(?s)a.*b', 'ab', 'b'],
    ['(?s)aa.*aa', 'aaaa', 'aaa'],
    ['(?s)a.+b', 'a\nb', 'ab'],
    ['(?s)a.+b', 'a😀b', 'ab'],
    ['(?s)a.{2,}b', 'a😀😀b', 'a😀b'],
    ['(?s)^a.*b', 'ab', 'xab'],
    ['(?s)^.+b', 'ab', 'b'],
    ['(?s)a.*b$', 'abb', 'abx'],
    ['(?s)^aa.*aa$', 'aaaa', 'aaa'],
    ['(?s)^.+$', 'a', ''],
    ['(?s)^.{3,}$', '😀bc', '😀b'],
    ['(?s)^(.+)(.+)x', 'aax', 'ax'],
    ['(?s)^(.+)(.+)$', '😀b', '😀'],
    ['(?s)a.*b.*c.*d', 'a-b-c-d', 'a-c-b-d'],
    ['[^a]*b[\\s\\S]*c$', 'b\nc', 'bc\n'],
  ])('%s finds %j, not %j', (source, found, notFound) => {
    const test = substringSequence(simplify(parsePattern(source).node))?.test;
    expect(test?.(found)).toBe(true);
    expect(test?.(notFound)).toBe(false);
  });

  it.each(['a.*b', '(?s)a.*[bc]', '(?s)a.*?\\b', '(?s)ab', '(?s)(a.*b)*c'])(
    'are not enough for %s',
    (source) => {
      expect(substringSequence(simplify(parsePattern(source).node))).toBeNull();
    },
  );
});
