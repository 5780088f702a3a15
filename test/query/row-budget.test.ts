import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRowBudget } from '../../src/lists/query/source/row-budget.js';

it('never holds more rows than there is room for, and lets all of them go', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.option(fc.nat({ max: 60 }))), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (all) => {
      const rows = createRowBudget(100, 10);
      const matches = Array.from({ length: 5 }, () => rows.reserve());
      for (const [at, count] of all) {
        const reserved = matches[at];
        if (count === null) reserved?.release();
        else if (count <= 10) reserved?.grow(count);
        else {
          try {
            reserved?.grow(count);
          } catch (error) {
            expect(error).toMatchObject({ code: 'too-busy' });
          }
        }
        expect(rows.count).toBeGreaterThanOrEqual(0);
        expect(rows.count).toBeLessThanOrEqual(100);
      }
      for (const reserved of matches) reserved.release();
      expect(rows.count).toBe(0);
    }),
  );
});
