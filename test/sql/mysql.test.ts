import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import {
  bool,
  datetime,
  defaultMapping,
  float,
  int,
  json,
  mysqlRun,
  sqlListSource,
  sqlMapping,
  text,
  timeText,
  verifyMapping,
  type MysqlPool,
  type RunSql,
} from '../../src/entries/mysql.js';
import * as otherDialects from '../../src/entries/sql.js';
import { createRandom } from '../fuzz/random.js';
import { Draw } from '../support/draw.js';
import { filterOf, lines, now, rows } from './corner-cases.js';
import { mysqlEngine, type Engine, type MysqlConnection } from './engines.js';
import { testMappingOf, schema } from './test-mapping.js';
import { proveFilters } from './laws.js';
import { startMariadb, whyNoMariadb, type MariadbServer } from './mariadb.js';
import { spoil } from './wild.js';

type Row = Record<string, unknown>;

describe.skipIf(whyNoMariadb !== null)(
  `MariaDB${whyNoMariadb === null ? '' : ` (skipped: ${whyNoMariadb})`}`,
  () => {
    let server: MariadbServer;
    let connection: MysqlConnection;
    let engine: Engine;
    const run: RunSql = async (statement, values) => engine.run(statement, values);

    beforeAll(async () => {
      server = await startMariadb();
      connection = await server.connect();
      engine = mysqlEngine(connection);
      await connection.query("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'");
    });

    afterAll(async () => {
      await connection.end();
      await server.stop();
    });

    it('finds the rows of the filter for all corner cases, and fails for none', async () => {
      const mapping = testMappingOf('mysql', 'corners');
      const { source } = mapping;
      await engine.fill(mapping, 'corners', rows);
      const dates = ['0000-00-00', '2026-02-00', '2026-02-31', '0000-01-01'];
      const put = (name: string, value: string, at: number): unknown =>
        engine.run(`UPDATE corners SET \`${name}"?\` = ${value} WHERE \`id"?\` = 'r0${at}'`, []);
      for (const [at, date] of dates.entries()) await put('at', `'${date}'`, at);
      await put('text', "CONCAT('web', CHAR(0), '-1')", 3);
      await put('meta', "'no json'", 4);
      const select = `SELECT ${source.select} FROM ${source.from}`;
      for (const mode of ['ALLOW_INVALID_DATES', 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES,ANSI_QUOTES']) {
        await connection.query(`SET SESSION sql_mode = '${mode}'`);
        const all = (await engine.run(`${select} ORDER BY 1`, [])).map((row) => source.decode(row) as Row);
        const kinds = { exact: 0, partial: 0, residual: 0 };
        for (const line of lines) {
          const filter = filterOf(line);
          const query = source.where(filter, { unresolved: 'absent', now });
          const whole = compileFilter(filter, { schema, unresolved: 'absent', now: () => now });
          const found = await engine.run(`${select} WHERE ${query.toSQL('?')} ORDER BY 1`, query.values);
          const left = found.map((row) => source.decode(row) as Row);
          const { residual, clauses, exact } = query;
          const ids = (list: readonly Row[]): unknown[] => list.map(({ id }) => id);
          expect({ filter, rows: ids(residual === null ? left : left.filter(residual.test)) }).toEqual({
            filter,
            rows: ids(all.filter((row) => whole.test(row))),
          });
          const isResidual = clauses.every(({ by }) => by === 'residual');
          kinds[exact ? 'exact' : isResidual ? 'residual' : 'partial'] += 1;
        }
        expect(kinds).toEqual({ exact: 272, partial: 2, residual: 11 });
      }
      await connection.query("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'");
      const wild = testMappingOf('mysql', 'wild');
      const ids = Array.from({ length: 40 }, (_, at) => ({ id: `r${at}`, strict: '', count: 0 }));
      await engine.fill(wild, 'wild', ids);
      const draw = new Draw(createRandom(7).below);
      await spoil(engine, ids.length, (from) => draw.pick(from));
      for (const line of lines) {
        const query = wild.source.where(filterOf(line), { unresolved: 'absent', now });
        const counted = engine.run(`SELECT count(*) AS n FROM wild WHERE ${query.toSQL('?')}`, query.values);
        await expect(Promise.resolve(counted), line).resolves.toHaveLength(1);
      }
    });

    it('has the results of random filters, and the pages and facets of an array', async () => {
      const reports: string[] = [];
      const tally = await proveFilters(engine, new Draw(createRandom(7).below), 200, (...report) =>
        reports.push(report.join('\n')),
      );
      expect(reports).toEqual([]);
      expect(tally.exact).toBeGreaterThan(150);
      expect(tally.lists).toBeGreaterThan(8);
    });

    const trapSchema = defineSchema({
      id: t.string,
      s: t.string,
      m: t.map(t.string),
      n: t.map(t.uint),
      o: t.struct({ '-s': t.string, é: t.string, plain: t.string }),
      i: t.int,
      u: t.uint,
      f: t.float64,
      b: t.bool,
    });
    const traps = sqlMapping(trapSchema, {
      dialect: 'mysql',
      server: 'mariadb',
      table: 'traps',
      columns: {
        id: text('id', { notNull: true, collation: 'C' }),
        s: text('s'),
        m: json('m'),
        n: json('n'),
        o: json('o'),
        i: int('i'),
        u: int('u'),
        f: float('f'),
        b: bool('b'),
      },
    });

    /** Creates the table with these rows. `s` has the given collation. */
    async function fillTraps(given: readonly Row[], collation = 'utf8mb4_general_ci'): Promise<void> {
      await engine.run('DROP TABLE IF EXISTS traps', []);
      await engine.run(
        `CREATE TABLE traps (id VARCHAR(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, s TEXT COLLATE ${collation}, m LONGTEXT, n LONGTEXT, o LONGTEXT, i BIGINT, u BIGINT UNSIGNED, f DOUBLE, b TINYINT(1))`,
        [],
      );
      for (const [at, row] of given.entries()) {
        const names = Object.keys(row);
        await engine.run(
          `INSERT INTO traps (${['id', ...names].join()}) VALUES (${['id', ...names].map(() => '?').join()})`,
          [`r${at}`, ...Object.values(row)],
        );
      }
    }

    async function idsOf(filter: string, isExact = true): Promise<string> {
      const { exact, residual, toSQL, values } = traps.where(filter, { unresolved: 'absent' });
      expect(exact).toBe(isExact);
      const found = await engine.run(
        `SELECT ${traps.select} FROM ${traps.from} WHERE ${toSQL('?')} ORDER BY id`,
        values,
      );
      const left = found.map(traps.decode).filter((row) => residual?.test(row) ?? true);
      return left.map(({ id }) => id).join();
    }

    it.each([
      ['utf8mb4_bin', 'which pads strings'],
      ['utf8mb4_general_ci', 'which ignores letter case'],
      ['utf8mb4_unicode_ci', 'which ignores accents'],
    ])('compares strings by bytes in a column of %s, %s', async (collation) => {
      await fillTraps(
        ['a', 'a ', 'A', 'á', 'a\t', '\u{1f600}', '', 'xy\u{1f600}'].map((s) => ({ s })),
        collation,
      );
      expect(await idsOf('s == "a"')).toBe('r0');
      expect(await idsOf('s in ["a ", "\u{1f600}"]')).toBe('r1,r5');
      expect(await idsOf('s != "a"')).toBe('r1,r2,r3,r4,r5,r6,r7');
      expect(await idsOf('s < "a\\t"')).toBe('r0,r2,r6');
      expect(await idsOf('s like "?a*" or s contains "A"')).toBe('r2');
      expect(await idsOf('s matches "^a.?$"')).toBe('r0,r1,r4');
      expect(await idsOf('s == "a"i')).toBe('r0,r2');
      expect(await idsOf('s starts with "a" and not (s ends with " ")')).toBe('r0,r4');
      expect(await idsOf('s ends with "\u{1f600}"')).toBe('r5,r7');
      expect(await idsOf('len(s) == 1')).toBe('r0,r2,r3,r5');
    });

    it.each([
      ['{"-s":"x"}', '-s'],
      ['{"\\u00e9":"x"}', 'é'],
      ['{"\\/":"x"}', '/'],
      ['{"\\u000b":"x"}', '\u000b'],
      ['{"a b":"x","\'":"y"}', 'a b'],
      ['{"":"x"}', ''],
      [String.raw`{"11\"11\"":"y","":"x"}`, ''],
      [String.raw`{"\"K- s":"y","- s":"x"}`, '- s'],
      [String.raw`{"1\\\"k":"y","k":"x","\\":"z"}`, 'k'],
    ])('finds the key of %s however it is written', async (m, key) => {
      await fillTraps([{ m }, { m: '{"a":"x"}' }]);
      expect(await idsOf(`m[${JSON.stringify(key)}] == "x"`)).toBe('r0');
      expect(await idsOf(`${JSON.stringify(key)} in m`)).toBe('r0');
      expect(await idsOf(`any m as k, v { k == ${JSON.stringify(key)} and v == "x" }`)).toBe('r0');
    });

    it('finds fields of structs whose names are not words', async () => {
      await fillTraps([{ o: '{"-s":"x","\\u00e9":"y","plain":"z"}' }, { o: '{"s":"x"}' }]);
      expect(await idsOf('o["-s"] == "x"')).toBe('r0');
      expect(await idsOf('o["é"] == "y" and o.plain == "z"')).toBe('r0');
      expect(await idsOf('o["-s"] is empty')).toBe('r1');
    });

    it('reads JSON with an unpaired surrogate as null in statements and in rows', async () => {
      await fillTraps([{ m: '{"k":"\\ud800"}' }, { m: '{"k":"a"}' }]);
      expect(await idsOf('m is empty')).toBe('r0');
      expect(await idsOf('m.k == "a"')).toBe('r1');
      expect(await idsOf('"k" in m')).toBe('r1');
    });

    it('never sends a pattern that backtracks, for which MariaDB finds no match', async () => {
      await fillTraps([
        { s: `${'a'.repeat(38)}b` },
        { s: 'a'.repeat(5_000) },
        { s: 'x\n' },
        { s: 'xx' },
        { s: `${'a'.repeat(12)}c${'a'.repeat(60)}d` },
      ]);
      expect(await idsOf('s matches "^(aa?)+$"', false)).toBe('r1');
      expect(await idsOf('s matches "^a*a*a*a*$"', false)).toBe('r1');
      expect(await idsOf('s matches "x$"')).toBe('r3');
      expect(await idsOf('s matches "^a+b"')).toBe('r0');
      expect(await idsOf('s matches "(a|b|ab|ba){6}"', false)).toBe('r0,r1,r4');
      expect(await idsOf(`s like "${'*A'.repeat(12)}*C*D"i`)).toBe('r4');
      expect(await idsOf(`s like "${'*A*A'.repeat(10)}*b"i`)).toBe('r0');
      expect(await idsOf(`s like "*a${'*A'.repeat(20)}"i`)).toBe('r1');
    });

    it('compares integers of 64 bits, with and without a sign, and floats beyond the column', async () => {
      await fillTraps([
        { i: '9007199254740993', u: '18446744073709551615', f: '1e308', n: '{"k":18446744073709551615}' },
        { i: '9007199254740992', u: '9223372036854775808', f: '-0.0', n: '{"k":9223372036854775807}' },
      ]);
      expect(await idsOf('i == 9007199254740993')).toBe('r0');
      expect(await idsOf('u > 9223372036854775808')).toBe('r0');
      expect(await idsOf('u >= 9223372036854775808')).toBe('r0,r1');
      expect(await idsOf('f < "Inf" and f > "-Inf"')).toBe('r0,r1');
      expect(await idsOf('f == 0')).toBe('r1');
      expect(await idsOf('n.k > 9223372036854775807')).toBe('r0');
      const list = createList(sqlListSource(traps, run, { key: 'id', sorts: ['u', 'f'] }));
      const { items, nextToken } = await list.page({ sort: '-u', perPage: 1 });
      expect(items[0]?.u).toBe(18446744073709551615n);
      expect((await list.page({ sort: '-u', perPage: 1, nextToken })).items[0]?.u).toBe(9223372036854775808n);
    });

    it('distinguishes true from false, and reads NULL as false', async () => {
      await fillTraps([{ b: '1' }, { b: '0' }, {}]);
      expect(await idsOf('b == true')).toBe('r0');
      expect(await idsOf('b == false')).toBe('r1,r2');
    });

    it.each(['mysql2', 'mariadb'] as const)('serves lists and cancels statements with %s', async (driver) => {
      const pool = server.pool(driver);
      const query = mysqlRun(pool as MysqlPool, pool as MysqlPool);
      const words = ['a\\b', `\\' OR 1=1 -- `, `'"\`?`, '\0\u{1f600}'];
      await fillTraps(words.map((s, at) => ({ s, i: String(9007199254740993n + BigInt(at)), f: '0.1' })));
      for (const mode of ['NO_BACKSLASH_ESCAPES', '']) {
        await connection.query(`SET GLOBAL sql_mode = '${mode}'`);
        const list = createList(sqlListSource(traps, query, { key: 'id', sorts: ['i'] }));
        for (const [at, word] of words.entries()) {
          const { items } = await list.page({
            filter: `s == ${JSON.stringify(word)}`,
            sort: '-i',
            perPage: 2,
          });
          expect(items.map(({ id, i, f, s }) => [id, i, f, s])).toEqual([
            [`r${at}`, 9007199254740993n + BigInt(at), 0.1, word],
          ]);
        }
        expect(await list.count({})).toBe(4);
      }
      const controller = new AbortController();
      const slow = query('SELECT SLEEP(60) AS n', [], controller.signal);
      const settled = expect(Promise.resolve(slow)).rejects.toThrow(/interrupted/i);
      for (;;) {
        const found = await engine.run(
          "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(60)%'",
          [],
        );
        if (found.length > 0) break;
      }
      controller.abort();
      await settled;
      expect(await query('SELECT 1 AS n', [], null)).toHaveLength(1);
      const list = createList(
        sqlListSource(
          traps,
          (statement, values) => query(statement.replaceAll('`s`', '`gone`'), values, null),
          {
            key: 'id',
          },
        ),
      );
      await expect(list.page({ filter: 's == x' })).rejects.toMatchObject({ code: 'invalid-mapping' });
      await pool.end();
    });

    it('reports each column that is not as the mapping says, with what fixes it', async () => {
      const odd = defineSchema({
        ...{ gone: t.string, padded: t.string, latin: t.string, key: t.string, bin: t.string },
        ...{ kind: t.string, ident: t.string, small: t.float64, money: t.float64, flag: t.bool, bit: t.bool },
        ...{ stamp: t.time, day: t.time, zero: t.time, written: t.time, data: t.map(t.string) },
        ...{ words: t.map(t.string), nil: t.string, present: t.int },
      });
      await engine.run(
        `CREATE TABLE odd (padded CHAR(5), latin VARCHAR(9) CHARACTER SET latin1, \`key\` VARCHAR(9) COLLATE utf8mb4_bin NOT NULL, bin VARCHAR(9), kind ENUM('b', 'a'), ident UUID, small FLOAT, money DECIMAL(9, 2), flag TINYINT(1), bit BIT(1), stamp TIMESTAMP NULL, day DATE, zero DATETIME, written BLOB, data LONGTEXT, words VARCHAR(99), nil VARCHAR(9) COLLATE utf8mb4_nopad_bin, present INT NOT NULL)`,
        [],
      );
      const mapping = sqlMapping(odd, {
        dialect: 'mysql',
        server: 'mariadb',
        table: 'odd',
        columns: {
          ...{ gone: text('gone'), padded: text('padded'), latin: text('latin') },
          ...{ key: text('key', { notNull: true }), bin: text('bin', { collation: 'C' }) },
          ...{ kind: text('kind'), ident: text('ident'), small: float('small'), money: float('money') },
          ...{ flag: bool('flag'), bit: bool('bit'), stamp: datetime('stamp'), day: datetime('day') },
          ...{ zero: datetime('zero', { constrained: true }), written: timeText('written') },
          ...{ data: json('data', { constrained: true }), words: json('words') },
          ...{ nil: text('nil', { notNull: true }), present: int('present') },
        },
      });
      await connection.query('SET NAMES latin1');
      const found = await verifyMapping(mapping, run, { key: 'key' });
      await connection.query('SET NAMES utf8mb4');
      const unnamed = new Map(found.map(({ column, message }) => [column, message]));
      expect(unnamed.get(null)).toMatch(/character set of the session is not utf8mb4/);
      expect([...unnamed.keys()].sort()).toEqual(
        [null, ...Object.keys(odd.toJSON().structs.Row?.fields ?? {})].sort(),
      );
      expect(unnamed.get('gone')).toBe('the table has no such column');
      expect(unnamed.get('padded')).toBe(
        'it is char(5), which cannot store text: it removes spaces at the end',
      );
      // The key has two findings: its collation, and that no index makes it unique.
      expect(found.filter(({ column }) => column === 'key')).toHaveLength(2);
      const mode = "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE'";
      await connection.query(mode);
      for (const { sql } of found) if (sql !== null) await engine.run(sql, []);
      for (const { sql } of await verifyMapping(mapping, run))
        if (sql?.includes('CHECK') === true) await engine.run(sql, []);
      const left = await verifyMapping(mapping, run, { key: 'key' });
      expect(left.map(({ column }) => column)).toEqual(['gone', 'kind', 'ident', 'written', 'present']);
      expect(left.map(({ message }) => message)).toMatchInlineSnapshot(`
        [
          "the table has no such column",
          "it is enum('b','a'), which cannot store text: it sorts by position; map the column that the statement adds",
          "it is uuid, which cannot store text: it does not sort like its strings; map the column that the statement adds",
          "it is blob, which cannot store timeText: map a generated column that has the value in that type",
          "it is NOT NULL: set notNull, so that statements are shorter and can use indexes",
        ]
      `);
      await connection.query("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'");
      await expect(otherDialects.verifyMapping(mapping, run)).rejects.toThrow('tamis/mysql');
    });

    it('finds no fault in the table of a correct mapping', async () => {
      await connection.query("SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE'");
      await engine.run(
        'CREATE TABLE good (id VARCHAR(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, b TINYINT(1) CHECK (b IN (0, 1)), j JSON, u BIGINT UNSIGNED, d DATETIME(6), s TEXT)',
        [],
      );
      const good = defineSchema({
        id: t.string,
        b: t.bool,
        j: t.list(t.string),
        u: t.uint,
        d: t.time,
        s: t.string,
      });
      const mapping = sqlMapping(good, {
        dialect: 'mysql',
        server: 'mariadb',
        table: ['tamis', 'good'],
        columns: {
          ...{ id: text('id', { notNull: true, collation: 'C' }), b: bool('b'), u: int('u'), s: text('s') },
          ...{ j: json('j', { constrained: true }), d: datetime('d') },
        },
      });
      expect(await verifyMapping(mapping, run, { key: 'id' })).toEqual([]);
      await connection.query("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'");
    });

    it('evaluates tiny numbers and booleans of JSON, whatever the collation of the session', async () => {
      await connection.query(
        'CREATE OR REPLACE TABLE odd_json (id INT NOT NULL PRIMARY KEY, j JSON, m JSON)',
      );
      const stored = ['[1e-38]', '[-1e-50]', '[0]', '[1]', '[5e-324, 3]'];
      for (const [id, list] of stored.entries())
        await engine.run(`INSERT INTO odd_json VALUES (${id}, ?, ?)`, [list, `{"k":${id % 2 === 0}}`]);
      const own = defineSchema({ id: t.int, j: t.list(t.int), m: t.map(t.bool) });
      const mapping = sqlMapping(own, {
        dialect: 'mysql',
        server: 'mariadb',
        table: 'odd_json',
        columns: { id: int('id', { notNull: true }), j: json('j'), m: json('m') },
      });
      const filters = ['0 in j', 'any j as e { e > 0 }', 'any j as e { e < 0 }', 'm.k == true', '1 in j'];
      for (const collation of ['utf8mb4_general_ci', 'utf8mb4_nopad_bin']) {
        await connection.query(`SET NAMES utf8mb4 COLLATE ${collation}`);
        for (const filter of filters) {
          const where = mapping.where(filter, { unresolved: 'absent' });
          const matches = compileFilter(filter, { schema: own, unresolved: 'absent' }).test;
          const select = `SELECT ${mapping.select} FROM ${mapping.from}`;
          const all = (await engine.run(`${select} ORDER BY 1`, [])).map((row) => mapping.decode(row) as Row);
          const found = await engine.run(`${select} WHERE ${where.toSQL('?')} ORDER BY 1`, where.values);
          const left = found.map((row) => mapping.decode(row) as Row);
          expect([filter, where.residual === null ? left : left.filter(where.residual.test)]).toEqual([
            filter,
            all.filter(matches as never),
          ]);
        }
      }
      await connection.query('SET NAMES utf8mb4');
    });

    it('accepts only constraints that exclude all other values, and keeps constraints and comments', async () => {
      await connection.query(
        `CREATE OR REPLACE TABLE checked (id VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL PRIMARY KEY,
          b TINYINT(1) NOT NULL CHECK (b IN (0, 1, 2)), t DATETIME(6) NOT NULL CHECK (t <> '0000-00-00'),
          s VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin COMMENT 'keep', x FLOAT NOT NULL CHECK (x >= 0))`,
      );
      const own = defineSchema({ id: t.string, b: t.bool, t: t.time, s: t.string, x: t.float64 });
      const notNull = { notNull: true };
      const mapping = sqlMapping(own, {
        dialect: 'mysql',
        server: 'mariadb',
        table: 'checked',
        columns: {
          id: text('id', { notNull: true, collation: 'C' }),
          b: bool('b', notNull),
          t: datetime('t', { notNull: true, constrained: true }),
          s: text('s', { notNull: true, collation: 'C' }),
          x: float('x', notNull),
        },
      });
      const found = await verifyMapping(mapping, run, { key: 'id' });
      const of = (column: string): (string | null)[] =>
        found.filter((each) => each.column === column).map(({ sql }) => sql);
      expect(of('b')).toEqual([expect.stringContaining('ADD CHECK')]);
      expect(of('t')).toEqual([expect.stringContaining('ADD CHECK')]);
      expect([...of('s'), ...of('x')]).toEqual([null, null]);
      expect(found.some(({ message }) => message.includes('sql_mode'))).toBe(true);
    });

    it('reports a key that is unique by a prefix only', async () => {
      await engine.run(
        'CREATE TABLE prefixes (id VARCHAR(99) COLLATE utf8mb4_nopad_bin NOT NULL, UNIQUE (id(5)))',
        [],
      );
      const mapping = sqlMapping(defineSchema({ id: t.string }), {
        dialect: 'mysql',
        server: 'mariadb',
        table: 'prefixes',
        columns: { id: text('id', { notNull: true, collation: 'C' }) },
      });
      const found = await verifyMapping(mapping, run, { key: 'id' });
      expect(found.filter(({ column }) => column === 'id')).toEqual([
        {
          column: 'id',
          message: 'the key is not unique: a page could omit a row',
          sql: 'CREATE UNIQUE INDEX `prefixes_key` ON `prefixes` (`id`)',
        },
      ]);
    });

    it('refuses columns whose names differ only in letter case', () => {
      const two = defineSchema({ mi: t.int, MI: t.int });
      expect(() => defaultMapping(two, 'mariadb', 'jobs')).toThrow(
        'sqlMapping: mi and MI are the same column: names ignore letter case',
      );
    });

    it('uses an index for ten statements that have one', async () => {
      const indexed = defineSchema({
        id: t.string,
        name: t.string,
        kind: t.string,
        n: t.int,
        at: t.time,
        f: t.float64,
      });
      const mapping = sqlMapping(indexed, {
        dialect: 'mysql',
        server: 'mariadb',
        table: 'indexed',
        columns: {
          id: text('id', { notNull: true, collation: 'C' }),
          name: text('name', { notNull: true, collation: 'C' }),
          kind: text('kind', { notNull: true }),
          n: int('n', { notNull: true }),
          at: datetime('at', { notNull: true, constrained: true }),
          f: float('f', { notNull: true }),
        },
      });
      await engine.run(
        'CREATE TABLE indexed (id VARCHAR(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, name VARCHAR(20) COLLATE utf8mb4_nopad_bin NOT NULL, kind VARCHAR(20) NOT NULL, n BIGINT NOT NULL, at DATETIME(6) NOT NULL, f DOUBLE NOT NULL, KEY (name), KEY (kind), KEY (n, id), KEY (at), KEY (f))',
        [],
      );
      await engine.run(
        "INSERT INTO indexed SELECT CONCAT('r', seq), CONCAT('web-', seq), CONCAT('k', seq), seq, '2026-01-01' + INTERVAL seq MINUTE, seq / 7 FROM seq_1_to_5000",
        [],
      );
      await engine.run('ANALYZE TABLE indexed', []);
      const keyOf = async (statement: string, values: readonly unknown[]): Promise<string> => {
        const [plan] = await engine.run(`EXPLAIN ${statement}`, values);
        return plan?.type === 'ALL' || plan?.type === 'index' ? 'none' : String(plan?.key);
      };
      const filters: readonly (readonly [filter: string, key: string])[] = [
        ['id == "r7"', 'PRIMARY'],
        ['name == "web-7"', 'name'],
        ['name in ["web-7", "web-8"]', 'name'],
        ['name starts with "web-77"', 'name'],
        ['name < "web-100"', 'name'],
        ['kind == "k7"', 'kind'],
        ['n > 4990', 'n'],
        ['at > 2026-01-04T10:00:00Z', 'at'],
        ['f < 1.5', 'f'],
      ];
      for (const [filter, key] of filters) {
        const { toSQL, values } = mapping.where(filter);
        expect([filter, await keyOf(`SELECT * FROM indexed WHERE ${toSQL('?')}`, values)]).toEqual([
          filter,
          key,
        ]);
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
      const { nextToken } = await list.page({ sort: '-n', perPage: 50 });
      await list.page({ sort: '-n', perPage: 50, nextToken });
      const [statement = '', values = []] = statements.at(-1) ?? [];
      expect(statement).toContain(
        '(`indexed`.`n` < CAST(? AS SIGNED) OR (`indexed`.`n` = CAST(? AS SIGNED) AND',
      );
      expect(await keyOf(statement, values)).toBe('n');
    });
  },
);

describe('mappings of MySQL and TiDB', () => {
  const { where } = sqlMapping(schema, {
    dialect: 'mysql',
    server: 'mysql',
    table: 'jobs',
    columns: { text: text('text'), meta: json('meta'), tags: json('tags') },
  });
  const options = { unresolved: 'absent' } as const;

  it('compare strings by the collation of MySQL', () => {
    expect(where('text < "b"', options).toSQL('?')).toContain('COLLATE utf8mb4_0900_bin');
  });

  it('send patterns with a repetition to MySQL only if they are anchored', () => {
    expect(where('text matches "^x[a-z]+y"', options).exact).toBe(true);
    expect(where('text matches "x[a-z]+y"', options).exact).toBe(false);
  });

  it('leave the elements of JSON to the residual in TiDB, and send it all patterns', () => {
    const tidb = sqlMapping(schema, {
      dialect: 'mysql',
      server: 'tidb',
      table: 'jobs',
      columns: { text: text('text'), meta: json('meta'), tags: json('tags') },
    });
    expect(tidb.where('"a" in tags', options).exact).toBe(false);
    expect(tidb.where('meta.k == "a"', options).exact).toBe(false);
    expect(tidb.where('len(tags) > 1 and text matches "^(aa?)+$"', options).exact).toBe(true);
  });

  it.each([
    [{ dialect: 'postgres' }, 'sqlMapping: dialect must be \'mysql\', got "postgres"'],
    [{ server: 'maria' }, "sqlMapping: server must be 'mariadb', 'mysql' or 'tidb', got \"maria\""],
    [{ server: undefined }, "sqlMapping: server must be 'mariadb', 'mysql' or 'tidb', got undefined"],
  ])('refuse %j', (given, message) => {
    const mapping = { dialect: 'mysql', server: 'mysql', table: 'jobs', columns: {}, ...given };
    expect(() => sqlMapping(schema, mapping as never)).toThrow(message);
  });

  it('send CockroachDB regular expressions of RE2', () => {
    const jobs = otherDialects.sqlMapping(schema, {
      dialect: 'postgres',
      server: 'cockroach',
      table: 'jobs',
      columns: { text: text('text') },
    });
    expect(jobs.where('text == "a"i', options).values).toEqual(['\\A[\\x{41}\\x{61}]\\z']);
  });
});
