import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationText, lengthText, shortId } from '../../src/text/format.js';
import { beginningOf, visibleParts } from '../../src/text/visible-text.js';

const visible = (text: string, hasLines = false): string =>
  visibleParts(text, hasLines)
    .map((part) => (part.isInvisible ? `[${part.text}]` : part.text))
    .join('');

describe('text of others', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['safe\u202egnp.exe', 'safe[U+202E]gnp.exe'],
    ['\u2066a\u2069', '[U+2066]a[U+2069]'],
    ['zero\u200bwidth\ufeff', 'zero[U+200B]width[U+FEFF]'],
    ['line\nend\ttab\u0000', 'line[U+000A]end[U+0009]tab[U+0000]'],
    ['tag\u{e0041}', 'tag[U+E0041]'],
    ['half \ud800 letter', 'half [U+D800] letter'],
    ['naïve 名前 ❤️ 🙂', 'naïve 名前 ❤️ 🙂'],
  ])('%j is shown as %j', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it('keeps its lines where they are drawn', () => {
    expect(visible('a\nb\tc\u202e', true)).toBe('a\nb\tc[U+202E]');
  });

  it('loses nothing but what is not seen, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = visibleParts(text);
        const seen = parts.filter(({ isInvisible }) => !isInvisible).map((part) => part.text);
        expect(seen.join('')).not.toMatch(/[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2060-\u206f]/u);
        const signs = parts.filter(({ isInvisible }) => isInvisible);
        expect(seen.join('').length + signs.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('is cut between letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 20 }), (text, max) => {
        const cut = beginningOf(text, max);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, max - 1));
        expect(cut).not.toMatch(/[\ud800-\udbff]$/);
      }),
    );
  });
});

describe('numbers', () => {
  it.each([
    [999, '1s'],
    [61_000, '1m'],
    [7_200_000, '2h'],
    [90_000_000, '1d'],
    [-5, '0s'],
  ])('%i ms is %s', (milliseconds, expected) => {
    expect(lengthText(milliseconds)).toBe(expected);
  });

  it('formats durations of nanoseconds, and the first part of an ID', () => {
    expect([durationText(620_000), durationText(1_234_000_000)]).toEqual(['0.62 ms', '1.23 s']);
    expect(shortId('1a2b3c4d-0000-4000-8000-000000000001')).toBe('1a2b3c4d');
    expect(shortId('not-a-uuid')).toBe('not-a-uuid');
  });
});
