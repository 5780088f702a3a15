import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowHeight, scrollFor, stretchFor } from '../src/view/row-window.js';

describe('the window of a list', () => {
  const total = fc.nat(500_000);
  const height = fc.integer({ min: 1, max: 3_000 });

  it('has every row that is seen, and few others', () => {
    fc.assert(
      fc.property(total, height, fc.nat(13_000_000), (rows, seen, wish) => {
        const top = Math.min(wish, Math.max(0, rows * rowHeight - seen));
        const { from, count } = stretchFor(top, seen, rows);
        expect(from).toBeLessThanOrEqual(Math.floor(top / rowHeight));
        expect(from + count).toBeGreaterThanOrEqual(Math.min(rows, Math.ceil((top + seen) / rowHeight)));
        expect(count).toBeLessThanOrEqual(Math.ceil(seen / rowHeight) + 50);
      }),
    );
  });

  it('scrolls to a row that is not seen, and stays where it is', () => {
    expect(scrollFor(0, 500, 260)).toBe(0);
    expect(scrollFor(25, 500, 260)).toBe(500);
    expect(scrollFor(100, 500, 260)).toBe(101 * rowHeight - 260);
  });
});
