import { expect, it } from 'vitest';
import { columns } from '../../src/entries/columns.js';
import { arraySource, createList } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({
  ID: t.string,
  Owner: t.nullable(t.string),
  Ratio: t.float64,
  At: t.time,
  Size: t.bytes('MiB'),
  Version: t.nullable(t.version),
  Summary: t.nullable(t.struct({ Running: t.int, Secret: t.hidden(t.string) })),
});
const rows = Array.from({ length: 12 }, (_, at) => ({
  ID: `k${at}`,
  Owner: [null, '', 'ann'][at % 3] ?? null,
  Ratio: [0, -0, 0.5, Infinity][at % 4] ?? 0,
  At: at < 5 ? '2026-11-01T08:00:00Z' : '2026-11-01T09:00:00+01:00',
  Size: at % 2,
  Version: at < 11 ? null : '1.2.0',
  Summary: at < 4 ? null : { Running: at < 9 ? 2 : 0, Secret: 'x' },
}));
const counts = {
  Owner: [
    ['', 4],
    ['ann', 4],
  ],
  Ratio: [
    [0, 6],
    [0.5, 3],
    ['Infinity', 3],
  ],
  At: [
    ['2026-11-01T09:00:00+01:00', 7],
    ['2026-11-01T08:00:00Z', 5],
  ],
  Size: [
    [0n, 6],
    [1n, 6],
  ],
  Version: [['1.2.0', 1]],
  'Summary.Running': [
    [2n, 5],
    [0n, 3],
  ],
};

it('counts the values of nullable and nested fields of any scalar kind, without null', async () => {
  const table = createTable(schema, { key: 'ID', columns: columns('auto') });
  const indexed = createTable(schema, {
    key: 'ID',
    indexes: ['Owner', 'Summary.Running', 'Ratio', 'Version'],
  });
  for (const each of [table, indexed]) each.putAll(rows);
  const array = arraySource(schema, () => rows, { key: 'ID' });
  for (const list of [createList(array), createList(table), createList(indexed)]) {
    for (let again = 0; again < 3; again += 1) {
      const { total, facets } = await list.facets({}, Object.keys(counts));
      const found = Object.entries(facets).map(([name, { values, others }]) => {
        expect(others).toBe(0);
        return [name, values.map(({ value, count }) => [value, count])];
      });
      expect([total, Object.fromEntries(found)]).toEqual([12, counts]);
      const one = await list.facets({ filter: 'Size == 1 and Summary is not nil' }, ['Summary.Running']);
      expect(one.facets['Summary.Running']?.values).toEqual([
        { value: 0n, count: 2 },
        { value: 2n, count: 2 },
      ]);
    }
    for (const name of [
      'Summary',
      'Summary.Secret',
      'Summary.Nothing',
      'Summary.Running.x',
      '.',
      '__proto__',
    ])
      await expect(list.facets({}, [name])).rejects.toThrow('Unknown facet');
  }
});

it('counts fields that are named like members of every object, and ones that share a name', async () => {
  const fields = { ID: t.string, constructor: t.string, 'a.b': t.string, a: t.struct({ b: t.string }) };
  const odd = defineSchema(fields);
  const row = { ID: '1', constructor: 'x', 'a.b': 'top', a: { b: 'nested' } };
  const table = createTable(odd, { key: 'ID', indexes: ['a.b'] });
  table.put(row);
  for (const source of [table, arraySource(odd, () => [row], { key: 'ID' })]) {
    const list = createList(source as never);
    const { facets } = await list.facets({}, ['constructor', 'a.b', '["a.b"]']);
    expect(Object.entries(facets).map(([name, { values }]) => [name, values[0]?.value])).toEqual([
      ['constructor', 'x'],
      ['a.b', 'nested'],
      ['["a.b"]', 'top'],
    ]);
  }
});
