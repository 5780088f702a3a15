import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createList } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';
import { scaled } from '../support/property-runs.js';

const schema = defineSchema({ ID: t.string, Rank: t.int, At: t.nullable(t.float64) });
const integer = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(2 ** 53 - 1, 1 - 2 ** 53, 2n ** 62n, -(2n ** 62n), 2n, 0),
);
const rows = fc.array(
  fc.record({ Rank: integer, At: fc.option(fc.constantFrom(-0.5, 0, 1.25, 2 ** 60, 3)) }),
  { maxLength: 30 },
);

describe('the order of a table by a number', () => {
  it('is the same for rows loaded at once and for rows put one by one', async () => {
    const property = fc.asyncProperty(rows, fc.constantFrom('Rank', 'At'), async (drawn, sort) => {
      const all = drawn.map((row, at) => ({ ID: `row-${(at * 7) % 31}`, ...row }));
      const [loaded, grown] = [0, 1].map(() => createTable(schema, { key: 'ID', sorts: ['Rank', 'At'] }));
      loaded?.putAll(all);
      for (const row of all) grown?.put(row);
      const itemsOf = async (table: typeof loaded) =>
        table === undefined ? null : (await createList(table).page({ sort })).items;
      expect(await itemsOf(loaded)).toEqual(await itemsOf(grown));
    });
    await fc.assert(property, { numRuns: scaled(200) });
  });
});
