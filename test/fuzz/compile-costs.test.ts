import { describe, expect, it } from 'vitest';
import { compileFilter, defaultLimits, FilterError, FilterLimitError, parse } from '../../src/index.js';
import {
  compilePattern,
  createShared,
  PatternError,
  PatternLimitError,
} from '../../src/language/values/pattern/index.js';
import { costlyFamilies, costlyText, plainFamilies, wideSchema } from './costly-text.js';
import { createRandom } from './random.js';

const seeds = Array.from({ length: 6 }, (_, at) => at + 1);

/** What compiling a text ends with. */
function outcomeOf(text: string, limits = {}): FilterError | null {
  try {
    compileFilter(text, { schema: wideSchema, limits });
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

const unlimited = { maxPatternLength: Infinity, maxPatternSize: Infinity };

/** The total charge of some patterns, including invalid ones. */
function chargeOf(patterns: readonly string[]): number {
  const shared = createShared();
  for (const pattern of patterns) {
    try {
      compilePattern(pattern, unlimited, shared);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
    }
  }
  return shared.account.spent;
}

/** The patterns of a text made to be dear. */
function patternsOf(seed: number, family: string): readonly string[] {
  const { text } = costlyText(createRandom(seed), family);
  return [...text.matchAll(/matches `([^`]*)`/g)].map(([, pattern = '']) => pattern).slice(0, 40);
}

const patternFamilies = costlyFamilies.filter((family) => family.startsWith('pattern'));

describe('the cost of compiling', () => {
  it.each(plainFamilies)('refuses no filter without patterns (%s)', (family) => {
    for (const seed of seeds) {
      const { text } = costlyText(createRandom(seed), family);
      const error = outcomeOf(text, { maxCompileSteps: 1 });
      expect(error?.code).not.toBe('too-many-compile-steps');
    }
  });

  it.each(patternFamilies)('is charged the same whatever was compiled before (%s)', (family) => {
    for (const seed of seeds) {
      const patterns = patternsOf(seed, family);
      const charge = chargeOf(patterns);
      // Patterns that were met twice are kept.
      chargeOf(patterns);
      expect(chargeOf(patterns)).toBe(charge);
    }
  });

  it.each(patternFamilies)('is what the limit bounds, to the step (%s)', (family) => {
    for (const seed of seeds) {
      const [pattern = 'a'] = patternsOf(seed, family);
      const charge = chargeOf([pattern]);
      const within = (steps: number) => () => {
        compilePattern(pattern, unlimited, createShared(steps));
      };
      expect(within(charge - 1)).toThrow(PatternLimitError);
      try {
        within(charge)();
      } catch (error) {
        expect(error).toBeInstanceOf(PatternError);
      }
    }
  });

  it('grows with the number of patterns and with their length', () => {
    const one = chargeOf(['(?i)[ā-ž]+x']);
    expect(chargeOf(['(?i)[ā-ž]+x', '(?i)[ā-ž]+y'])).toBe(2 * one);
    expect(chargeOf(['a'.repeat(400)])).toBeGreaterThan(3 * chargeOf(['a'.repeat(100)]));
  });

  it('is at most as much again as the limit when a text is refused', () => {
    // Costs known only afterwards are charged afterwards: a proof, a RegExp.
    const shared = createShared(defaultLimits.maxCompileSteps);
    const compile = (): void => {
      for (let at = 0; at < 10_000; at += 1)
        compilePattern(`(?i)[${String.fromCharCode(256 + at)}-\u{10ffff}]\\pL`, unlimited, shared);
    };
    expect(compile).toThrow(PatternLimitError);
    expect(shared.account.spent).toBeLessThan(2 * defaultLimits.maxCompileSteps);
  });

  it('names the match whose pattern takes most, wherever the limit is reached', () => {
    const cheap = Array.from({ length: 3 }, (_, at) => `s matches "^web-${at}"`).join(' or ');
    const dear = `s matches "${'(a|b)*c'.repeat(40)}"`;
    const text = `${cheap} or ${dear} or s matches "^db"`;
    const error = outcomeOf(text, { maxCompileSteps: chargeOf(['^web-0', '^web-1', '^web-2']) + 1_000 });
    expect(error).toBeInstanceOf(FilterLimitError);
    expect(error).toMatchObject({ code: 'too-many-compile-steps', label: 'this one takes most' });
    const start = text.indexOf(dear) + 's matches '.length;
    expect(error?.span).toEqual({ start, end: start + dear.length - 's matches '.length });
    expect(outcomeOf(text, { maxCompileSteps: Infinity })).toBeNull();
  });

  it('stops a text of nineteen hundred folded ranges, and none of two hundred patterns that people write', () => {
    const ranges = Array.from(
      { length: 1_900 },
      (_, at) => `s matches \`(?i)[${String.fromCharCode(256 + at)}-\u{10ffff}]\``,
    );
    expect(parse(ranges.join(' or ')).ast.kind).toBe('or');
    expect(outcomeOf(ranges.join(' or '))).toMatchObject({
      code: 'too-many-compile-steps',
      limit: 1_000_000,
    });
    const forms = [
      '^web-#[0-9]+$',
      '(?i)frontend-#',
      '^(a#|b|c)$',
      'web-.*End#',
      '^10\\.#\\.\\d{1,3}\\.\\d{1,3}$',
    ];
    const defaults = Array.from(
      { length: 200 },
      (_, at) => `s matches \`${(forms[at % forms.length] ?? '').replace('#', String(at))}\``,
    );
    expect(outcomeOf(defaults.join(' or '))).toBeNull();
  });
});
