import { expect, expectTypeOf, it } from 'vitest';
import { columns } from '../../src/entries/columns.js';
import { listEndpoint } from '../../src/entries/http.js';
import { arraySource, createList } from '../../src/entries/query.js';
import { createTable, type RowKey } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({ ID: t.int, Name: t.string, Priority: t.int });
const large = 2n ** 63n - 1n;
const keys: readonly (number | bigint)[] = [
  10,
  -5,
  9,
  large,
  -(2n ** 63n),
  0,
  9007199254740993n,
  9007199254740992n,
];
const inOrder = [-(2n ** 63n), -5, 0, 9, 10, 9007199254740992n, 9007199254740993n, large];
const rows = keys.map((ID, at) => ({ ID, Name: `n${at}`, Priority: at % 2 }));

const open = (options: object = {}) => {
  const table = createTable(schema, {
    key: 'ID',
    sorts: ['Priority', 'ID'],
    indexes: ['Name', 'ID'],
    ...options,
  });
  table.putAll(rows);
  return table;
};
const ids = (items: readonly { readonly ID: RowKey }[]): readonly RowKey[] => items.map(({ ID }) => ID);

it('finds, replaces and deletes rows by integers of 64 bits', () => {
  const table = open();
  expectTypeOf(table.get).parameter(0).toEqualTypeOf<number | bigint>();
  expectTypeOf(createTable(defineSchema({ ID: t.string }), { key: 'ID' }).get)
    .parameter(0)
    .toEqualTypeOf<string>();
  expect(ids([...table.rows()])).toEqual(inOrder);
  expect(table.get(9007199254740993n)?.Name).toBe('n6');
  expect(table.get(10)).toBe(table.get(10n));
  expect(table.get(-0)?.Name).toBe('n5');
  table.put({ ID: 10n, Name: 'other', Priority: 0 });
  expect(table.size).toBe(rows.length);
  expect(table.delete(large)).toBe(true);
  expect(table.snapshot().get(large)).toBeNull();
});

it('reports the exact keys of changes', () => {
  const table = open();
  const found: RowKey[] = [];
  table.changes.subscribe(({ changes }) => found.push(...changes.map(({ key }) => key)));
  table.delete(9007199254740993n);
  table.put({ ID: 7n, Name: 'x', Priority: 1 });
  expect(found).toEqual([9007199254740993n, 7]);
});

it.each([['ID'], ['-ID'], ['Priority'], ['-Priority,ID'], [undefined]])(
  'leads through the pages of tables and arrays sorted by %s',
  async (sort) => {
    const expected = [...(await createList(open()).page({ sort })).items];
    if (sort === 'ID' || sort === undefined) expect(ids(expected)).toEqual(inOrder);
    const array = arraySource(schema, () => rows, { key: 'ID', sorts: ['Priority', 'ID'] });
    const table = open({ sorts: ['Priority', 'ID'], columns: columns('auto') });
    for (const list of [createList(array), createList(table)]) {
      for (const perPage of [1, 2, 3, 7]) {
        const found: RowKey[] = [];
        for (let nextToken: string | null = null; ;) {
          const page: { items: readonly { ID: RowKey }[]; nextToken: string | null } = await list.page({
            ...{ sort, perPage, nextToken },
          });
          found.push(...ids(page.items));
          nextToken = page.nextToken;
          if (nextToken === null) break;
        }
        expect(found).toEqual(ids((await list.page({ sort })).items));
      }
    }
  },
);

it.each(['ID > 9', 'ID <= 9007199254740992', 'ID == 9007199254740993', 'ID in [0, 9, 11]', 'ID < "-4"'])(
  'finds the rows of %s as a scan does',
  async (filter) => {
    const array = createList(arraySource(schema, () => rows, { key: 'ID' }));
    for (const prefixed of [{}, { sort: 'ID' }])
      expect(ids((await createList(open()).page({ filter, ...prefixed })).items)).toEqual(
        ids((await array.page({ filter })).items),
      );
  },
);

it('reports changed rows to watchers', async () => {
  const table = open();
  const stop = new AbortController();
  const changes = createList(table).watch({ filter: 'ID > 9007199254740992', sort: 'ID' }, stop.signal);
  const seen: unknown[] = [];
  for await (const each of changes) {
    if (each.kind === 'changes') {
      seen.push(ids(each.left), ids(each.entered), ids(each.changed));
      break;
    }
    table.batch((rowsOf) => {
      rowsOf.delete(large);
      rowsOf.put({ ID: large - 1n, Name: 'new', Priority: 0 });
      rowsOf.put({ ID: 9007199254740993n, Name: 'changed', Priority: 0 });
    });
  }
  stop.abort();
  expect(seen).toEqual([[large], [large - 1n], [9007199254740993n]]);
});

it('writes all digits over HTTP', async () => {
  const endpoint = listEndpoint(open());
  const get = (query: string) => endpoint.fetch(new Request(`http://list.example/?${query}`));
  const first = await get('sort=-ID&per_page=1');
  expect(await first.text()).toContain('"ID":9223372036854775807');
  const next = await get(`sort=-ID&per_page=1&next_token=${String(first.headers.get('X-Next-Token'))}`);
  expect(await next.text()).toContain('"ID":9007199254740993');
  const refused = await get('prefix=9');
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('`prefix` is for string keys'),
  ]);
});

it('refuses rows of an array whose key is not an integer', async () => {
  for (const ID of ['5', 1.5, 2 ** 53, null, undefined]) {
    const array = arraySource(schema, () => [{ ID, Name: '', Priority: 0 }] as never, { key: 'ID' });
    await expect(createList(array).page({})).rejects.toThrow(
      'The key of a row must be an integer of 64 bits',
    );
  }
});

it('refuses what is not such a key, and changes nothing', () => {
  const table = open();
  for (const key of ['10', 1.5, NaN, 2 ** 53, 2n ** 64n, 10n ** 400n, null, undefined, {}] as never[]) {
    expect(() => table.get(key)).toThrow('The key of a row must be an integer of 64 bits');
    expect(() => table.delete(key)).toThrow(TypeError);
  }
  expect(() => table.put({ ID: 2n ** 64n, Name: '', Priority: 0 })).toThrow('ID must be an int');
  expect(() => [...table.rows('1')]).toThrow('prefix is for string keys');
  expect(ids([...table.rows()])).toEqual(inOrder);
  for (const [key, message] of [
    [['ID', 'Name'], 'key must be one field or a function, got an array'],
    ['Ratio', 'key must be a string or integer field; Ratio is a float64'],
    ['Maybe', 'key must be a string or integer field; Maybe is a nullable int'],
    ['Size', 'key must be a string or integer field; Size is a bytes in MiB'],
    ['In.ID', 'key must be a field of the row itself'],
  ] as const) {
    const other = defineSchema({
      ...{ ID: t.int, Name: t.string, Ratio: t.float64, Maybe: t.nullable(t.int), Size: t.bytes('MiB') },
      In: t.struct({ ID: t.int }),
    });
    expect(() => createTable(other, { key: key as never })).toThrow(message);
  }
});

it('accepts safe integers as keys', async () => {
  const safe = defineSchema({ ID: t.int({ safe: true }), Name: t.string });
  const table = createTable(safe, { key: 'ID' });
  table.putAll([
    { ID: 10, Name: 'b' },
    { ID: 9, Name: 'a' },
  ]);
  expectTypeOf(table.get).parameter(0).toEqualTypeOf<number>();
  expect(table.get(9)).toEqual({ ID: 9, Name: 'a' });
  const source = arraySource(safe, () => [...table.rows()], { key: 'ID' });
  for (const each of [table, source])
    expect(ids((await createList(each as never).page({})).items as never)).toEqual([9, 10]);
});
