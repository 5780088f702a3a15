import { expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { createTable, type Table } from '../../src/entries/table.js';

const open = () => {
  const table = createTable(defineSchema({ ID: t.string }), { key: 'ID' });
  table.put({ ID: '5' });
  return table;
};

it.each<[string, (table: Table<{ ID: string }>, key: never) => unknown]>([
  ['get', (table, key) => table.get(key)],
  ['delete', (table, key) => table.delete(key)],
  ['rows', (table, key) => table.rows(key)],
  ['get of a snapshot', (table, key) => table.snapshot().get(key)],
  ['get of a write', (table, key) => table.batch((rows) => rows.get(key))],
])('%s takes texts', (_, call) => {
  const table = open();
  for (const [key, described] of [
    [5, '5'],
    [null, 'null'],
    [{}, 'an object'],
  ] as const) {
    expect(() => call(table, key as never)).toThrow(
      new TypeError(`The key of a row must be a string, got ${described}`),
    );
  }
  expect(table.size).toBe(1);
});
