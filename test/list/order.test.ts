import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { list } from '../../src/lists/list/list.js';
import { compareKeys, keyOf, type Key } from '../../src/lists/list/order.js';

const unit = fc.constantFrom('a', 'b', '', '.', 'é', '\uffee', '\u{10000}', '\u{1f600}');
const keys = fc.array(
  fc.record({
    index: fc.oneof(fc.constantFrom(0, 1, 2), fc.bigInt({ min: 0n, max: 2n ** 63n })),
    text: fc.array(unit, { maxLength: 4 }).map((units) => units.join('')),
  }),
);
const order = { index: ({ index }: Key) => index, text: ({ text }: Key) => text };

describe('keys', () => {
  it('are compared as lists are sorted, whatever is in them', () => {
    fc.assert(
      fc.property(keys, (rows: readonly Key[]) => {
        const expected = [...rows].sort((a, b) => compareKeys(keyOf(order, a), keyOf(order, b)));
        const sorted = list(rows, { order }).items;
        expect(sorted).toEqual(expected);
        expect(list(sorted, { order }).items).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('above the surrogates sort before those that need two units, as their bytes do', () => {
    const rows = ['\u{10000}', '\uffee', 'z'].map((text) => ({ index: 0, text }));
    expect(list(rows, { order }).items.map(({ text }) => text)).toEqual(['z', '\uffee', '\u{10000}']);
  });
});
