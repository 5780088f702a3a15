import { expect, it } from 'vitest';
import { defineSchema, t, type RowOf } from '../../src/index.js';
import type { Slices, WorkStep } from '../../src/pace/slices.js';
import { countRows } from '../../src/query/counted-rows.js';
import {
  createFilterCache,
  defaultFilterCacheLimits,
  facetFields,
  readFacets,
} from '../../src/query/index.js';
import { readQuestion } from '../../src/query/query.js';
import type { ListView } from '../../src/query/row-source.js';
import { sourceOfTable } from '../../src/query/table-source.js';
import { createTable } from '../../src/table/index.js';

const schema = defineSchema({ ID: t.string, Even: t.bool });
type Row = RowOf<typeof schema> & object;
const size = 4_096;
const table = createTable(schema, { key: 'ID' });
table.putAll(
  Array.from({ length: size }, (_, at) => ({ ID: String(at).padStart(4, '0'), Even: at % 2 === 0 })),
);

/** Slices of one step each: every look at the clock finds that it is over. */
function shortSlices(): { readonly slices: Slices; readonly count: () => number } {
  let count = 0;
  const run = (step: WorkStep): null => {
    do count += 1;
    while (!step(() => true));
    return null;
  };
  return { slices: { run } as unknown as Slices, count: () => count };
}

// A row with long texts takes long, and nobody knows before.
it.each([{ fields: [] }, { fields: ['Even'] }])(
  'asks few rows in each slice of a count: $fields',
  async ({ fields }) => {
    const source = sourceOfTable<Row>(table);
    if (source === null) throw new Error('no source');
    const filters = createFilterCache({ schema, indexes: source.filterIndexes }, defaultFilterCacheLimits);
    const question = readQuestion('test', { filter: 'Even == true' }, source.sorts, filters);
    const view = source.view(question, null as never) as ListView<Row>;
    const { slices, count } = shortSlices();
    const wanted = readFacets(fields, facetFields<Row>(schema));
    const { total } = await countRows({ view, question, slices }, wanted, null);
    expect(total).toBe(size / 2);
    expect(count()).toBeGreaterThanOrEqual(size / 16);
  },
);
