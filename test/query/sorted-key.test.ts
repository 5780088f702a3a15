import { expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';

it('a list of thousands sorted by its key serves a range of keys', async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => ({ ID: `k${at + 10_000}`, Size: at }));
  const table = createTable(defineSchema({ ID: t.string, Size: t.int }), { key: 'ID', sorts: ['ID'] });
  table.putAll(rows);
  const list = createList(table);
  for (const prefix of ['', 'k1']) {
    const { items } = await list.page({ filter: 'ID >= "k11000"', sort: 'ID', prefix, perPage: 2 });
    expect(items.map(({ ID }) => ID)).toEqual(['k11000', 'k11001']);
    const { items: last } = await list.page({ filter: 'ID < "k11000"', sort: '-ID', prefix, perPage: 2 });
    expect(last.map(({ ID }) => ID)).toEqual(['k10999', 'k10998']);
  }
});
