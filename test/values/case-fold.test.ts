import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalsFolded, foldText, hasFoldedAt } from '../../src/language/values/case-fold.js';
import { compilePattern } from '../../src/language/values/pattern/index.js';

const limits = { maxPatternLength: Infinity, maxPatternSize: Infinity };
const letters = fc.constantFrom(
  ...['a', 'A', 'k', 'K', '\u212a', 's', 'S', '\u017f', 'ß', 'ẞ', 'ss', 'i', 'I', 'ı', 'İ', 'é', 'É'],
  ...['σ', 'ς', 'Σ', '\u{10400}', '\u{10428}', 'Ꭰ', 'ꭰ', '1', '-', '\u{1f600}'],
);

describe('folding', () => {
  it.each([
    ['web', 'WEB', true],
    ['Kilo', '\u212aILO', true],
    ['\u017fet', 'SET', true],
    ['ß', 'ẞ', true],
    ['ß', 'ss', false],
    ['ı', 'i', false],
    ['İ', 'i', false],
    ['ς', 'Σ', true],
    ['\u{10400}x', '\u{10428}X', true],
    ['a', 'aa', false],
    ['{', '[', false],
    ['@', '`', false],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(equalsFolded(a, foldText(b))).toBe(expected);
    expect(equalsFolded(b, foldText(a))).toBe(expected);
    expect(foldText(a) === foldText(b)).toBe(expected);
  });

  it('is that of patterns', () => {
    const text = fc.array(letters, { maxLength: 4 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const { test } = compilePattern(`^(?i:${b})$`, limits);
        expect(equalsFolded(a, foldText(b))).toBe(test(a));
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps the number of units', () => {
    const changed: string[] = [];
    for (let code = 0; code <= 0x1ffff; code += 1) {
      const text = String.fromCodePoint(code);
      if (foldText(text).length !== text.length) changed.push(text);
    }
    expect(changed).toEqual([]);
  });

  it.each([
    ['xweb-1', 'WEB', 1, true],
    ['xwéb-1', 'WÉB', 1, true],
    ['xwéb-1', 'WEB', 1, false],
    ['x\u{10428}', '\u{10400}', 1, true],
  ])('%j has %j at %i: %s', (text, folded, at, expected) => {
    expect(hasFoldedAt(text, foldText(folded), at)).toBe(expected);
  });
});
