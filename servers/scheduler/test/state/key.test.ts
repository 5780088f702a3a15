import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKeys, sortByKey, type Key } from '../../src/state/key.js';

const unit = fc.constantFrom('a', 'b', '', '.', 'é', '\uffee', '\u{10000}', '\u{1f600}');
const keys = fc.array(
  fc.record({
    index: fc.oneof(fc.constantFrom(0, 1, 2), fc.bigInt({ min: 0n, max: 2n ** 63n })),
    text: fc.array(unit, { maxLength: 4 }).map((units) => units.join('')),
  }),
);

describe('keys', () => {
  it('are sorted as they are compared, whatever is in them', () => {
    fc.assert(
      fc.property(keys, (list: readonly Key[]) => {
        const expected = [...list].sort(compareKeys);
        const sorted = [...list];
        sortByKey(sorted);
        expect(sorted).toEqual(expected);
        sortByKey(sorted);
        expect(sorted).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('above the surrogates stand before those that need two units, as their bytes do', () => {
    const sorted = ['\u{10000}', '\uffee', 'z'].map((text) => ({ index: 0, text }));
    sortByKey(sorted);
    expect(sorted.map(({ text }) => text)).toEqual(['z', '\uffee', '\u{10000}']);
  });
});
