import { describe, expect, it } from 'vitest';
import { columns } from '../../src/entries/columns.js';
import { listEndpoint } from '../../src/entries/http.js';
import { arraySource, createList, type List } from '../../src/entries/query.js';
import { int, sqlListSource, sqlMapping, text, type DialectName } from '../../src/entries/sql.js';
import { createTable } from '../../src/entries/table.js';
import { sharedEngine } from './engines.js';
import { defineSchema, fieldIndex, orderedIndex, planFilter, t, type Schema } from '../../src/index.js';

const names = ['First Name', 'a.b', 'x,y', '-neg', 'a:b', 'say "hi"', '_id', '__proto__', 'é'] as const;
type Name = (typeof names)[number];
type Row = Readonly<Record<Name, string>> & { readonly 'The Count': number };

const fields: [string, unknown][] = [
  ...names.map((name) => [name, t.string] as [string, unknown]),
  ['The Count', t.int],
];
const schema = defineSchema(Object.fromEntries(fields) as never) as Schema;
const rows = ['c', 'a', 'b'].map((letter, at) =>
  Object.fromEntries([
    ...names.map((name) => [name, `${letter}${name === '_id' ? at : ''}`]),
    ['The Count', at],
  ]),
) as Row[];

const quoted = [
  '["First Name"]',
  '["a.b"]',
  '["x,y"]',
  '["-neg"]',
  '["a:b"]',
  '["say \\x22hi\\x22"]',
  '_id',
  '__proto__',
  '["é"]',
];
const sorts = [...quoted, '["The Count"]'] as never[];

function tableList(): List<Row> {
  const table = createTable(schema, {
    key: '_id' as never,
    indexes: ['["First Name"]', '["The Count"]', '["a.b"]'] as never[],
    sorts,
    columns: columns(['["First Name"]', 'The Count']),
  });
  for (const row of rows) table.put(row as never);
  return createList(table as never);
}

async function sqlList(dialect: DialectName): Promise<List<Row>> {
  const engine = await sharedEngine(dialect);
  if (engine === null) return tableList();
  const all = [...names, 'The Count'];
  const column = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const types = names.map((name) => `${column(name)} TEXT NOT NULL`).join();
  await engine.run('DROP TABLE IF EXISTS any_names', []);
  await engine.run(`CREATE TABLE any_names (${types}, "The Count" BIGINT NOT NULL)`, []);
  for (const row of rows) {
    const values = all.map((name) => (name === 'The Count' ? row[name] : `'${row[name as Name]}'`)).join();
    await engine.run(`INSERT INTO any_names VALUES (${values})`, []);
  }
  const options = { notNull: true };
  const mapped: [string, unknown][] = names.map((name, at) => [quoted[at] ?? '', text(name, options)]);
  const mapping = sqlMapping(schema, {
    dialect,
    table: 'any_names',
    columns: Object.fromEntries([...mapped, ['The Count', int('The Count', options)]]) as never,
  });
  const source = sqlListSource(mapping, (statement, values) => engine.run(statement, values), {
    key: '_id',
    sorts,
  } as never);
  return createList(source as never);
}

const lists: readonly (readonly [string, () => List<Row> | Promise<List<Row>>])[] = [
  [
    'an array',
    () => createList(arraySource(schema, () => rows as never, { key: '["_id"]', sorts } as never) as never),
  ],
  ['a table', tableList],
  ['SQLite', () => sqlList('sqlite')],
  ['PostgreSQL', () => sqlList('postgres')],
  ['DuckDB', () => sqlList('duckdb')],
];

describe.each(lists)('a list of %s with any field names', (_, make) => {
  it.each(quoted)('sorts and pages by %s in both directions', async (name) => {
    const list = await make();
    for (const sort of [name, `-${name}`, `${name},-["The Count"]`, ` -${name} , ["The Count"] `.trim()]) {
      const seen: string[] = [];
      for (let nextToken = '', pages = 0; pages < 4; pages += 1) {
        const page = await list.page({ sort, perPage: 1, nextToken });
        seen.push(...page.items.map((row) => row['First Name']));
        if (page.nextToken === null) break;
        nextToken = page.nextToken;
      }
      const expected = name === '_id' ? ['c', 'a', 'b'].toSorted() : ['a', 'b', 'c'];
      expect({ sort, seen }).toEqual({ sort, seen: sort.startsWith('-') ? expected.toReversed() : expected });
    }
  });

  it('accepts every spelling of a name, and a token of one with another', async () => {
    const list = await make();
    const first = await list.page({ sort: '["First Name"]', perPage: 1 });
    for (const sort of ['[`First Name`]', 'First Name', '["First\\x20Name"]']) {
      const page = await list.page({ sort, perPage: 1, nextToken: first.nextToken ?? '' });
      expect(page.items.map((row) => row['First Name'])).toEqual(['b']);
    }
  });

  it.each([
    ['["First Nam"]', 'did you mean ["First Name"]?'],
    ['a.b', 'did you mean ["a.b"]?'],
    ['["First Name"],["First Name"]', '`sort` names ["First Name"] twice'],
    ['["x', 'Cannot sort by "[\\"x"'],
  ])('refuses sort=%s', async (sort, message) => {
    await expect((await make()).page({ sort })).rejects.toThrow(message);
  });

  it('counts facets under the names of the fields', async () => {
    const { facets: counted } = await (await make()).facets({}, ['["x,y"]', '["First Name"]', '[`x,y`]']);
    expect(Object.keys(counted)).toEqual(['x,y', 'First Name']);
    await expect((await make()).facets({}, ['["x,z"]'])).rejects.toThrow('did you mean ["x,y"]?');
  });

  it('filters by each name', async () => {
    const list = await make();
    for (const name of quoted) {
      const { items } = await list.page({ filter: `${name} in ["a", "a1"] and ["The Count"] > 0` });
      expect(items.map((row) => row['First Name'])).toEqual(['a']);
    }
  });
});

describe('declarations of fields with any names', () => {
  it('use indexes for filters on them', async () => {
    const { index } = await tableList().explain({ filter: '["First Name"] == a' });
    expect(index).toMatchObject({ field: '["First Name"]' });
    const indexes = [fieldIndex(schema, '["a.b"]'), orderedIndex(schema, '[`The Count`]')];
    expect(indexes.map(({ field }) => field)).toEqual(['["a.b"]', '["The Count"]']);
    const plan = planFilter('["a.b"] == x and ["The Count"] > 3', { schema, indexes });
    expect([plan.lookups.length, plan.ranges.length]).toEqual([1, 1]);
  });

  it.each([
    [
      () => createTable(schema, { key: 'a.b' } as never),
      'createTable: key: unknown field "a.b". Did you mean ["a.b"]?',
    ],
    [
      () => createTable(schema, { key: '_id', sorts: ['First'] } as never),
      'sorts: unknown field "First". Did you mean ["First Name"]?',
    ],
    [() => fieldIndex(schema, 'a.b'), 'fieldIndex: the schema has no field "a.b". Did you mean ["a.b"]?'],
    [() => createTable(schema, { key: '_id', columns: columns(['a.b']) } as never), 'Did you mean ["a.b"]?'],
    [
      () => sqlMapping(schema, { dialect: 'sqlite', table: 't', columns: { 'a.b': text('x') } } as never),
      'sqlMapping: unknown property "a"',
    ],
    [
      () =>
        sqlMapping(schema, {
          dialect: 'sqlite',
          table: 't',
          columns: { 'First Name': text('x'), '["First Name"]': text('y') },
        } as never),
      'First Name and a part of it both have columns',
    ],
  ])('are refused by name with the correct spelling', (declare, message) => {
    expect(declare).toThrow(message);
  });
});

describe('an endpoint of rows with any field names', () => {
  const endpoint = listEndpoint(tableList(), {
    fields: ['["First Name"]', '_id', 'x,y', 'The Count'],
    fieldParameters: { first: '["First Name"]', id: '_id' },
  } as never);
  const get = async (query: string): Promise<{ status: number; body: unknown }> => {
    const response = await endpoint.fetch(new Request(`http://localhost/rows?${query}`));
    const body = await response.text();
    return { status: response.status, body: response.status === 200 ? (JSON.parse(body) as unknown) : body };
  };

  it('returns the raw names as keys', async () => {
    const { body } = await get(`sort=${encodeURIComponent('-["First Name"]')}&per_page=1`);
    expect(body).toEqual([{ 'First Name': 'c', 'x,y': 'c', _id: 'c0', 'The Count': 0 }]);
    const facets = await get(`facets=${encodeURIComponent('["x,y"],["First Name"]')}`);
    expect(Object.keys((facets.body as { facets: object }).facets)).toEqual(['x,y', 'First Name']);
  });

  it('reads parameters for fields with such names', async () => {
    expect((await get('first=a')).body).toMatchObject([{ _id: 'a1' }]);
    expect((await get('id=b2')).body).toMatchObject([{ 'First Name': 'b' }]);
  });

  it.each([
    ['sort', 'a.b', 'Cannot sort by "a.b"'],
    ['sort', '["'.repeat(5_000), 'Cannot sort by'],
    ['facets', '["a.b"]', 'Unknown facet "[\\"a.b\\"]"'],
    ['facets', '[constructor]', 'Unknown facet "[constructor]"'],
    ['sort', 'constructor', 'Cannot sort by "constructor"'],
  ])('refuses %s=%s with 400', async (name, value, message) => {
    const { status, body } = await get(`${name}=${encodeURIComponent(value)}`);
    expect(status).toBe(400);
    expect(body).toContain(message);
  });

  it.each(['sort', 'facets'])('refuses a thousand names in %s before it parses them', async (name) => {
    const value = Array.from({ length: 1_000 }, (_, at) => `["${at}"]`).join();
    const { status, body } = await get(`${name}=${encodeURIComponent(value)}`);
    expect([status, body]).toEqual([400, expect.stringMatching(/takes at most \d+ fields/)]);
  });
});
