import { expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { createStore, createTable, defineTable } from '../../src/entries/table.js';

const schema = defineSchema({ ID: t.string, Rank: t.int });
const row = (ID: string, Rank = 1): { readonly ID: string; readonly Rank: number } => ({ ID, Rank });

it('what is loaded takes the place of all that was there', () => {
  const store = createStore({ jobs: defineTable(schema, { key: 'ID' }) }, { firstIndex: 10 });
  store.write(({ jobs }) => jobs.putAll([row('a'), row('b')]));
  store.load({ jobs: [row('b', 2)] });
  const { tables, index, indexes } = store.snapshot();
  expect([...tables.jobs.rows()]).toEqual([row('b', 2)]);
  expect({ index, indexes }).toEqual({ index: 12, indexes: { jobs: 12 } });
  expect(store.changes.since(11)).toBe('gone');
});

it('a row that is changed and changed back in one write does not count as changed', () => {
  const table = createTable(schema, { key: 'ID', firstIndex: 10 });
  table.put(row('a'));
  const index = table.batch((rows) => {
    rows.put(row('a', 2));
    rows.delete('a');
    rows.put(row('a'));
    rows.put(row('b'));
    rows.delete('b');
  });
  expect(index).toBe(11);
  expect(table.changes.since(11)).toEqual([]);
});

it('changes are bounded, and a write above the bound is not reported row by row', () => {
  const table = createTable(schema, { key: 'ID', firstIndex: 10, retained: { changes: 2 } });
  const kinds: string[] = [];
  table.changes.subscribe(({ kind }) => kinds.push(kind));
  for (const ID of ['a', 'b', 'c']) table.put(row(ID));
  expect(table.changes.oldest()).toBe(11);
  expect(table.changes.since(10)).toBe('gone');
  expect(table.changes.since(11)).toMatchObject([{ index: 12 }, { index: 13 }]);
  table.putAll(['d', 'e', 'f'].map((ID) => row(ID)));
  expect(kinds).toEqual(['rows', 'rows', 'rows', 'reset']);
  expect(table.changes.since(13)).toBe('gone');
  expect(table.changes.since(14)).toEqual([]);
});
