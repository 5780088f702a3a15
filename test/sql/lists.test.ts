import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileFilter, FilterError, print } from '../../src/index.js';
import { listEndpoint, type EndpointOptions } from '../../src/entries/http.js';
import { arraySource, createList, type List, type Query, type Source } from '../../src/entries/query.js';
import { sqlListSource } from '../../src/entries/sql.js';
import { seeded } from './seeded.js';
import '../support/property-seed.js';
import { dialects, sharedEngine, type Engine } from './engines.js';
import { testMappingOf, schema } from './test-mapping.js';
import { resultsOf, drawQueries, now, sorts, type Row } from './queries.js';

const cases = seeded(drawQueries);

describe.each(dialects)('a list of a table of %s', (dialect) => {
  const mapping = testMappingOf(dialect, 'listed');
  const { source } = mapping;
  let engine: Engine | null = null;

  beforeAll(async () => {
    engine = await sharedEngine(dialect);
  });

  it('has the pages, tokens, counts and errors of an array', async () => {
    const property = fc.asyncProperty(cases, async ({ rows, queries }) => {
      const open = engine;
      if (open === null) return expect(open).toBeNull();
      await open.fill(mapping, 'listed', rows);
      const found = await open.run(`SELECT ${source.select} FROM ${source.from}`, []);
      const all = found.map((row) => source.decode(row) as Row);
      for (const { filter, unresolved, sort, reverse, prefix, perPage, hidden, token } of queries) {
        let text: string | undefined;
        try {
          if (filter !== null) compileFilter((text = print(filter)), { schema });
        } catch (error) {
          if (error instanceof FilterError || error instanceof TypeError) continue;
          throw error;
        }
        const query: Query<Row> = {
          ...(text === undefined ? {} : { filter: text }),
          ...(sort === undefined ? { reverse } : { sort }),
          ...(prefix === undefined ? {} : { prefix }),
          ...(hidden === null ? {} : { visible: (row: Row) => !String(row.id).endsWith(hidden) }),
          perPage,
        };
        const options = { unresolved, now };
        const key = 'id' as never;
        const inDatabase = createList(
          sqlListSource(source, (statement, values) => open.run(statement, values), { key, sorts }),
          options,
        );
        const inMemory = createList(
          arraySource(schema, () => all as never, { key, sorts }),
          options,
        );
        const [left, right] = [
          await resultsOf(inDatabase as object as List<Row>, query, token),
          await resultsOf(inMemory as object as List<Row>, query, token),
        ];
        expect({ query, results: left }).toEqual({ query, results: right });
      }
    });
    await fc.assert(property, { numRuns: 4 });
  });

  it('ends a prefix before the next larger key', async () => {
    const open = engine;
    if (open === null) return expect(open).toBeNull();
    const rows = ['q', 'r', 'r0', 'r\u{10ffff}', 's', 's0'].map((id) => ({ id, strict: '', count: 0 }));
    await open.fill(mapping, 'listed', rows);
    const list = createList(
      sqlListSource(source, (statement, values) => open.run(statement, values), {
        key: 'id' as never,
        sorts,
      }),
    ) as object as List<Row>;
    for (const sort of [undefined, '-count' as never]) {
      const { items } = await list.page({
        prefix: 'r',
        perPage: 50,
        ...(sort === undefined ? {} : { sort }),
      });
      expect(items.map(({ id }) => id).sort()).toEqual(['r', 'r0', 'r\u{10ffff}']);
    }
    expect(await list.count({ prefix: 'r' })).toBe(3);
  });

  it('begins where a token says, beyond what the column holds too', async () => {
    const open = engine;
    if (open === null) return expect(open).toBeNull();
    const rows = ['a', 'b', 'c'].map((id, at) => ({ id, strict: '', count: at }));
    await open.fill(mapping, 'listed', rows);
    const found = await open.run(`SELECT ${source.select} FROM ${source.from}`, []);
    const all = found.map((row) => source.decode(row) as Row);
    const key = 'id' as never;
    const [inDatabase, inMemory] = [
      sqlListSource(source, (statement, values) => open.run(statement, values), { key, sorts }),
      arraySource(schema, () => all as never, { key, sorts }),
    ].map((each) => createList(each) as object as List<Row>) as [List<Row>, List<Row>];
    for (const sort of ['count', '-count'] as never[])
      for (const token of ['99999999999999999999.b', '-99999999999999999999.b', '1.b', '1.a', '1.z', 'x']) {
        const query = { sort, nextToken: `count:${token}`, perPage: 2 };
        const results = [inDatabase, inMemory].map((list) =>
          list
            .page(query)
            .then(({ items, nextToken }) => ({ ids: items.map(({ id }) => id), nextToken }), String),
        );
        const [left, right] = await Promise.all(results);
        expect({ sort, token, left }).toEqual({ sort, token, left: right });
      }
  });

  it('fetches no more than it may, and names the clauses to blame', async () => {
    const open = engine;
    if (open === null) return expect(open).toBeNull();
    const rows = Array.from({ length: 40 }, (_, at) => ({
      ...{ id: `r${String(at).padStart(2, '0')}`, strict: '', count: 0 },
      version: '1.0.0',
      text: 'a',
    }));
    await open.fill(mapping, 'listed', rows);
    let requests = 0;
    const list = createList(
      sqlListSource(
        source,
        (statement, values) => {
          requests += 1;
          return open.run(statement, values);
        },
        { key: 'id' as never, maxFetched: 20 },
      ),
      { unresolved: 'absent' },
    );
    const filter = 'text == a and version > 1.0.0';
    await expect(list.page({ filter, perPage: 5 })).rejects.toMatchObject({
      code: 'too-many-rows',
      message: expect.stringContaining(
        'version > 1.0.0 (a string is compared by its value as a version)',
      ) as string,
      clauses: [{ filter: 'version > 1.0.0', by: 'residual' }],
      nextToken: expect.stringMatching(/^r/) as string,
    });
    expect(requests).toBeLessThan(5);
    // Counts the rows that the database returns.
    expect(await list.count({ filter: 'text == a' })).toBe(40);
    expect((await list.page({ filter: 'text == a', perPage: 30 })).nextToken).toBe('r30');
    const reported = await list.explain({ filter, perPage: 5, nextToken: 'r35' });
    expect(reported).toMatchObject({
      index: null,
      statement: expect.stringMatching(/^SELECT .* WHERE .* ORDER BY .* LIMIT/) as string,
      examined: 5,
      matched: 0,
      clauses: [
        { filter: 'text == "a"', by: 'database' },
        { filter: 'version > 1.0.0', by: 'scan', rows: 5, matched: 0 },
      ],
      empty: null,
    });
  });

  /** The status, the token and the body of the response to a request. */
  async function evaluate(
    rows: object,
    parameters: Readonly<Record<string, string>>,
    options: EndpointOptions<Row, null> = {},
    unresolved: 'error' | 'absent' = 'error',
  ): Promise<readonly [status: number, token: string | null, body: string]> {
    const url = `http://here/rows?${new URLSearchParams(parameters).toString()}`;
    const endpoint = listEndpoint(createList(rows as Source<Row>, { now, unresolved }), options);
    const result = await endpoint.fetch(new Request(url));
    const reported = [result.status, result.headers.get('x-next-token'), await result.text()] as const;
    endpoint.close();
    return reported;
  }

  it('is served as an array is', async () => {
    const property = fc.asyncProperty(cases, async ({ rows, queries }) => {
      const open = engine;
      if (open === null) return expect(open).toBeNull();
      await open.fill(mapping, 'listed', rows);
      const found = await open.run(`SELECT ${source.select} FROM ${source.from}`, []);
      const all = found.map((row) => source.decode(row) as Row);
      const key = 'id' as never;
      const inDatabase = sqlListSource(source, (statement, values) => open.run(statement, values), {
        key,
        sorts,
      });
      const inMemory = arraySource(schema, () => all as never, { key, sorts });
      for (const { filter, unresolved, sort, reverse, prefix, perPage, hidden, token } of queries) {
        let text: string | null = null;
        try {
          if (filter !== null) text = print(filter);
        } catch (error) {
          if (error instanceof TypeError) continue;
          throw error;
        }
        const requests = {
          ...(text === null ? {} : { filter: text }),
          ...(sort === undefined ? { reverse: String(reverse) } : { sort }),
          ...(prefix === undefined ? {} : { prefix }),
        };
        const parameters = {
          ...requests,
          per_page: String(perPage),
          ...(token === null ? {} : { next_token: token }),
        };
        const visible =
          hidden === null ? {} : { visible: () => (row: Row) => !String(row.id).endsWith(hidden) };
        const fields = hidden === '1' ? { fields: ['id', 'text', 'strict', 'count'] as never[] } : {};
        for (const each of [
          parameters,
          { ...requests, facets: 'text,count,flag' },
          { ...requests, count: 'true' },
        ]) {
          const served = { ...visible, ...fields };
          expect({ each, result: await evaluate(inDatabase, each, served, unresolved) }).toEqual({
            each,
            result: await evaluate(inMemory, each, served, unresolved),
          });
        }
      }
    });
    await fc.assert(property, { numRuns: 3 });
  });

  it.each([
    ['version > 1.0.0', 'absent', false, 'as a version)'],
    ['length > 1h', 'absent', false, 'as a duration). Map an int() column of a duration in a unit'],
    ['version > 1.0.0', 'error', false, "Set unresolved: 'absent', or map the columns with notNull"],
    ['count >= 0', 'absent', true, 'visible() is evaluated in process; put its condition into scope'],
  ] as const)(
    'names what to map if %s fetches too many rows',
    async (filter, unresolved, isHidden, message) => {
      const open = engine;
      if (open === null) return expect(open).toBeNull();
      const rows = Array.from({ length: 40 }, (_, at) => ({
        id: `r${at}`,
        strict: '',
        count: 0,
        version: '1.0.0',
      }));
      await open.fill(mapping, 'listed', rows);
      const run = (statement: string, values: readonly unknown[]) => open.run(statement, values);
      const list = createList(sqlListSource(source, run, { key: 'id' as never, maxFetched: 20 }), {
        unresolved,
      });
      const query = { filter, perPage: 5, ...(isHidden ? { visible: () => false } : {}) };
      const error: unknown = await list.page(query as never).catch((each: unknown) => each);
      expect(error).toMatchObject({ message: expect.stringContaining(message) as string });
    },
  );

  it('reports to HTTP callers that its fetch limit was reached, and where to resume', async () => {
    const open = engine;
    if (open === null) return expect(open).toBeNull();
    const rows = Array.from({ length: 40 }, (_, at) => ({
      ...{ id: `r${String(at).padStart(2, '0')}`, strict: '', count: 0 },
      ...{ version: '1.0.0', text: 'a' },
    }));
    await open.fill(mapping, 'listed', rows);
    const run = (statement: string, values: readonly unknown[]) => open.run(statement, values);
    const list = sqlListSource(source, run, { key: 'id' as never, maxFetched: 20 });
    const filter = 'text == a and version > 1.0.0';
    const [status, token, body] = await evaluate(list, { filter, per_page: '5' }, {}, 'absent');
    expect([status, body]).toEqual([400, expect.stringContaining('version > 1.0.0 (a string is compared')]);
    expect(token).toMatch(/^r[12]/);
    // From there on there are fewer.
    expect(await evaluate(list, { filter, per_page: '5', next_token: token ?? '' }, {}, 'absent')).toEqual([
      200,
      null,
      '[]',
    ]);
    // A caller learns nothing of an invisible row.
    const seen = { visible: () => (row: Row) => String(row.id) < 'r03' };
    expect(await evaluate(list, { filter, per_page: '5' }, seen, 'absent')).toEqual([400, 'r02', body]);
    const none = { visible: () => () => false };
    expect(await evaluate(list, { filter, per_page: '5' }, none, 'absent')).toEqual([400, null, body]);
  });

  it('explains itself over HTTP to who sees all of it', async () => {
    const open = engine;
    if (open === null) return expect(open).toBeNull();
    await open.fill(mapping, 'listed', [{ id: 'a', strict: 'x', count: 1, text: 'a' }]);
    const rows = sqlListSource(source, (statement, values) => open.run(statement, values), {
      key: 'id' as never,
    });
    const parameters = { filter: 'strict == x and count > 0', explain: 'true' };
    const reported = async (options: EndpointOptions<Row, null>): Promise<Row> =>
      JSON.parse((await evaluate(rows, parameters, options))[2]) as Row;
    expect(await reported({})).toMatchObject({
      statement: expect.stringMatching(/^SELECT .* WHERE .* ORDER BY/) as string,
      ...{ examined: 1, matched: 1, index: null },
      clauses: [{ by: 'database' }, { by: 'database' }],
    });
    // A statement names columns that are not shown.
    const fields = ['id', 'strict', 'count'] as never[];
    expect(await reported({ fields })).not.toHaveProperty('statement');
    expect(await reported({ visible: () => null })).not.toHaveProperty('statement');
    const [status] = await evaluate(rows, { filter: 'text == a' }, { fields });
    expect(status).toBe(400);
  });
});
