import { describe, expect, it } from 'vitest';
import { arraySource, createList, QueryError } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, list, ListError, ListQueryError, parse, t } from '../../src/index.js';

const schema = defineSchema({ ID: t.string, N: t.int });
const table = createTable(schema, { key: 'ID', sorts: ['N'] });
table.put({ ID: 'a', N: 1 });
const lists = {
  'a table': createList(table),
  'an array': createList(arraySource(schema, () => [{ ID: 'a', N: 1 }], { key: 'ID', sorts: ['N'] })),
};

describe.each(Object.entries(lists))('a list of %s', (_, rows) => {
  const calls = {
    page: (query: object): Promise<unknown> => rows.page(query),
    count: (query: object): Promise<unknown> => rows.count(query),
    explain: (query: object): Promise<unknown> => rows.explain(query as never),
  };

  it.each(
    Object.entries(calls).flatMap(([name, call]) =>
      ['filter', 'sort', 'prefix', 'nextToken', 'perPage', 'reverse'].map((parameter) => ({
        name,
        call,
        parameter,
      })),
    ),
  )('rejects $parameter of $name that was sent twice, by its name', async ({ call, parameter }) => {
    for (const value of [['a', 'b'], { a: 'b' }, []]) {
      const error = await Promise.resolve()
        .then(() => call({ [parameter]: value }))
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(QueryError);
      expect(error).toMatchObject({ code: 'invalid-parameter', parameter });
      expect(String(error)).toContain(parameter);
    }
  });

  it('rejects an object that only looks like a tree', async () => {
    await expect(rows.page({ filter: { kind: 'match' } as never })).rejects.toBeInstanceOf(QueryError);
  });

  it('takes parsed filters and trees', async () => {
    const parsed = parse('N == 1');
    for (const filter of [parsed, parsed.ast]) expect((await rows.page({ filter })).items).toHaveLength(1);
  });

  it('reports values of other wrong types as mistakes of the program', async () => {
    await expect(rows.page({ filter: 5 as never })).rejects.toBeInstanceOf(TypeError);
    await expect(rows.page({ perPage: '5' as never })).rejects.toBeInstanceOf(TypeError);
  });
});

describe('list()', () => {
  const order = { text: (row: { ID: string }) => row.ID };

  it.each(['nextToken', 'perPage'])('rejects %s that was sent twice, by its name', (parameter) => {
    const call = (): unknown => list([{ ID: 'a' }], { order, [parameter]: ['a', 'b'] });
    expect(call).toThrow(ListQueryError);
    expect(call).toThrow(ListError);
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-parameter', parameter }));
  });

  it('requires an order', () => {
    for (const query of [{}, { order: undefined }])
      expect(() => list([{ ID: 'a' }], query)).toThrow('list: order is required');
    expect(list([{ ID: 'a' }]).items).toHaveLength(1);
    expect(() => list([{ ID: 'a' }], { perPage: 1 })).toThrow('needs an order');
  });
});
