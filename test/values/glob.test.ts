import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, parseGlob } from '../../src/language/values/glob.js';

function matches(glob: string, text: string, ignoreCase = false): boolean | null {
  const parsed = parseGlob(glob);
  return parsed === null ? null : compileGlob(parsed, ignoreCase).test(text);
}

describe('globs', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['**', 'abc', true],
    ['?', '', false],
    ['?', 'a', true],
    ['?', '\u{1f600}', true],
    ['??', '\u{1f600}', false],
    ['?', '\ud83d', true],
    ['web-*', 'web-', true],
    ['web-*', 'web', false],
    ['*-db', 'web-db', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*ba', 'aba', false],
    ['*b*', 'abc', true],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'acb', false],
    ['*ab*ab*', 'ab', false],
    ['*ab*ab*', 'abab', true],
    ['*?', '', false],
    ['*?', 'a', true],
    ['*?*?*', 'a', false],
    ['*?*?*', 'ab', true],
    ['a?c*', 'abcd', true],
    ['*a?c', 'xaabc', true],
    ['*?c', '\u{1f600}c', true],
    ['?*?', '\u{1f600}', false],
    ['?*?', '\u{1f600}\u{1f601}', true],
    ['*a?*', 'a', false],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['a\\?b', 'a?b', true],
    ['a\\?b', 'axb', false],
    ['\\\\', '\\', true],
    ['\\a', 'a', true],
    ['a\n*', 'a\nb', true],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['\\', '\\', null],
    ['a\\\\\\', 'a\\', null],
    ['A*', 'ab', false],
  ])('%j of %j: %s', (glob, text, expected) => {
    expect(matches(glob, text)).toBe(expected);
  });

  it.each([
    ['WEB-*', 'web-1', true],
    ['*\u212a*', 'look', true],
    ['?ß', 'xẞ', true],
    ['?ss', 'xß', false],
    ['\\*É', '*é', true],
  ])('%j of %j without case: %s', (glob, text, expected) => {
    expect(matches(glob, text, true)).toBe(expected);
  });

  it('agrees with a table of all beginnings', () => {
    const unit = fc.constantFrom('a', 'b', '*', '?', '\u{1f600}');
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}'), maxLength: 10 }),
        (glob, text) => {
          expect(matches(glob, text)).toBe(matchesByTable([...glob], [...text]));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('takes linear time where there is no ?', () => {
    const long = 'a'.repeat(1_000_000);
    expect(matches(`${'*a'.repeat(500)}*b*`, long)).toBe(false);
    expect(matches(`*${'a'.repeat(300)}b${'a'.repeat(300)}*`, long)).toBe(false);
  });

  it('says what a character costs where there is a ?', () => {
    const weight = (glob: string): number | undefined => {
      const parsed = parseGlob(glob);
      return parsed === null ? undefined : compileGlob(parsed, false).weight;
    };
    expect(weight('abc*')).toBe(0);
    expect(weight('*abc*')).toBe(1);
    expect(weight(`*${'a?'.repeat(100)}*`)).toBe(200);
  });
});

/** The definition: for each two beginnings whether one matches the other. */
function matchesByTable(glob: readonly string[], text: readonly string[]): boolean {
  let row = text.map(() => false);
  let first = true;
  for (const sign of glob) {
    const next: boolean[] = [];
    const nextFirst: boolean = sign === '*' && first;
    for (let at = 0; at < text.length; at += 1) {
      const before = at === 0 ? first : row[at - 1] === true;
      const left = at === 0 ? nextFirst : next[at - 1] === true;
      next.push(sign === '*' ? row[at] === true || left : before && (sign === '?' || sign === text[at]));
    }
    row = next;
    first = nextFirst;
  }
  return text.length === 0 ? first : row[text.length - 1] === true;
}
