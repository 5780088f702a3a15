import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHeldRows } from '../../src/lists/query/source/held-rows.js';

it('never holds more rows than there is room for, and lets all of them go', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.option(fc.nat({ max: 60 }))), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (all) => {
      const rows = createHeldRows(100, 10);
      const holds = Array.from({ length: 5 }, () => rows.hold());
      for (const [at, count] of all) {
        const held = holds[at];
        if (count === null) held?.release();
        else if (count <= 10) held?.grow(count);
        else {
          try {
            held?.grow(count);
          } catch (error) {
            expect(error).toMatchObject({ code: 'too-busy' });
          }
        }
        expect(rows.count).toBeGreaterThanOrEqual(0);
        expect(rows.count).toBeLessThanOrEqual(100);
      }
      for (const held of holds) held.release();
      expect(rows.count).toBe(0);
    }),
  );
});
