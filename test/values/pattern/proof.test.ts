import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alphabetOf } from '../../../src/language/values/pattern/alphabet.js';
import { isAnchored } from '../../../src/language/values/pattern/node.js';
import { parsePattern } from '../../../src/language/values/pattern/parser.js';
import { positionsOf } from '../../../src/language/values/pattern/glushkov.js';
import { prove } from '../../../src/language/values/pattern/proof.js';
import { simplify } from '../../../src/language/values/pattern/simplify.js';
import { countSteps } from './backtracker.js';
import { generatePattern, randomOf } from './generate.js';
import { scaled } from '../../support/property-runs.js';

const proofOf = (source: string): ReturnType<typeof prove> => prove(simplify(parsePattern(source).node));

describe('the proof', () => {
  it.each([
    ['^web-[0-9]+$', { kind: 'linear', cost: 3 }],
    ['web-[0-9]', { kind: 'linear', cost: 4 }],
    ['^(a|b)*c', { kind: 'linear', cost: 3 }],
    ['^(a+)+$', { kind: 'linear', cost: 3 }],
    ['^(a*b*)*$', { kind: 'linear', cost: 3 }],
    ['^(\\w+-)+\\d+$', { kind: 'linear', cost: 6 }],
    ['-[0-9]+$', { kind: 'linear', cost: 5 }],
    ['a.{4}b', { kind: 'linear', cost: 12 }],
    // Attempts pile up, one more for each character
    ['a[ab]*c', { kind: 'quadratic', cost: 3 }],
    ['web-.*-prod', { kind: 'quadratic', cost: 5 }],
    ['-[a-z-]+$', { kind: 'quadratic', cost: 3 }],
    ['.{90}x', { kind: 'quadratic', cost: 2 }],
    // One attempt alone is polynomial or exponential
    ['^a*a*b', { kind: 'none' }],
    ['^.*a.*b.*c$', { kind: 'none' }],
    ['^(a|a?b)*(ab)*c', { kind: 'none' }],
    ['^(a|aa)+$', { kind: 'none' }],
    ['^(ab|a|b)*c', { kind: 'none' }],
    ['^([a-c]x?|[b-d])*y', { kind: 'none' }],
    ['^(a?){40}a{40}$', { kind: 'none' }],
    // Beyond the bounds, and loops that may read nothing
    ['^(a{1000}b)?c$', { kind: 'none' }],
    ['^(\\ba?)*$', { kind: 'none' }],
    ['^(a?|\\B){2,3}b$', { kind: 'none' }],
  ])('%s: %j', (source, expected) => {
    expect(proofOf(source)).toEqual(expected);
  });

  it.each(['[ab]?'.repeat(100), '(a|b|c|d|e|f)?'.repeat(60), '([ab]*x?[bc]*y?)z'.repeat(30)])(
    'gives up on %#',
    (source) => {
      expect(proofOf(`^(?:${source})$`)).toEqual({ kind: 'none' });
      expect(proofOf(`y${source}$`)).toEqual({ kind: 'none' });
    },
  );
});

describe('the bound, on a backtracker that explores everything', () => {
  it('holds for any text over the letters of the pattern', () => {
    let proven = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomOf(seed);
        const node = simplify(parsePattern(generatePattern(random, 4)).node);
        const proof = prove(node);
        if (proof.kind === 'none') return;
        proven += 1;
        // Texts that lead attempts on: few letters, much repeated.
        const { samples } = alphabetOf(positionsOf(node)?.sets ?? []);
        const letters = samples.map((code) => String.fromCodePoint(code));
        for (let i = 0; i < 4; i += 1) {
          const word = Array.from(
            { length: 1 + Math.floor(random() * 4) },
            () => letters[Math.floor(random() * letters.length)],
          );
          const text = [...word.join('').repeat(1 + Math.floor(random() * 8))];
          const positions = text.length + 1;
          const bound =
            proof.kind === 'linear' ? proof.cost * positions : (proof.cost * positions * (positions + 1)) / 2;
          expect(countSteps(node, text, isAnchored(node)), text.join('')).toBeLessThanOrEqual(bound);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(proven).toBeGreaterThan(scaled(200));
  });

  it.each([
    ['^(a|aa)+$', 'a', 20, 10_000],
    ['^a*a*b', 'a', 40, 800],
    ['^(ab|a|b)*c', 'ab', 10, 1_000],
    ['a[ab]*c', 'a', 60, 1_800],
  ])('would be broken by %s, which the proof refuses', (source, word, times, steps) => {
    const node = simplify(parsePattern(source).node);
    expect(prove(node).kind).not.toBe('linear');
    expect(countSteps(node, [...word.repeat(times)], isAnchored(node))).toBeGreaterThan(steps);
  });
});
