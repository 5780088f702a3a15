import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type * as Builder from '../../src/entries/builder.js';
import type * as Columns from '../../src/entries/columns.js';
import type * as FilterSets from '../../src/entries/filter-set.js';
import type * as Http from '../../src/entries/http.js';
import type * as Query from '../../src/entries/query.js';
import type * as SQL from '../../src/entries/sql.js';
import type * as Table from '../../src/entries/table.js';
import type * as Engine from '../../src/index.js';
import type * as Explain from '../../src/entries/explain.js';

// A process can load the package as ECMAScript modules and as CommonJS at once. Each half of each pair is taken from another one.

const dist = new URL('../../dist/', import.meta.url);
const require = createRequire(import.meta.url);

interface Copy {
  readonly index: typeof Engine;
  readonly builder: typeof Builder;
  readonly columns: typeof Columns;
  readonly explain: typeof Explain;
  readonly 'filter-set': typeof FilterSets;
  readonly http: typeof Http;
  readonly query: typeof Query;
  readonly sql: typeof SQL;
  readonly table: typeof Table;
}

const names = [
  'index',
  'builder',
  'columns',
  'explain',
  'filter-set',
  'http',
  'query',
  'sql',
  'table',
] as const;
const isBuilt = names.every((name) => existsSync(new URL(`${name}.cjs`, dist)));

async function load(format: 'js' | 'cjs'): Promise<Copy> {
  const entries = names.map(async (name) => {
    const path = fileURLToPath(new URL(`${name}.${format}`, dist));
    return [name, format === 'js' ? await import(/* @vite-ignore */ path) : require(path)] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as unknown as Copy;
}

function catchOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe.skipIf(!isBuilt).each([
  ['ECMAScript modules', 'CommonJS', 'js', 'cjs'],
  ['CommonJS', 'ECMAScript modules', 'cjs', 'js'],
] as const)('objects of %s in functions of %s', async (_, __, first, second) => {
  const [a, b] = [await load(first), await load(second)];
  const servers: { close(): void }[] = [];
  afterAll(() => servers.forEach((server) => server.close()));
  const { t } = a.index;
  const schema = a.index.defineSchema({ ID: t.string, Status: t.string, N: t.int });
  const createRows = (copy: Copy): ReturnType<typeof a.table.createTable<typeof schema>> => {
    const table = copy.table.createTable(schema, { key: 'ID', indexes: ['Status'], sorts: ['N'] });
    for (const ID of ['a', 'b', 'c'])
      table.put({ ID, Status: ID === 'a' ? 'dead' : 'running', N: ID.charCodeAt(0) });
    return table;
  };

  it('are different copies', () => expect(a.index.FilterError).not.toBe(b.index.FilterError));

  it('are instances of the same error classes', () => {
    const syntax = catchOf(() => a.index.parse('a =='));
    const check = catchOf(() => a.index.compileFilter('Nope == 1', { schema }));
    const evaluation = catchOf(() => a.index.compileFilter('x == 1').test({}));
    const limit = catchOf(() => a.index.parse('a == 1', { limits: { maxLength: 2 } }));
    for (const error of [syntax, check, evaluation, limit]) expect(error).toBeInstanceOf(b.index.FilterError);
    expect(syntax).toBeInstanceOf(b.index.FilterSyntaxError);
    expect(check).toBeInstanceOf(b.index.FilterCheckError);
    expect(evaluation).toBeInstanceOf(b.index.FilterEvaluationError);
    expect(limit).toBeInstanceOf(b.index.FilterLimitError);
    expect(syntax).not.toBeInstanceOf(b.index.FilterCheckError);
    expect(new Error('x')).not.toBeInstanceOf(b.index.FilterError);
    expect(catchOf(() => createRows(a).put(null as never))).toBeInstanceOf(b.table.RowError);
    class OwnError extends b.http.HttpError {}
    expect(new a.http.HttpError(401, 'x')).toBeInstanceOf(b.http.HttpError);
    expect(new a.http.HttpError(401, 'x')).not.toBeInstanceOf(OwnError);
    expect(new OwnError(401, 'x')).toBeInstanceOf(OwnError);
    expect(new OwnError(401, 'x')).toBeInstanceOf(a.http.HttpError);
  });

  it('makes a list of a table, and an endpoint of a list', async () => {
    const list = b.query.createList(createRows(a));
    expect((await list.page({ filter: 'Status == running', sort: '-N' })).items.map(({ ID }) => ID)).toEqual([
      'c',
      'b',
    ]);
    const wrong = await list.page({ filter: 'Status ==' }).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(a.index.FilterSyntaxError);
    const unsorted = await list.page({ sort: 'Status' }).catch((error: unknown) => error);
    expect(unsorted).toBeInstanceOf(a.query.QueryError);
    const endpoint = a.http.listEndpoint(list);
    const server = createServer(endpoint.node);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?filter=${encodeURIComponent('N > 97')}`;
    expect(await (await fetch(url)).json()).toHaveLength(2);
  });

  it('serves a table, and keeps the status of an HttpError', async () => {
    const endpoint = b.http.listEndpoint(createRows(a), {
      caller: () => {
        throw new a.http.HttpError(401, 'who are you?', { 'WWW-Authenticate': 'Basic' });
      },
    });
    const response = await endpoint.fetch(new Request('http://localhost/'));
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Basic']);
  });

  it('counts with columns', async () => {
    const table = a.table.createTable(schema, { key: 'ID', columns: b.columns.columns('auto') });
    for (const ID of ['a', 'b']) table.put({ ID, Status: 'running', N: 1 });
    expect(await b.query.createList(table).count({ filter: 'Status == running' })).toBe(2);
  });

  it('explains, plans and collects filters', () => {
    const filter = a.index.compileFilter<{ Status: string }>('Status == running', { schema });
    expect(b.explain.explain(filter, { Status: 'running' }).matches).toBe(true);
    const set = b['filter-set'].createFilterSet(schema);
    set.add('f', a.index.parse('Status == running'));
    expect(set.match({ ID: 'a', Status: 'running', N: 1 }).ids).toEqual(['f']);
    const index = a.index.fieldIndex<{ Status: string }>(schema, 'Status');
    const ordered = a.index.orderedIndex<{ Status: string }>(schema, 'N');
    const plan = b.index.planFilter('Status == running and N > 1', { schema, indexes: [index, ordered] });
    expect([plan.lookups.length, plan.ranges.length]).toEqual([1, 1]);
  });

  it('builds conditions of operands', () => {
    const built = b.builder.where('Name').is(a.builder.ignoringCase('x')).and(a.builder.where('N').is(1));
    expect(String(built)).toBe('Name == "x"i and N == 1');
    expect(String(b.builder.filter`${a.builder.field('Name')} == ${'x'}`)).toBe('Name == "x"');
  });

  it('maps columns and lists sources', async () => {
    const mapping = b.sql.sqlMapping(schema, {
      dialect: 'sqlite',
      table: 'jobs',
      columns: { ID: a.sql.text('id', { notNull: true }), Status: a.sql.text('s'), N: a.sql.int('n') },
    });
    const source = a.sql.sqlListSource(mapping, () => Promise.resolve([]), { key: 'ID' });
    expect((await b.query.createList(source).page({})).items).toEqual([]);
    const rows = a.query.arraySource(schema, () => [{ ID: 'a', Status: 'x', N: 1 }], { key: 'ID' });
    expect((await b.query.createList(rows).page({ filter: 'N == 1' })).items).toHaveLength(1);
  });
});
