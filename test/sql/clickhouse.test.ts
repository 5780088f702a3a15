import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import {
  array,
  bool,
  chdbRun,
  clickhouseRun,
  datetime64,
  float,
  int,
  json,
  map,
  namedPlaceholder,
  namedValues,
  sqlListSource,
  sqlMapping,
  struct,
  text,
  timeText,
  verifyMapping,
  type ClickhouseClient,
  type RunSql,
} from '../../src/entries/clickhouse.js';
import * as otherDialects from '../../src/entries/sql.js';
import { describeAccess } from '../access/sql-laws.js';
import { requireExtra } from '../support/extra.js';
import { createRandom } from '../fuzz/random.js';
import { Draw } from '../support/draw.js';
import { openChdb, whyNoClickhouse } from './chdb.js';
import { filterOf, lines, now, rows } from './corner-cases.js';
import { chdbEngine, type ChdbConnection, type Engine } from './engines.js';
import { testMappingOf, schema } from './test-mapping.js';
import { proveFilters } from './laws.js';
import { spoil } from './wild.js';

type Row = Record<string, unknown>;

// The title is constant: the snapshots of skipped tests are found by it.
it.skipIf(whyNoClickhouse === null)(`ClickHouse is skipped: ${whyNoClickhouse}`, () => {
  expect(whyNoClickhouse).not.toBeNull();
});

describe.skipIf(whyNoClickhouse !== null)('ClickHouse', () => {
  let session: ChdbConnection;
  let run: RunSql;

  beforeAll(() => {
    session = openChdb();
    run = chdbRun(session);
  });

  afterAll(() => {
    session.cleanup();
  });

  describe.each(['clickhouse', 'clickhouse-json'] as const)('tables of %s', (dialect) => {
    let engine: Engine;

    beforeAll(() => {
      engine = chdbEngine(session, dialect);
    });

    it('finds the rows of the filter for all corner cases, and fails for none', async () => {
      const mapping = testMappingOf(dialect, 'corners');
      const { source } = mapping;
      await engine.fill(mapping, 'corners', rows);
      const select = `SELECT ${source.select} FROM ${source.from}`;
      const all = (await engine.run(select, [])).map((row) => source.decode(row) as Row);
      const kinds = { exact: 0, partial: 0, residual: 0 };
      const ids = (list: readonly Row[]): unknown[] => list.map(({ id }) => id).sort();
      for (const line of lines) {
        const filter = filterOf(line);
        const isOfJson = /groups|meta|counts|deep|periodic|labels|tags|notes|nums|flags/.test(filter);
        if (dialect === 'clickhouse-json' && !isOfJson) continue;
        const query = source.where(filter, { unresolved: 'absent', now });
        const whole = compileFilter(filter, { schema, unresolved: 'absent', now: () => now });
        const found = await engine.run(
          `SELECT ${query.exact ? '`id"?` AS id' : source.select} FROM ${source.from} WHERE ${query.toSQL(namedPlaceholder)}`,
          query.values,
        );
        const left = query.exact ? (found as Row[]) : found.map((row) => source.decode(row) as Row);
        const { residual, clauses, exact } = query;
        expect({ filter, rows: ids(residual === null ? left : left.filter(residual.test)) }).toEqual({
          filter,
          rows: ids(all.filter((row) => whole.test(row))),
        });
        const isResidual = clauses.every(({ by }) => by === 'residual');
        kinds[exact ? 'exact' : isResidual ? 'residual' : 'partial'] += 1;
      }
      expect(kinds).toMatchSnapshot();
      if (dialect === 'clickhouse') return;
      const wild = testMappingOf(dialect, 'wild');
      const numbers = Array.from({ length: 40 }, (_, at) => ({ id: `r${at}`, strict: '', count: 0 }));
      await engine.fill(wild, 'wild', numbers);
      const draw = new Draw(createRandom(7).below);
      await spoil(engine, numbers.length, (from) => draw.pick(from));
      for (const line of lines.filter((_, at) => at % 3 === 0)) {
        const query = wild.source.where(filterOf(line), { unresolved: 'absent', now });
        const statement = `SELECT count(*) AS n FROM wild WHERE ${query.toSQL(namedPlaceholder)}`;
        expect(await engine.run(statement, query.values), line).toHaveLength(1);
      }
    });

    it('has the results of random filters, and the pages and facets of an array', async () => {
      const reports: string[] = [];
      const tally = await proveFilters(engine, new Draw(createRandom(7).below), 20, (...report) =>
        reports.push(report.join('\n')),
      );
      expect(reports).toEqual([]);
      expect(tally.exact).toBeGreaterThan(5);
      expect(tally.lists).toBeGreaterThan(2);
    });

    describeAccess(
      dialect,
      () => Promise.resolve(engine),
      (law) => fc.assert(law, { numRuns: 3 }),
    );
  });

  const trapSchema = defineSchema({
    ...{ id: t.string, s: t.string, n: t.nullable(t.int), u: t.uint, f: t.float64, g: t.float64 },
    ...{ at: t.nullable(t.time), tags: t.list(t.string), floats: t.list(t.float64), m: t.map(t.string) },
    ...{ j: t.struct({ a: t.struct({ b: t.float64, c: t.int }), k: t.string, d: t.float64 }) },
    ...{ groups: t.list(t.struct({ Name: t.string, Tags: t.list(t.string) })), w: t.nullable(t.string) },
  });
  const columns = {
    ...{ id: text('id', { notNull: true }), s: text('s'), n: int('n'), u: int('u', { notNull: true }) },
    ...{ f: float('f'), g: float('g', { notNull: true }), at: datetime64('at', { digits: 9 }) },
    ...{ tags: array('tags'), floats: array('floats'), m: map('m'), j: json('j'), groups: array('groups') },
    w: text('w'),
  };
  const traps = sqlMapping(trapSchema, { dialect: 'clickhouse', table: 'traps', columns });

  /** Creates the table with rows of literals of SQL. */
  function fillTraps(given: readonly Readonly<Record<string, string>>[]): void {
    session.query('DROP TABLE IF EXISTS traps');
    session.query(
      "CREATE TABLE traps (id String, s Nullable(String), n Nullable(Int64), u UInt64, f Nullable(Float64), g Float64, at Nullable(DateTime64(9, 'UTC')), tags Array(LowCardinality(String)), floats Array(Float64), m Map(LowCardinality(String), String), j String, groups Array(Tuple(Name String, Tags Array(String))), w LowCardinality(Nullable(String))) ENGINE = MergeTree ORDER BY id",
    );
    for (const [at, row] of given.entries())
      session.query(
        `INSERT INTO traps (${['id', ...Object.keys(row)].join()}) VALUES (${[`'r${at}'`, ...Object.values(row)].join()})`,
      );
  }

  async function idsOf(filter: string, isExact = true, table = traps): Promise<string> {
    const { exact, residual, toSQL, values } = table.where(filter, { unresolved: 'absent' });
    expect(exact).toBe(isExact);
    const statement = `SELECT ${table.select} FROM ${table.from} WHERE ${toSQL(namedPlaceholder)} ORDER BY id`;
    const found = (await run(statement, [...values], null)) as Row[];
    const left = found.map((row) => table.decode(row)).filter((row) => residual?.test(row) ?? true);
    const { test } = compileFilter(filter, { schema: trapSchema, unresolved: 'absent' });
    const all = (await run(`SELECT ${table.select} FROM ${table.from} ORDER BY id`, [], null)) as Row[];
    expect(left).toEqual(all.map((row) => table.decode(row)).filter(test));
    return left.map(({ id }) => id).join();
  }

  it('finds both zeros, alone and in chains of equalities, and no NaN', async () => {
    fillTraps(['0.', '-0.', 'nan', '5.', 'inf'].map((g) => ({ f: g, g, floats: `[${g}]` })));
    expect(await idsOf('g == 0')).toBe('r0,r1');
    expect(await idsOf('g == 0 or g == 5 or g == 7')).toBe('r0,r1,r3');
    expect(await idsOf('f == 0 or f == 5 or f == 7 or f == 8')).toBe('r0,r1,r3');
    expect(await idsOf('g in [0, 7]')).toBe('r0,r1');
    expect(await idsOf('g not in [0, 7]')).toBe('r2,r3,r4');
    expect(await idsOf('0 in floats')).toBe('r0,r1');
    expect(await idsOf('any floats as x { x == 0 or x == 5 or x == 7 }')).toBe('r0,r1,r3');
    expect(await idsOf('not (g > 1)')).toBe('r0,r1,r2');
    expect(await idsOf('not (f <= 1)')).toBe('r2,r3,r4');
    expect(await idsOf('g == "NaN"')).toBe('');
  });

  it('sorts NaN after all numbers, in both directions and on all pages', async () => {
    fillTraps(['nan', '1.', '-inf', 'nan', '-0.', 'inf', '0.'].map((g) => ({ f: g, g })));
    const list = createList(sqlListSource(traps, run, { key: 'id', sorts: ['f', 'g'] }));
    const pages = async (sort: string): Promise<string> => {
      const ids: string[] = [];
      let token: string | null = null;
      do {
        const page: { items: readonly Row[]; nextToken: string | null } = await list.page({
          sort: sort as 'g',
          perPage: 2,
          ...(token === null ? {} : { nextToken: token }),
        });
        ids.push(...page.items.map(({ id }) => String(id)));
        token = page.nextToken;
      } while (token !== null);
      return ids.join();
    };
    for (const name of ['f', 'g']) {
      expect(await pages(name)).toBe('r2,r4,r6,r1,r5,r0,r3');
      expect(await pages(`-${name}`)).toBe('r3,r0,r5,r1,r6,r4,r2');
    }
  });

  it('reads missing elements and entries as absent, not as defaults of their types', async () => {
    fillTraps([
      { tags: "['']", m: "{'k':'v'}", groups: "[('', [])]" },
      { tags: '[]', m: "{'z':''}", groups: '[]' },
    ]);
    expect(await idsOf('m.z == ""')).toBe('r1');
    expect(await idsOf('m.z is empty')).toBe('r0,r1');
    expect(await idsOf('tags.0 == ""')).toBe('r0');
    expect(await idsOf('groups.0.Name == ""')).toBe('r0');
    expect(await idsOf('len(groups.0.Tags) == 0')).toBe('r0');
    expect(await idsOf('groups.0.Name is nil')).toBe('r1');
  });

  it('finds no key for a reference that is null, even if the map has an empty key', async () => {
    fillTraps([
      { m: "{'':'x'}", w: 'NULL' },
      { m: "{'':'x'}", w: "''" },
      { m: "{'a':'x'}", w: "'a'" },
    ]);
    expect(await idsOf('@w in m')).toBe('r1,r2');
    const query = traps.where('m not contains @w', { unresolved: 'deny' });
    expect(query.exact).toBe(true);
    expect(await idsOf('m not contains @w')).toBe('r0');
  });

  it('qualifies columns, so that they are never the aliases of the SELECT list', async () => {
    const odd = defineSchema({
      c0: t.string,
      c1: t.int,
      n: t.int,
      v: t.string,
      tamis_1_v: t.list(t.string),
    });
    const mapping = sqlMapping(odd, {
      dialect: 'clickhouse',
      table: 'odd names',
      columns: {
        ...{ c0: text('c1', { notNull: true }), c1: int('c0'), n: int('n', { notNull: true }) },
        ...{ v: text('v', { notNull: true }), tamis_1_v: array('tamis_1_v') },
      },
    });
    session.query('DROP TABLE IF EXISTS "odd names"');
    session.query(
      'CREATE TABLE "odd names" (c1 String, c0 Nullable(Int64), n Int64, v String, tamis_1_v Array(String)) ENGINE = MergeTree ORDER BY c1',
    );
    session.query(`INSERT INTO "odd names" VALUES ('a', 2, 7, 'x', ['a', 'b']), ('b', NULL, 8, 'y', [])`);
    const list = createList(sqlListSource(mapping, run, { key: 'c0', sorts: ['n'] }), {
      unresolved: 'absent',
    });
    const { items } = await list.page({ filter: 'n == 7 and any tamis_1_v as x { x == @c0 }', perPage: 5 });
    expect(items).toEqual([{ c0: 'a', c1: 2, n: 7, v: 'x', tamis_1_v: ['a', 'b'] }]);
    expect(await list.facets({ filter: 'n > 0' }, ['n', 'v'])).toMatchObject({
      total: 2,
      facets: {
        n: { values: [{ value: 7n }, { value: 8n }] },
        v: { values: [{ value: 'x' }, { value: 'y' }] },
      },
    });
  });

  it('reads JSON by paths from the document, whose numbers a part would rewrite', async () => {
    fillTraps([{ j: `'{"a":{"b":-9.223372036854776e18,"c":1}}'` }, { j: `'{"a":{"c":2}}'` }]);
    expect(await idsOf('j.a.c == 1', false)).toBe('r0');
    expect(await idsOf('j.a.b < "-9e18"', false)).toBe('r0');
  });

  it('fetches documents with numbers that ClickHouse cannot read, and evaluates them in process', async () => {
    fillTraps([
      { j: `'{"d":18446744073709551616,"k":"x"}'` },
      { j: `'{"d":1e400,"k":"x"}'` },
      { j: `'{"d":-9223372036854776000,"k":"y"}'` },
      { j: `'{"d":1,"k":"x"}'` },
      ...[`''`, `'null'`, `'no json'`].map((j) => ({ j })),
    ]);
    expect(await idsOf('j.k == "x"', false)).toBe('r0,r1,r3');
    expect(await idsOf('not (j.k == "x")', false)).toBe('r2,r4,r5,r6');
    expect(await idsOf('j.d > 1', false)).toBe('r0,r1');
    const access = { unresolved: 'deny', require: 'exact' } as const;
    expect(() => traps.where('j.k == "x"', access)).toThrow('set `constrained` if a constraint excludes it');
    const checked = sqlMapping(trapSchema, {
      dialect: 'clickhouse',
      table: 'traps',
      columns: { ...columns, j: json('j', { constrained: true }) },
    });
    fillTraps([{ j: `'{"d":1,"k":"x"}'` }, { j: `'null'` }]);
    expect(await idsOf('j.k == "x"', true, checked)).toBe('r0');
    expect(await idsOf('j.k != "x"', true, checked)).toBe('r1');
  });

  it('compares values of JSON by their kind, which functions would convert', async () => {
    const kinds = ['1', '1.5', '"1"', 'true', 'null', '[1]', '{"b":1}', '1.0', '1e0'];
    fillTraps(kinds.map((value) => ({ j: `'{"a":{"c":${value}},"k":${value}}'` })));
    for (const [filter, ids] of [
      ['j.a.c == 1', 'r0,r7,r8'],
      ['j.a.c > 0 and j.a.c < 2', 'r0,r1,r7,r8'],
    ] as const) {
      const { toSQL, values } = traps.where(filter, { unresolved: 'absent' });
      const statement = `SELECT id FROM traps WHERE ${toSQL(namedPlaceholder)} ORDER BY id`;
      const found = (await run(statement, values, null)) as Row[];
      expect(found.map(({ id }) => id).join()).toBe(ids);
    }
  });

  it('compares instants beyond the dates of DateTime64(9), and keeps all digits', async () => {
    fillTraps([
      { at: "fromUnixTimestamp64Nano(toInt64('9223372036854775807'), 'UTC')" },
      { at: "fromUnixTimestamp64Nano(toInt64('-1'), 'UTC')" },
      { at: "toDateTime64('2026-01-01 00:00:00.123456789', 9, 'UTC')" },
    ]);
    expect(await idsOf('at < 2262-04-12T00:00:00Z')).toBe('r0,r1,r2');
    expect(await idsOf('at > 2262-04-11T23:47:16.854775806Z')).toBe('r0');
    expect(await idsOf('at >= 1600-01-01T00:00:00Z')).toBe('r0,r1,r2');
    expect(await idsOf('at == 2026-01-01T00:00:00.123456789Z')).toBe('r2');
    expect(await idsOf('at > 2026-01-01T00:00:00.123456788Z')).toBe('r0,r2');
    const found = (await run(`SELECT ${traps.select} FROM traps ORDER BY id`, [], null)) as Row[];
    expect(found.map((row) => traps.decode(row).at)).toEqual([
      '2262-04-11T23:47:16.854775807Z',
      '1969-12-31T23:59:59.999999999Z',
      '2026-01-01T00:00:00.123456789Z',
    ]);
  });

  it.each([0, 3, 6] as const)('compares instants with %i digits', async (digits) => {
    const timed = defineSchema({ id: t.string, at: t.time, other: t.nullable(t.time) });
    const mapping = sqlMapping(timed, {
      dialect: 'clickhouse',
      table: 'timed',
      columns: {
        id: text('id', { notNull: true }),
        at: datetime64('at', { digits, notNull: true }),
        other: datetime64('other', { digits }),
      },
    });
    session.query('DROP TABLE IF EXISTS timed');
    session.query(
      `CREATE TABLE timed (id String, at DateTime64(${digits}, 'UTC'), other Nullable(DateTime64(${digits}))) ENGINE = MergeTree ORDER BY id`,
    );
    session.query(
      "INSERT INTO timed VALUES ('a', '2026-01-01 00:00:00.5', NULL), ('b', '2026-01-01 00:00:01', '2026-01-01 00:00:00'), ('c', '1969-12-31 23:59:59', '1969-12-31 23:59:59')",
    );
    const ids = async (filter: string): Promise<string> => {
      const { toSQL, values, exact } = mapping.where(filter, { unresolved: 'absent' });
      expect(exact).toBe(true);
      const found = await run(
        `SELECT id FROM timed WHERE ${toSQL(namedPlaceholder)} ORDER BY id`,
        values,
        null,
      );
      return (found as Row[]).map(({ id }) => id).join('');
    };
    expect(await ids('at > 2026-01-01T00:00:00Z')).toBe(digits === 0 ? 'b' : 'ab');
    expect(await ids('at == 2026-01-01T00:00:01Z')).toBe('b');
    expect(await ids('at >= 2026-01-01T00:00:00.500000001Z')).toBe('b');
    expect(await ids('at == @other')).toBe('c');
    expect(await ids('at > @other')).toBe('b');
    const list = createList(sqlListSource(mapping, run, { key: 'id', sorts: ['at', 'other'] }));
    for (const sort of ['at', '-at', 'other', '-other'] as const) {
      const first = await list.page({ sort, perPage: 1 });
      const rest = await list.page({ sort, perPage: 5, nextToken: first.nextToken ?? '' });
      const ordered = { at: 'cab', '-at': 'bac', other: 'cba', '-other': 'abc' }[sort];
      expect([...first.items, ...rest.items].map(({ id }) => id).join('')).toBe(ordered);
    }
  });

  it('passes any string as a value, and none into the statement', async () => {
    const words = ['a\tb', 'a\nb', 'a\0b', 'a\\b', "a'b", '\\N', '{p1:String}', "' OR 1=1 -- ", '\u{1f600}'];
    fillTraps(words.map((_, at) => ({ s: `'${at}'` })));
    for (const word of words) {
      const [found] = (await run(
        'SELECT {p1:String} AS s, lengthUTF8({p1:String}) AS n',
        [word],
        null,
      )) as Row[];
      expect(found).toEqual({ s: word, n: [...word].length });
      expect(await idsOf(`s == ${JSON.stringify(word)}`)).toBe('');
    }
  });

  it('compares unsigned and large integers exactly, alone and in sets', async () => {
    fillTraps([
      { u: '18446744073709551615', n: '9007199254740993' },
      { u: '9223372036854775808', n: '-9223372036854775808' },
      { u: '2', n: 'NULL' },
    ]);
    expect(await idsOf('u >= 9223372036854775808')).toBe('r0,r1');
    expect(await idsOf('u in [2, 18446744073709551615]')).toBe('r0,r2');
    expect(await idsOf('n == 9007199254740993')).toBe('r0');
    expect(await idsOf('n not in [9007199254740993, 5]')).toBe('r1,r2');
    const list = createList(sqlListSource(traps, run, { key: 'id', sorts: ['u'] }));
    const { items, nextToken } = await list.page({ sort: '-u', perPage: 1 });
    expect(items[0]?.u).toBe(18446744073709551615n);
    expect((await list.page({ sort: '-u', perPage: 1, nextToken })).items[0]?.u).toBe(9223372036854775808n);
  });

  it('reads columns whose names and table need escapes', async () => {
    const odd = defineSchema({ a: t.string, s: t.struct({ "x'\\": t.string }), m: t.map(t.string) });
    const table = 'q"\\`t';
    session.query('DROP TABLE IF EXISTS `q"\\\\\\`t`');
    session.query(
      'CREATE TABLE `q"\\\\\\`t` (`a"\\\\b` String, s Tuple(`x\'\\\\` String), m String) ENGINE = MergeTree ORDER BY tuple()',
    );
    session.query("INSERT INTO `q\"\\\\\\`t` VALUES ('v', ('w'), '{\"x\\'\":\"y\"}')");
    const mapping = sqlMapping(odd, {
      dialect: 'clickhouse',
      table,
      columns: { a: text('a"\\b', { notNull: true }), s: struct('s'), m: json('m', { constrained: true }) },
    });
    const { toSQL, values, exact } = mapping.where('a == v and s["x\'\\\\"] == w and m["x\'"] == y', {
      unresolved: 'absent',
    });
    expect(exact).toBe(true);
    const found = (await run(
      `SELECT ${mapping.select} FROM ${mapping.from} WHERE ${toSQL(namedPlaceholder)}`,
      values,
      null,
    )) as Row[];
    expect(found.map((row) => mapping.decode(row))).toEqual([
      { a: 'v', s: { "x'\\": 'w' }, m: { "x'": 'y' } },
    ]);
  });

  it('sends @clickhouse/client named strings, and aborts its request', async () => {
    const requests: { readonly url: URL; readonly body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push({ url: new URL(request.url ?? '', 'http://localhost'), body });
        if (body.includes('"hang"')) return;
        if (body.includes('"gone"')) {
          response.writeHead(404, { 'x-clickhouse-exception-code': '47' });
          response.end("Code: 47. DB::Exception: Unknown expression identifier 'gone'. (UNKNOWN_IDENTIFIER)");
          return;
        }
        response.end('{"c0":"b\\u0000","c1":"9007199254740993","c2":"-0"}\n');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { createClient } = requireExtra('extra/clickhouse', '@clickhouse/client') as {
      createClient(options: object): ClickhouseClient & { close(): Promise<void> };
    };
    const client = createClient({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      log: { level: 127 },
    });
    const query = clickhouseRun(client);
    const of = (name: string) =>
      sqlMapping(defineSchema({ id: t.string, n: t.int, f: t.float64 }), {
        ...{ dialect: 'clickhouse', table: 'jobs' },
        columns: {
          ...{ id: text(name, { notNull: true }), n: int('n', { notNull: true }) },
          f: float('f', { notNull: true }),
        },
      });
    const list = createList(sqlListSource(of('id'), query, { key: 'id' }));
    const word = "a\tb\nc\\d'e\0\u{1f600}";
    const { items } = await list.page({ filter: `id >= ${JSON.stringify(word)} and n > 5`, perPage: 1 });
    expect(items).toEqual([{ id: 'b\0', n: 9007199254740993n, f: -0 }]);
    const [{ url, body } = { url: new URL('http://x'), body: '' }] = requests;
    // The escapes of the format in which the server parses parameters.
    expect(url.searchParams.get('param_p1')).toBe("a\\tb\\nc\\\\d\\'e\0\u{1f600}");
    expect(url.searchParams.get('param_p2')).toBe('5');
    expect(body).toContain('WHERE ("jobs"."id" >= {p1:String} AND "jobs"."n" > toInt64({p2:String}))');
    const gone = createList(sqlListSource(of('gone'), query, { key: 'id' }));
    await expect(gone.page({ filter: 'n > 5' })).rejects.toMatchObject({ code: 'invalid-mapping' });
    const controller = new AbortController();
    const hanging = expect(Promise.resolve(query('SELECT "hang"', [], controller.signal))).rejects.toThrow();
    controller.abort();
    await hanging;
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  it('reads only the last versions of rows if the mapping has final', async () => {
    session.query('DROP TABLE IF EXISTS versions');
    session.query('CREATE TABLE versions (id String, n Int64) ENGINE = ReplacingMergeTree ORDER BY id');
    session.query("INSERT INTO versions VALUES ('a', 1)");
    session.query("INSERT INTO versions VALUES ('a', 2)");
    const versioned = defineSchema({ id: t.string, n: t.int });
    const of = (final: boolean) =>
      sqlMapping(versioned, {
        ...{ dialect: 'clickhouse', table: 'versions', alias: 'v', final },
        columns: { id: text('id', { notNull: true }), n: int('n', { notNull: true }) },
      });
    const list = createList(sqlListSource(of(true), run, { key: 'id' }));
    expect((await list.page({ filter: 'n > 0', perPage: 5 })).items).toEqual([{ id: 'a', n: 2 }]);
    expect(await list.count({ filter: 'n == 1' })).toBe(0);
    expect((await verifyMapping(of(false), run)).map(({ message }) => message)).toEqual([
      'its engine ReplacingMergeTree keeps several versions of a row until it merges them: set final in the mapping',
    ]);
    expect(await verifyMapping(of(true), run, { key: 'id', scan: true })).toEqual([]);
  });

  it('reports a mapping that does not fit the table as such', async () => {
    fillTraps([]);
    const wrong = sqlMapping(trapSchema, {
      dialect: 'clickhouse',
      table: 'traps',
      columns: { ...columns, s: text('gone') },
    });
    const list = createList(sqlListSource(wrong, run, { key: 'id' }));
    await expect(list.page({ filter: 's == x' })).rejects.toMatchObject({ code: 'invalid-mapping' });
  });

  it('reports each column that is not as the mapping says, with what to do', async () => {
    const odd = defineSchema({
      ...{ gone: t.string, fixed: t.string, kind: t.string, ident: t.string, host: t.string },
      ...{ small: t.float64, money: t.float64, huge: t.int, flag: t.bool, stamp: t.time, day: t.time },
      ...{ millis: t.time, written: t.time, doc: t.map(t.string), data: t.map(t.string) },
      ...{ words: t.list(t.string), counts: t.map(t.int), part: t.struct({ A: t.string, B: t.int }) },
      ...{ nil: t.string, present: t.int },
    });
    session.query('DROP TABLE IF EXISTS odd');
    session.query(
      "CREATE TABLE odd (key String, fixed FixedString(3), kind Enum8('b' = 1, 'a' = 2), ident UUID, host IPv4, small Float32, money Decimal(9, 2), huge Int128, flag UInt8, stamp DateTime, day Date, millis DateTime64(3), written DateTime64(3), doc JSON, data String, words Array(FixedString(3)), counts Map(UInt8, Int64), part Tuple(A String, C Int64), nil Nullable(String), present Int64) ENGINE = MergeTree ORDER BY key",
    );
    session.query(
      "INSERT INTO odd (key, nil, data) VALUES ('a', 'x', 'null'), ('b', 'x', 'null'), ('b', '\\xff', 'null')",
    );
    const mapping = sqlMapping(odd, {
      dialect: 'clickhouse',
      table: 'odd',
      columns: {
        ...{ gone: text('gone'), fixed: text('fixed'), kind: text('kind'), ident: text('ident') },
        ...{ host: text('host'), small: float('small'), money: float('money'), huge: int('huge') },
        ...{ flag: bool('flag'), stamp: datetime64('stamp'), day: datetime64('day') },
        ...{ millis: datetime64('millis'), written: timeText('written'), doc: json('doc') },
        ...{ data: json('data', { constrained: true }), words: array('words'), counts: map('counts') },
        ...{ part: struct('part'), nil: text('nil', { notNull: true }), present: int('present') },
      },
    });
    session.query('SET transform_null_in = 1');
    const found = await verifyMapping(mapping, run);
    session.query('SET transform_null_in = 0');
    const unnamed = new Map(found.map(({ column, message }) => [column, message]));
    expect([...unnamed.keys()].sort()).toEqual([null, ...odd.root.properties.keys()].sort());
    expect(unnamed.get(null)).toMatch(/transform_null_in is set/);
    for (const { sql } of found) if (sql !== null) session.query(sql);
    const left = await verifyMapping(mapping, run, { scan: true });
    expect(left.map(({ column, message }) => `${column ?? ''}: ${message}`)).toMatchSnapshot();
    await expect(otherDialects.verifyMapping(mapping, run)).rejects.toThrow('tamis/clickhouse');
  });

  it('reports rows with the same key, and a key that the table is not sorted by', async () => {
    session.query('DROP TABLE IF EXISTS keys');
    session.query('CREATE TABLE keys (n Int64, id String) ENGINE = MergeTree ORDER BY (n, id)');
    session.query("INSERT INTO keys VALUES (1, 'a'), (2, 'a'), (3, 'b')");
    const mapping = sqlMapping(defineSchema({ id: t.string, n: t.int }), {
      dialect: 'clickhouse',
      table: ['default', 'keys'],
      columns: { id: text('id', { notNull: true }), n: int('n', { notNull: true }) },
    });
    const messages = async (options: object): Promise<readonly string[]> =>
      (await verifyMapping(mapping, run, options)).map(({ message }) => message);
    expect(await messages({})).toEqual([]);
    expect(await messages({ key: 'id' })).toEqual([
      expect.stringMatching(/^the sorting key is \(n, id\)/),
      'the key is assumed to be unique, which ClickHouse does not check: pass scan: true',
    ]);
    expect(await messages({ key: 'id', scan: true })).toEqual([
      expect.stringMatching(/^the sorting key is/),
      'the key is not unique: 1 rows of "keys" have that of another row, and pages could omit them',
    ]);
    expect(await messages({ key: 'n', scan: true })).toEqual([]);
  });

  it('reads part of the granules for ten statements that an index can serve', async () => {
    const indexed = defineSchema({
      ...{ id: t.string, name: t.string, kind: t.string, n: t.int, at: t.time, f: t.float64 },
      ...{ tags: t.list(t.string), m: t.map(t.string) },
    });
    const mapping = sqlMapping(indexed, {
      dialect: 'clickhouse',
      table: 'indexed',
      columns: {
        ...{ id: text('id', { notNull: true }), name: text('name', { notNull: true }) },
        ...{ kind: text('kind', { notNull: true }), n: int('n', { notNull: true }) },
        ...{ at: datetime64('at', { notNull: true }), f: float('f', { notNull: true }) },
        ...{ tags: array('tags'), m: map('m') },
      },
    });
    session.query('DROP TABLE IF EXISTS indexed');
    session.query(
      `CREATE TABLE indexed (id String, name String, kind String, n Int64, at DateTime64(6, 'UTC'), f Float64, tags Array(String), m Map(String, String),
         INDEX a name TYPE minmax, INDEX b kind TYPE bloom_filter, INDEX c at TYPE minmax, INDEX d f TYPE minmax, INDEX e tags TYPE bloom_filter, INDEX g mapKeys(m) TYPE bloom_filter)
         ENGINE = MergeTree ORDER BY (n, id) SETTINGS index_granularity = 100`,
    );
    session.query(
      "INSERT INTO indexed SELECT 'r' || number, 'web-' || leftPad(toString(number), 5, '0'), 'k' || number, number, toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + number * 60, number / 7, ['t' || number], map('k' || number, 'v') FROM numbers(20000)",
    );
    const share = async (statement: string, values: readonly unknown[]): Promise<number> => {
      const plan = await run(`EXPLAIN indexes = 1 ${statement}`, [...values] as string[], null);
      const lines = (plan as Row[]).map(({ explain }) => String(explain)).join('\n');
      const granules = [...lines.matchAll(/Granules: (\d+)\/(\d+)/g)].map(([, part, of]) => [part, of]);
      const all = Math.max(...granules.map(([, of]) => Number(of)));
      return Number(granules.at(-1)?.[0] ?? all) / all;
    };
    const filters = [
      ...['n > 19900', 'n == 7', 'n in [5, 9000]', 'name starts with "web-0001"', 'name < "web-00100"'],
      ...['kind == "k7"', 'at > 2026-01-14T20:00:00Z', 'f < 1.5', '"t7" in tags', '"k7" in m'],
    ];
    for (const filter of filters) {
      const { toSQL, values, exact } = mapping.where(filter, { unresolved: 'absent' });
      expect(exact).toBe(true);
      const part = await share(`SELECT id FROM indexed WHERE ${toSQL(namedPlaceholder)}`, values);
      expect([filter, part < 0.2]).toEqual([filter, true]);
    }
    const statements: [string, readonly unknown[]][] = [];
    const list = createList(
      sqlListSource(
        mapping,
        (statement, values) => {
          statements.push([statement, values]);
          return run(statement, values, null);
        },
        { key: 'id', sorts: ['n'] },
      ),
    );
    const { nextToken } = await list.page({ sort: '-n', filter: 'n < 1000', perPage: 50 });
    await list.page({ sort: '-n', perPage: 50, nextToken });
    const [statement = '', values = []] = statements.at(-1) ?? [];
    expect(statement).toContain('"n" < toInt64({p1:String}) OR ("indexed"."n" = toInt64({p2:String}) AND');
    expect(await share(statement, values)).toBeLessThan(0.1);
  });
});

describe('mappings of ClickHouse', () => {
  const of = (columns: object, more: object = {}): unknown =>
    sqlMapping(defineSchema({ a: t.string, l: t.nullable(t.list(t.string)), x: t.list(t.any) }), {
      ...{ dialect: 'clickhouse', table: 'jobs', columns, ...more },
    } as never);

  it.each([
    [{}, { dialect: 'postgres' }, 'sqlMapping: dialect must be \'clickhouse\', got "postgres"'],
    [{}, { final: 1 }, 'sqlMapping: final must be a boolean, got 1'],
    [
      { l: array('l') },
      {},
      'sqlMapping: l may be null or contain values that array columns do not store: map it with json()',
    ],
    [{ x: array('x') }, {}, 'map it with json()'],
    [{ l: otherDialects.array('l') }, {}, 'the column of l must be created with array() of tamis/clickhouse'],
    [{ a: otherDialects.uuid('a') }, {}, 'a is stored as uuid, which clickhouse does not support'],
  ])('refuse %j %j', (columns, more, message) => {
    expect(() => of(columns, more)).toThrow(message);
  });

  it('write placeholders with the types of values', () => {
    const given = ['a', 5, 2n ** 64n - 1n, 0.5, true, null];
    expect(given.map((value, at) => namedPlaceholder(at + 1, value))).toEqual([
      ...['{p1:String}', '{p2:Int64}', '{p3:UInt64}', '{p4:Float64}', '{p5:Bool}', '{p6:Nullable(String)}'],
    ]);
    expect(namedValues(['a', null], 3)).toEqual({ p3: 'a', p4: null });
  });

  it('leave long filters to the residual before the statement reaches the limit of ClickHouse', () => {
    const { where } = sqlMapping(defineSchema({ a: t.string }), {
      ...{ dialect: 'clickhouse', table: 'x'.repeat(100), columns: { a: text('a', { notNull: true }) } },
    });
    const filter = Array.from({ length: 1_500 }, (_, at) => `a == v${at}`).join(' or ');
    expect(where(filter).exact).toBe(false);
    expect(where(Array.from({ length: 900 }, (_, at) => `a == v${at}`).join(' or ')).exact).toBe(true);
  });
});
