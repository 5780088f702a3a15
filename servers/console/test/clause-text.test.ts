import fc from 'fast-check';
import { compileFilter } from 'tamis';
import { expect, it } from 'vitest';
import { clauseText } from '../src/detail/clause-text.js';

const wellFormed = fc.string({ unit: 'binary' }).filter((text) => !/\p{Cs}/u.test(text));

it('is a filter that finds the very value, whatever the key and the value hold', () => {
  fc.assert(
    fc.property(wellFormed, wellFormed, (key, value) => {
      const filter = compileFilter(clauseText(['Meta', key], value));
      expect(filter.test({ Meta: { [key]: value } })).toBe(true);
      expect(filter.test({ Meta: { [key]: `${value}x` } })).toBe(false);
    }),
  );
});
