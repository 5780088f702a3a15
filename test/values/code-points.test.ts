import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCodePoints, nextCodePoint, previousCodePoint } from '../../src/language/values/code-points.js';

const texts = fc.string({ unit: fc.constantFrom('a', 'é', '\u{1f600}', '\ud83d', '\ude00') });

describe('code points', () => {
  it('are counted as a text is walked', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(countCodePoints(text)).toBe([...text].length);
      }),
    );
  });

  it('are found forwards and backwards', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const ends = [...text].map((_, at, all) => all.slice(0, at + 1).join('').length);
        const starts = ends.map((_, at) => ends[at - 1] ?? 0);
        expect(starts.map((start) => nextCodePoint(text, start))).toEqual(ends);
        expect(ends.map((end) => previousCodePoint(text, end))).toEqual(starts);
      }),
    );
  });
});
