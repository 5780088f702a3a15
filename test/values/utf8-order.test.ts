import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytewise, textComparison } from '../../src/language/values/utf8-order.js';

describe('compareBytewise', () => {
  it.each([
    ['', '', 0],
    ['', 'a', -1],
    ['a', '', 1],
    ['B', 'a', -1],
    ['a', 'a-b', -1],
    ['a-b', 'ab', -1],
    ['a.b', 'a-b', 1],
    ['z', 'é', -1],
    ['字', '字', 0],
    ['\uff01', '\u{1f600}', -1],
    ['\u{1f600}', '\uffff', 1],
    ['\u{1f600}', '\u{1f601}', -1],
    ['\u{1f600}', '\u{10ffff}', -1],
    ['\ue000', '\ud7ff', 1],
    ['\ud7ff', '\u{10000}', -1],
    ['x\u{1f600}', 'x\u{1f600}a', -1],
  ])('%j against %j is %i', (a, b, expected) => {
    expect(Math.sign(compareBytewise(a, b))).toBe(expected);
    expect(Math.sign(compareBytewise(b, a))).toBe(expected === 0 ? 0 : -expected);
  });

  it('agrees with the bytes of any well-formed text', () => {
    // Few different characters, so that long shared beginnings are common.
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\u07ff', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'),
    });
    fc.assert(
      fc.property(
        fc.oneof(text, fc.string({ unit: 'binary' })),
        fc.oneof(text, fc.string({ unit: 'binary' })),
        (a, b) => {
          expect(Math.sign(compareBytewise(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is a total order of ill-formed texts too', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '\uff01') });
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        expect(compareBytewise(a, b) === 0).toBe(a === b);
        if (compareBytewise(a, b) <= 0 && compareBytewise(b, c) <= 0) {
          expect(compareBytewise(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});

describe('textComparison', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}') });

  it('finds a comparison of all texts that is bytewise', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), text, (texts, other) => {
        const compare = textComparison(texts);
        for (const a of texts) {
          for (const b of [...texts, other]) {
            expect(Math.sign(compare(a, b))).toBe(Math.sign(compareBytewise(a, b)));
            expect(Math.sign(compare(b, a))).toBe(Math.sign(compareBytewise(b, a)));
          }
        }
      }),
    );
  });

  it('is bytewise only where it must be', () => {
    expect(textComparison(['a', 'é', '字'])).not.toBe(compareBytewise);
    expect(textComparison(['a', '\uff01'])).toBe(compareBytewise);
    expect(textComparison(['a', '\u{1f600}'])).toBe(compareBytewise);
  });
});
