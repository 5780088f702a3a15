import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringKey } from '../../src/lists/table/key.js';
import { mergeRows } from '../../src/lists/table/merge-rows.js';
import { createSequentialLookup, sortRows, scanRows, fullRange } from '../../src/lists/table/sorted-rows.js';

interface Item {
  readonly text: string;
}

const order = { text: (item: Item) => item.text };
const texts = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', '😀', '.'), maxLength: 3 }), {
  maxLength: 40,
});

describe('mergeRows', () => {
  it('gives every row of several stretches once, in order', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.array(fc.nat(), { maxLength: 20 })),
        fc.boolean(),
        (all, picks, reverse) => {
          const items = all.map((text) => ({ text }));
          const ranges = picks.map((pick) => {
            const chosen = new Set(pick.flatMap((at) => items[at % Math.max(1, items.length)] ?? []));
            return sortRows(order, [...chosen]);
          });
          const merged = mergeRows(
            order,
            ranges.map((rows) => scanRows(rows, fullRange, reverse)),
            reverse,
          );
          const whole = new Set(ranges.flatMap((rows) => rows.chunks.flat()));
          const expected = [...scanRows(sortRows(order, [...whole]), fullRange, reverse)];
          expect([...merged]).toEqual(expected);
        },
      ),
    );
  });
});

describe('createFinder', () => {
  it('finds what is there, near to the last or anywhere', () => {
    const all = Array.from({ length: 2_000 }, (_, at) => ({ text: String(at * 2).padStart(5, '0') }));
    const rows = sortRows(order, all);
    const requests = fc.array(
      fc.tuple(fc.nat({ max: 4_100 }), fc.constantFrom(-2, 2, 1), fc.nat({ max: 900 })),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(requests, (walks) => {
        const find = createSequentialLookup(rows);
        for (const [start, step, count] of walks) {
          for (let left = count, at = start; left > 0; left -= 1, at += step) {
            const expected = at % 2 === 0 ? all[at / 2] : undefined;
            expect(find(stringKey(String(at).padStart(5, '0')))).toBe(expected);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does not search for neighbours', () => {
    let looks = 0;
    const counted = {
      text: (item: Item) => {
        looks += 1;
        return item.text;
      },
    };
    const all = Array.from({ length: 5_000 }, (_, at) => ({ text: String(at).padStart(5, '0') }));
    for (const each of [all, all.toReversed()]) {
      const find = createSequentialLookup(sortRows(counted, all));
      looks = 0;
      for (const { text } of each) find(stringKey(text));
      expect(looks).toBeLessThan(11_000);
    }
    expect(createSequentialLookup(sortRows(order, []))(stringKey('a'))).toBeUndefined();
  });
});
