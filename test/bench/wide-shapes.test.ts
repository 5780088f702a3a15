import { describe, expect, it } from 'vitest';
import { createShapes } from '../../bench/cases/wide-shapes.js';
import { writeExpression } from '../../bench/competitors/tamis.js';
import { createWideSchema, drawWideNames, loadWideRows } from '../../bench/data/wide.js';
import * as engine from '../../src/index.js';

describe.each([3, 4])('the hundred shapes (seed %d)', (seed) => {
  const names = drawWideNames(seed);
  const shapes = createShapes(names);
  const rows = loadWideRows(names, 1000);
  const schema = createWideSchema(engine, names);

  it('differ', () => {
    const texts = shapes.map(({ condition }) => writeExpression(condition(0)));
    expect(new Set(texts).size).toBe(100);
  });

  it('find what is found by hand, and more than nothing', () => {
    for (const { name, condition, byHand } of shapes) {
      const found = [0, 3, 40].map((turn) => {
        const filter = engine.compileFilter<unknown>(writeExpression(condition(turn)), { schema });
        const selected = filter.select(rows);
        expect(selected, name).toEqual(byHand(rows, turn));
        return selected.length;
      });
      expect(Math.max(...found), name).toBeGreaterThan(0);
    }
  });
});
