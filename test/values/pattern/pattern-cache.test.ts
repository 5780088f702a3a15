import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, FilterLimitError, t, type Limits } from '../../../src/index.js';

const schema = defineSchema({ ID: t.string });

let letters = 0;

/** Returns a character that no earlier pattern contains. All have the same cost, and no other case. */
function newLetter(): string {
  letters += 1;
  return String.fromCodePoint(0x4e00 + letters);
}

/** Returns the error of a filter with the letter left out of its message; null if the filter is valid. */
function errorOf(patterns: readonly string[], letter: string, limits: Partial<Limits>): unknown {
  const source = patterns.map((pattern) => `ID matches "${pattern.replaceAll('_', letter)}"`).join(' or ');
  try {
    compileFilter(source, { schema, limits, specialise: false });
    return null;
  } catch (error) {
    if (!(error instanceof FilterLimitError)) throw error;
    const { code, limit, span, message } = error;
    return { code, limit, span, message: message.replaceAll(letter, '_') };
  }
}

/** Compiles each pattern alone, often enough to be cached. */
function use(patterns: readonly string[], letter: string): void {
  for (let time = 0; time < 3; time += 1) for (const pattern of patterns) errorOf([pattern], letter, {});
}

describe('the cache of patterns', () => {
  it.each<[string, readonly string[]]>([
    ['a class and a count', ['[a-f]+_[0-9]{3}']],
    ['names of classes', ['(?i)\\\\p{Greek}+_', '\\\\p{L}+_', '(?i)\\\\p{Greek}+\\\\p{L}+[a-z]{9}_']],
    ['a costly proof', ['(_a*b*)*c', '(_|x[ab]*)+[a-d]{2,9}']],
    ['ignored case', ['[a-f]_+k{1,20}', '(?i)stra_e[0-9]+']],
  ])('does not change the error of a filter with %s', (_, patterns) => {
    const used = newLetter();
    use(patterns, used);
    const errors = new Set<string>();
    for (const maxPatternSize of [1, 5, 9, 14, 25, 60, 10_000]) {
      for (
        let maxCompileSteps = 1;
        maxCompileSteps < 500_000;
        maxCompileSteps = Math.ceil(maxCompileSteps * 1.15)
      ) {
        const limits = { maxPatternSize, maxCompileSteps };
        const error = errorOf(patterns, newLetter(), limits);
        expect(errorOf(patterns, used, limits), JSON.stringify(limits)).toEqual(error);
        if (error !== null) errors.add(JSON.stringify(error));
      }
    }
    expect(errors.size).toBeGreaterThan(2);
  });
});
