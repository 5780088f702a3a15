import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { arraySource, createList, type List } from '../../src/entries/query.js';
import { float, int, sqlListSource, sqlMapping, text, type DialectName } from '../../src/entries/sql.js';
import '../support/property-seed.js';
import { dialects, sharedEngine, type Engine } from './engines.js';
import { testMappingOf, schema } from './test-mapping.js';
import type { Row } from './queries.js';

const instants = ['0001-01-01T00:00:00.000000Z', '2026-11-01T08:00:00.000001Z', '2026-11-01T08:00:00Z'];
const large = 9007199254740993n;

/** Values of each field, few enough to be equal often. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  text: ['', 'a', 'B', 'é', '\uff01', '\u{1f600}'],
  owner: ['', 'a', 'a b', '\u{10ffff}'],
  whole: [0, -1, large, -large],
  maybeWhole: [0, 7, large],
  load: [0, -0, 0.1, -1e300, 1e21, Infinity, -Infinity, NaN],
  maybeLoad: [0.5, -5e-324, NaN],
  flag: [true, false],
  maybeFlag: [true, false],
  at: instants,
  maybeAt: instants,
  stamp: ['2026-11-01T08:00:00.001Z', '1969-12-31T23:59:59.999Z'],
  ms: [0, -1, 1645230445788],
  span: [0, 90, -5],
  size: [0, 64, 512],
};
const sorts = ['strict', 'count', ...Object.keys(values)];

const rowsDrawn = fc
  .array(
    fc.record({
      ...Object.fromEntries(
        Object.entries(values).map(([name, each]) => [name, fc.option(fc.constantFrom(...each))]),
      ),
      ...{ strict: fc.constantFrom('', 'a', 'b'), count: fc.constantFrom(0, 1) },
    }),
    { minLength: 5, maxLength: 20 },
  )
  .map((rows) => rows.map((row, at) => ({ ...row, id: `r${at}` })));

const sortDrawn = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...sorts), fc.boolean()), {
    ...{ minLength: 1, maxLength: 3, selector: ([name]) => name },
  })
  .map((keys) => keys.map(([name, isDown]) => `${isDown ? '-' : ''}${name}`).join());

async function pagesOf(list: List<Row>, sort: string, perPage: number): Promise<unknown> {
  const pages: unknown[] = [];
  for (let nextToken: string | null = null; ;) {
    const page = await list.page({ sort: sort as never, perPage, nextToken });
    pages.push([page.items.map(({ id }) => id), page.nextToken]);
    nextToken = page.nextToken;
    if (nextToken === null) return pages;
  }
}

describe.each(dialects)('the order of a list of %s', (dialect) => {
  const mapping = testMappingOf(dialect, 'sorted');
  const { source } = mapping;
  let engine: Engine | null = null;

  beforeAll(async () => {
    engine = await sharedEngine(dialect);
  });

  it('is that of an array by any fields, page by page, and few rows are fetched', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsDrawn,
        fc.array(sortDrawn, { minLength: 6, maxLength: 6 }),
        async (rows, drawn) => {
          const open = engine;
          if (open === null) return expect(open).toBeNull();
          await open.fill(mapping, 'sorted', rows);
          const found = await open.run(`SELECT ${source.select} FROM ${source.from}`, []);
          const all = found.map((row) => source.decode(row) as Row);
          const key = 'id' as never;
          for (const sort of drawn) {
            for (const perPage of [1, 2, 3, 7]) {
              const [inDatabase, inMemory] = [
                sqlListSource(source, (statement, given) => open.run(statement, given), {
                  ...{ key, sorts: sorts as never[], maxFetched: 1 + perPage },
                }),
                arraySource(schema, () => all as never, { key, sorts: sorts as never[] }),
              ].map((each) => createList(each) as object as List<Row>) as [List<Row>, List<Row>];
              expect({ sort, pages: await pagesOf(inDatabase, sort, perPage) }).toEqual({
                sort,
                pages: await pagesOf(inMemory, sort, perPage),
              });
            }
          }
        },
      ),
      { numRuns: 4 },
    );
  });
});

describe.each(dialects)('a list of %s with integer keys', (dialect) => {
  const fields = defineSchema({ ID: t.int, N: t.nullable(t.int) });
  const large = dialect === 'duckdb' ? 'BIGINT' : dialect === 'sqlite' ? 'INTEGER' : 'bigint';
  const mapping = {
    dialect,
    ddl: [
      ['ID', `${large} NOT NULL`],
      ['N', large],
    ],
    source: sqlMapping(fields, {
      ...{ dialect, table: 'numbered' },
      columns: { ID: int('ID', { notNull: true }), N: int('N') },
    }),
  } as const;
  const keys = [10, 9, -5, 0, 9007199254740993n, 9007199254740992n, 2n ** 63n - 1n, -(2n ** 63n)];

  it.each(['', 'ID', '-ID', 'N', '-N', 'N,-ID', '-N,ID'])(
    'has the pages of an array by "%s"',
    async (sort) => {
      const open = await sharedEngine(dialect);
      if (open === null) return expect(open).toBeNull();
      const rows = keys.map((ID, at) => ({ ID, N: [0, 1, null][at % 3] }));
      await open.fill(mapping as never, 'numbered', rows);
      const options = { key: 'ID', sorts: ['ID', 'N'] } as never;
      const [inDatabase, inMemory] = [
        sqlListSource(mapping.source, (statement, given) => open.run(statement, given), options),
        arraySource(fields, () => rows as never, options),
      ].map((each) => createList(each as never) as object as List<Row>) as [List<Row>, List<Row>];
      for (const perPage of [1, 2, 3, 7]) {
        const pages = async (list: List<Row>): Promise<unknown> => {
          const found: unknown[] = [];
          for (let nextToken: string | null = null; ;) {
            const page = await list.page({ sort: sort as never, perPage, nextToken });
            found.push(
              page.items.map(({ ID }) => String(ID)),
              page.nextToken,
            );
            nextToken = page.nextToken;
            if (nextToken === null) return found;
          }
        };
        expect(await pages(inDatabase)).toEqual(await pages(inMemory));
      }
      await expect(inDatabase.page({ prefix: '1' })).rejects.toThrow('`prefix` is for string keys');
    },
  );
});

describe('a source', () => {
  const fields = defineSchema({
    ID: t.string,
    Version: t.version,
    Wait: t.duration,
    Address: t.nullable(t.ip),
    At: t.time,
    Ratio: t.float64,
    Summary: t.struct({ Running: t.nullable(t.int) }),
  });
  const mapping = (dialect: DialectName) =>
    sqlMapping(fields, {
      ...{ dialect, table: 'jobs' },
      columns: {
        ID: text('id', { notNull: true }),
        Version: text('version'),
        Wait: text('wait', { notNull: true }),
        Address: text('address'),
        At: text('at'),
        Ratio: float('ratio'),
        'Summary.Running': int('running'),
      },
    });

  it.each(['Version', 'Wait', 'Address', 'At'])('refuses by name to sort by %s', (name) => {
    for (const dialect of dialects) {
      const make = (): unknown =>
        sqlListSource(mapping(dialect) as never, () => [], { key: 'ID', sorts: [name] } as never);
      expect(make).toThrow(`cannot sort by ${name}`);
    }
  });
});
