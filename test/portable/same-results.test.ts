import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileFilter, FilterCheckError, FilterError, parseSchema, type Filter } from '../../src/index.js';
import { isLevelOne } from '../../src/language/hints/level-one.js';
import { portable } from '../../src/entries/portable.js';
import { drawCase } from '../fuzz/results.js';
import { drawn } from '../support/drawn.js';
import { scaled } from '../support/property-runs.js';

/** The result of a filter, null if it fails. */
function resultOf(filter: Filter, row: unknown): boolean | null {
  try {
    return filter.test(row);
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

it('returns the same at level 0 if both return, and always if unresolved names are absent', () => {
  let compared = 0;
  fc.assert(
    fc.property(drawn(drawCase), ({ written: { text }, rows, isTyped, shape, fits, unresolved, now }) => {
      const ofRows = isTyped ? { schema: parseSchema(shape) } : {};
      const written = (() => {
        try {
          return portable(text, ofRows);
        } catch (error) {
          if (error instanceof FilterCheckError) return null;
          throw error;
        }
      })();
      if (written?.ok !== true) return;
      // Without a schema a literal that is not of the row's kind is an error of level 1, and coerced at level 0.
      const how = isTyped ? unresolved : 'error';
      const original = compileFilter(text, { ...ofRows, unresolved: how, now: () => now });
      const plain = compileFilter(written.text, { ...ofRows, unresolved: how, dialect: 'go-bexpr' });
      expect(portable(written.text, ofRows)).toEqual(written);
      if (!original.relaxations.some(({ kind }) => isLevelOne(kind))) return;
      for (const row of rows) {
        const expected = resultOf(original, row);
        const reported = resultOf(plain, row);
        if (expected === null || (reported === null && how === 'error') || !fits) continue;
        compared += 1;
        expect(reported, written.text).toBe(expected);
      }
    }),
    { numRuns: 1_500 },
  );
  expect(compared).toBeGreaterThan(scaled(20));
});
