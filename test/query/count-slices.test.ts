import { expect, it } from 'vitest';
import { defineSchema, t, type RowOf } from '../../src/index.js';
import type { TimeSlicer, WorkStep } from '../../src/runtime/time-slicer.js';
import { countRows } from '../../src/lists/query/result/counted-rows.js';
import {
  createFilterCache,
  defaultFilterCacheLimits,
  facetFields,
  readFacets,
} from '../../src/entries/query.js';
import { parseQuery } from '../../src/lists/query/request/query.js';
import type { ListView } from '../../src/lists/query/source/row-source.js';
import { sourceOfTable } from '../../src/lists/query/source/table-source.js';
import { createTable } from '../../src/entries/table.js';

const schema = defineSchema({ ID: t.string, Even: t.bool });
type Row = RowOf<typeof schema> & object;
const size = 4_096;
const table = createTable(schema, { key: 'ID' });
table.putAll(
  Array.from({ length: size }, (_, at) => ({ ID: String(at).padStart(4, '0'), Even: at % 2 === 0 })),
);

/** Slices of one step each: every look at the clock finds that it is over. */
function shortSlices(): { readonly slices: TimeSlicer; readonly count: () => number } {
  let count = 0;
  const run = (step: WorkStep): null => {
    do count += 1;
    while (!step(() => true));
    return null;
  };
  return { slices: { run } as unknown as TimeSlicer, count: () => count };
}

// A row with long strings takes long, which is not known in advance.
it.each([{ fields: [] }, { fields: ['Even'] }])(
  'evaluates few rows in each slice of a count: $fields',
  async ({ fields }) => {
    const source = sourceOfTable<Row>(table);
    if (source === null) throw new Error('no source');
    const filters = createFilterCache({ schema, indexes: source.filterIndexes }, defaultFilterCacheLimits);
    const query = parseQuery('test', { filter: 'Even == true' }, source.sorts, filters, source.schema);
    const view = source.view(query, null as never) as ListView<Row>;
    const { slices, count } = shortSlices();
    const expected = readFacets(fields, facetFields<Row>(schema));
    const { total } = await countRows({ view, query, slices }, expected, null);
    expect(total).toBe(size / 2);
    expect(count()).toBeGreaterThanOrEqual(size / 16);
  },
);
