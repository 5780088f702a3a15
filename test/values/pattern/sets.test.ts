import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alphabetOf, distinctSets } from '../../../src/language/values/pattern/alphabet.js';
import {
  type CodeSet,
  complement,
  contains,
  maxCodePoint,
  normalize,
  rangesOf,
  union,
} from '../../../src/language/values/pattern/code-set.js';
import { foldSet } from '../../../src/language/values/pattern/fold.js';
import { unicodeClass } from '../../../src/language/values/pattern/unicode-class.js';

const code = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: maxCodePoint }));
const ranges = fc.array(
  fc.tuple(code, code).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
  { maxLength: 12 },
);
const isIn = (all: readonly (readonly [number, number])[], value: number): boolean =>
  all.some(([low, high]) => low <= value && value <= high);

describe('code sets', () => {
  it('hold what their ranges hold, in one form', () => {
    fc.assert(
      fc.property(ranges, code, (all, value) => {
        const set = normalize(all);
        expect(contains(set, value)).toBe(isIn(all, value));
        for (let i = 1; i < set.length - 1; i += 2) expect(set[i + 1]!).toBeGreaterThan(set[i]! + 1);
        expect(normalize([...all].reverse())).toEqual(set);
      }),
    );
  });

  it('have complements and unions', () => {
    fc.assert(
      fc.property(ranges, ranges, ranges, code, (a, b, c, value) => {
        const set = normalize(a);
        expect(contains(complement(set), value)).toBe(!contains(set, value));
        expect(complement(complement(set))).toEqual(set);
        expect(union([set, normalize(b), normalize(c)])).toEqual(normalize([...a, ...b, ...c]));
      }),
    );
  });
});

describe('alphabets', () => {
  it('assign one letter to code points that the sets do not distinguish', () => {
    fc.assert(
      fc.property(fc.array(ranges, { maxLength: 4 }), code, code, (all, one, other) => {
        const sets = all.map(normalize);
        const alphabet = alphabetOf(sets);
        const signature = (value: number): string => sets.map((set) => Number(contains(set, value))).join('');
        expect(alphabet.letterOf(one) === alphabet.letterOf(other)).toBe(signature(one) === signature(other));
        expect(signature(alphabet.samples[alphabet.letterOf(one)]!)).toBe(signature(one));
        expect(alphabet.samples).toHaveLength(alphabet.size);
        if (one < 128) expect(alphabet.ascii[one]).toBe(alphabet.letterOf(one));
      }),
    );
  });

  it('know equal sets', () => {
    const a: CodeSet = [1, 5, 9, 12];
    expect(distinctSets([a, [1, 5, 9, 12], a, [1, 6, 9, 12]])).toEqual([
      [1, 5, 9, 12],
      [1, 6, 9, 12],
    ]);
  });
});

describe('case folding', () => {
  const folded = (text: string): string => {
    const code = text.codePointAt(0)!;
    const set = foldSet(text === '1_' ? [0x31, 0x31, 0x5f, 0x5f] : [code, code]);
    return [...rangesOf(set)]
      .flatMap(([low, high]) =>
        Array.from({ length: high - low + 1 }, (_, i) => String.fromCodePoint(low + i)),
      )
      .join('');
  };

  it.each([
    ['a', 'Aa'],
    ['k', 'Kk\u212a'],
    ['\u212a', 'Kk\u212a'],
    ['S', 'Ssſ'],
    ['1_', '1_'],
    ['ß', 'ßẞ'],
    ['σ', 'Σςσ'],
    ['ρ', 'Ρρϱ'],
    ['ι', 'ͅΙι\u1fbe'],
    ['ω', 'Ωω\u2126'],
    ['å', 'Åå\u212b'],
    ['µ', 'µΜμ'],
    ['ǆ', 'Ǆǅǆ'],
    ['İ', 'İ'],
    ['ı', 'ı'],
    ['ﬀ', 'ﬀ'],
    ['ŉ', 'ŉ'],
    ['ᾳ', 'ᾳᾼ'],
    ['ა', 'ა\u1c90'],
    ['\u13b0', '\u13b0\uab80'],
    ['в', 'Вв\u1c80'],
    ['\u{10400}', '\u{10400}\u{10428}'],
    ['\u{1e900}', '\u{1e900}\u{1e922}'],
    // Folded since Unicode 15.1, not in Go 1.19
    ['\u0390', '\u0390'],
    ['\ufb05', '\ufb05'],
    ['中', '中'],
  ])('%s folds to %s', (text, expected) => {
    expect(folded(text)).toBe(expected);
  });

  it('folds ranges whole', () => {
    expect(foldSet([0x61, 0x7a])).toEqual([0x41, 0x5a, 0x61, 0x7a, 0x17f, 0x17f, 0x212a, 0x212a]);
    expect(foldSet([0x5b, 0x60])).toEqual([0x5b, 0x60]);
    expect(foldSet([0, maxCodePoint])).toEqual([0, maxCodePoint]);
    expect(foldSet([])).toEqual([]);
    expect(contains(foldSet([0x3b1, 0x3c9]), 0x3a9)).toBe(true);
    expect(contains(foldSet([0x3b1, 0x3c9]), 0x386)).toBe(false);
  });
});

describe('Unicode classes', () => {
  it.each([
    ['L', 'aé中😀\u{20000}', 'aé中\u{20000}'],
    ['Lu', 'aAΑ', 'AΑ'],
    ['Nd', '1٣½', '1٣'],
    ['N', '1٣½', '1٣½'],
    ['Greek', 'aα', 'α'],
    ['Han', '中あ\u{2a6dd}', '中\u{2a6dd}'],
    ['Hangul', '한中', '한'],
    ['Tangut', '\u{17000}中', '\u{17000}'],
    ['Zs', ' \u00a0\t', ' \u00a0'],
    ['Co', '\ue000\u{f0000}\u{10fffd}a', '\ue000\u{f0000}\u{10fffd}'],
    ['Cs', '\ud800a', '\ud800'],
    ['Cf', '\u00ad\u{e0001}a', '\u00ad\u{e0001}'],
    ['C', '\u0000\u00ad\ue000\ud800\u0378\u{10ffff}', '\u0000\u00ad\ue000\ud800'],
    ['So', '😀a', '😀'],
    ['Inherited', '\u0300\u{e0100}', '\u0300\u{e0100}'],
    ['Any', '\u0378\u{10ffff}', '\u0378\u{10ffff}'],
  ])('%s of %j is %j', (name, text, members) => {
    const set = unicodeClass(name) ?? [];
    expect([...text].filter((c) => contains(set, c.codePointAt(0)!)).join('')).toBe(members);
  });

  it.each(['', 'X', 'l', 'greek', 'Grek', 'Latn', 'Emoji', 'Alphabetic', 'Cn', 'LC', 'Vithkuqi', 'any'])(
    'does not know %j',
    (name) => {
      expect(unicodeClass(name)).toBeNull();
    },
  );

  it('finds the same sets as testing each code point at run time', () => {
    for (const [name, native] of [
      ['Lu', /^\p{Lu}$/u],
      ['Latin', /^\p{Script=Latin}$/u],
      ['P', /^\p{P}$/u],
    ] as const) {
      const set = unicodeClass(name) ?? [];
      const wrong: string[] = [];
      for (let value = 0; value <= 0x1ffff; value += 1) {
        if (contains(set, value) !== native.test(String.fromCodePoint(value)))
          wrong.push(`U+${value.toString(16)}`);
      }
      expect(wrong, name).toEqual([]);
    }
  });
});
