import { beforeAll, describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import {
  array,
  date,
  enumeration,
  float,
  int,
  jsonb,
  looseText,
  numeric,
  sqlListSource,
  sqlMapping,
  text,
  timestamp,
  timestamptz,
  uuid,
  verifyMapping,
  type Column,
} from '../../src/entries/sql.js';
import { firstUuidFrom } from '../../src/sql/uuid.js';
import { rangeOf } from '../../src/sql/numeric.js';
import { noteOfExtra, whyExtraMissing } from '../support/extra.js';
import { createRandom } from '../fuzz/random.js';
import { Draw } from '../support/draw.js';
import { sharedEngine, type Engine } from './engines.js';
import { mapping, proveTypes, setup } from './postgres-types.js';

const isMissing = whyExtraMissing('extra/sql') !== null;

describe.skipIf(isMissing)(`columns of PostgreSQL types${noteOfExtra('extra/sql')}`, () => {
  let engine: Engine;

  async function exec(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await engine.run(statement, []);
  }

  beforeAll(async () => {
    const open = await sharedEngine('postgres');
    if (open === null) throw new Error('PGlite does not start');
    engine = open;
    await exec(...setup);
  });

  it('have the results of the filter for random filters, and the pages of an array', async () => {
    const failures: string[] = [];
    const seed = Number(process.env.PROPERTY_SEED ?? 20261129);
    const { below } = createRandom(seed);
    const tally = await proveTypes(engine, new Draw(below), { filters: 120 }, (filter, detail) =>
      failures.push(`${filter}\n${detail}`),
    );
    expect(failures).toEqual([]);
    expect(tally.exact).toBeGreaterThan(90);
  });

  it('return the values that were stored', async () => {
    await exec(
      'TRUNCATE typed',
      `INSERT INTO typed VALUES ('9F000000-0000-4000-8000-0000000000FF', NULL, NULL, 'a"b\\c', '', 'Ab', 'x',
      'c', 0.10, 1e-400, 123456789012345678901, 18446744073709551615, 1, '2026-01-02', NULL, '2026-01-02 03:04:05.000006',
      '{00000000-0000-0000-0000-000000000001,NULL}', '{ok,NULL}', '{A}', '{0.1,NaN,1e400}', '{9007199254740993,NaN}', '{2026-01-02,infinity}', NULL)`,
    );
    const rows = await engine.run(`SELECT ${mapping.select} FROM ${mapping.from}`, []);
    expect(rows.map(mapping.decode)).toEqual([
      {
        ...{ id: '9f000000-0000-4000-8000-0000000000ff', owner: null, peer: null, mood: 'a"b\\c', firm: '' },
        ...{ word: 'Ab', name: 'x', code: 'c', price: 0.1, ratio: 0, big: 123456789012345678901n },
        ...{ count: 18446744073709551615n, safe: 1, day: '2026-01-02T00:00:00Z', due: null },
        ...{ at: '2026-01-02T03:04:05.000006Z', ids: ['00000000-0000-0000-0000-000000000001', null] },
        ...{
          moods: ['ok', null],
          words: ['A'],
          ratios: [0.1, NaN, Infinity],
          bigs: [9007199254740993n, null],
        },
        ...{ days: ['2026-01-02T00:00:00Z', 'outside of the years 1 to 9999'], ats: null },
      },
    ]);
  });

  it('are confirmed by the catalogue', async () => {
    const run = (statement: string, values: readonly unknown[]) => engine.run(statement, values);
    expect(await verifyMapping(mapping, run as never, { key: 'id' as never })).toEqual([]);
  });

  it('are reported with a statement that fixes them if they differ from the mapping', async () => {
    const wrong: readonly (readonly [ddl: string, column: Column, message: RegExp, fixed?: Column])[] = [
      ['uuid', text('c'), /^it is uuid, which cannot store text: map it with uuid\(\)$/],
      ['text', uuid('c'), /^it is text, which cannot store uuid: map it with text\(\)$/],
      ['citext', text('c'), /^it is citext, which cannot store text: map it with looseText\(\)$/],
      ['char(5)', text('c'), /^it is character\(5\), which cannot store text: map it with looseText\(\)$/],
      ['colour', text('c'), /^it is colour, which cannot store text: map it with enumeration\(\)$/],
      ['text COLLATE folded', text('c'), /^its collation is not deterministic/],
      ['text', text('c', { collation: 'C' }), /^the mapping has collation: 'C', but/],
      ['text', text('c', { notNull: true }), /^the mapping has notNull, but the column is nullable$/],
      ['inet', text('c'), /^it is inet, which cannot store text$/],
      ['bytea', text('c'), /^it is bytea, which cannot store text$/],
      [
        'colour',
        enumeration('c', { type: 'colour', values: ['red', 'blue'] }),
        /^its type lacks the label 'blue'$/,
      ],
      [
        'varchar(9)',
        enumeration('c', { type: 'colour', values: ['red', 'blue'] }),
        /^it is character varying\(9\)/,
      ],
      [
        'numeric(10,2)',
        float('c'),
        /^it is numeric\(10,2\), which cannot store float: map it with numeric\(\)$/,
      ],
      ['numeric', numeric('c', { precision: 15, scale: 2 }), /^it is numeric, which stores more digits/],
      ['numeric(12,2)', int('c'), /^it is numeric\(12,2\), which cannot store int: map it with numeric\(\)$/],
      ['timestamp', timestamptz('c'), /^it is timestamp without time zone, .* map it with timestamp\(\)$/],
      ['timestamptz', timestamp('c', { zone: 'UTC' }), /map it with timestamptz\(\)$/],
      ['text', date('c'), /^it is text, which cannot store date: map it with text\(\)$/],
      ['date', date('c', { constrained: true }), /^the mapping has constrained, but no constraint/],
      ['numeric(9)', numeric('c', { scale: 0, constrained: true }), /^the mapping has constrained, but/],
      ['json', jsonb('c'), /^it is json, which cannot store json$/],
      ['uuid[]', array('c'), /^it is uuid\[\], which cannot store array: map it with array\(uuid\(\)\)$/],
    ];
    await exec(`CREATE TYPE colour AS ENUM ('red')`);
    for (const [ddl, column, message] of wrong) {
      const isTime = ['timestamptz', 'timestamp', 'date'].includes(column.store);
      const type = isTime
        ? t.time
        : column.store === 'float'
          ? t.float64
          : column.store === 'array'
            ? t.list(t.string)
            : ['int', 'numeric'].includes(column.store)
              ? column.size?.scale === 2
                ? t.float64
                : t.int
              : t.string;
      await exec('DROP TABLE IF EXISTS wrong', `CREATE TABLE wrong (c ${ddl})`);
      const source = sqlMapping(defineSchema({ c: type }), {
        dialect: 'postgres',
        table: 'wrong',
        columns: { c: column },
      });
      const verify = () => verifyMapping(source, (statement, values) => engine.run(statement, values));
      const found = await verify();
      expect([ddl, found.map((each) => each.message)]).toEqual([ddl, [expect.stringMatching(message)]]);
      const [{ sql } = { sql: null }] = found;
      expect([ddl, sql]).toEqual([ddl, expect.any(String)]);
      await exec(sql ?? '');
      expect([ddl, await verify()]).toEqual([ddl, []]);
    }
  });

  it.each([
    ['id == "9f000000-0000-4000-8000-0000000000ff"'],
    ['id starts with "9f0000"'],
    ['id >= "a" and id < "b"'],
    ['owner in ["9f000000-0000-4000-8000-0000000000ff", "x"]'],
    ['firm starts with "s"'],
    ['word == "Ab"'],
    ['name in ["Ab", "K"]'],
    ['safe > 5 and safe < 9'],
    ['ratio == 0.1'],
    ['due >= 2026-11-01T08:00:00Z'],
    ['at > 2026-11-01T08:00:00.000001Z'],
    ['"9f000000-0000-4000-8000-0000000000ff" in ids'],
    ['"ok" in moods'],
  ])('are found by an index: %s', async (filter) => {
    for (const column of ['owner', 'firm', 'word', 'name', 'safe', 'ratio', 'due', 'at'])
      await exec(`CREATE INDEX IF NOT EXISTS typed_${column} ON typed (${column})`);
    for (const column of ['ids', 'moods'])
      await exec(`CREATE INDEX IF NOT EXISTS typed_${column} ON typed USING gin (${column})`);
    await exec('SET enable_seqscan = off');
    const { toSQL, values, exact } = mapping.where(filter, { unresolved: 'absent' });
    const plan = await engine.run(`EXPLAIN SELECT * FROM typed WHERE ${toSQL('$')}`, values);
    await exec('RESET enable_seqscan');
    expect([exact, plan.map((row) => String(row['QUERY PLAN'])).join('\n')]).toEqual([
      true,
      expect.stringContaining('Index Cond'),
    ]);
  });

  it('name the labels that the mapping of an enum lacks', async () => {
    await exec(`CREATE TYPE size AS ENUM ('s', 'm', 'x''l')`, 'CREATE TABLE shirts (c size, d size[])');
    const values = ['s'];
    const source = sqlMapping(defineSchema({ c: t.string, d: t.list(t.string) }), {
      ...{ dialect: 'postgres', table: 'shirts' },
      columns: {
        c: enumeration('c', { type: 'size', values }),
        d: array(enumeration('d', { type: ['other', 'size'], values })),
      },
    });
    expect(
      (await verifyMapping(source, (statement, given) => engine.run(statement, given))).map(
        ({ message }) => message,
      ),
    ).toEqual([
      `its type has labels that the mapping lacks: 'm', 'x''l'`,
      'its type is size[], not that of the mapping',
    ]);
  });
});

describe('a column of a PostgreSQL type', () => {
  const schema = defineSchema({ s: t.string, i: t.int, f: t.float64, at: t.time, l: t.list(t.string) });
  const of = (columns: Record<string, Column>) =>
    sqlMapping(schema, { dialect: 'postgres', table: 't', columns });

  it.each([
    [{ s: uuid('s', { notNull: true }) }, 's == "x"', 'FALSE', []],
    [
      { s: uuid('s', { notNull: true }) },
      's < "b"',
      '"t"."s" < $1::uuid',
      ['b0000000-0000-0000-0000-000000000000'],
    ],
    [
      { s: enumeration('s', { type: ['a', 'b'], values: ['on', 'off', 'x'] }) },
      's starts with "o"',
      '"t"."s" = ANY($1::text[]::"a"."b"[])',
      ['{"on","off"}'],
    ],
    [
      { s: looseText('s') },
      's == "A"',
      '("t"."s" = $1 AND "t"."s"::text COLLATE "C" = $2::text)',
      ['A', 'A'],
    ],
    [{ i: numeric('i', { scale: 0, constrained: true }) }, 'i > 5', '"t"."i" > $1::numeric', ['5']],
    [
      { f: numeric('f', { constrained: true }) },
      'f > 1',
      '"t"."f" > $1::numeric',
      ['1.00000000000000011102230246251565404236316680908203125'],
    ],
    [
      { at: date('at', { constrained: true }) },
      'at > 2026-01-01T08:00:00Z',
      '"t"."at" > $1::text::date',
      ['2026-01-01'],
    ],
    [
      { at: timestamp('at', { zone: 'UTC', constrained: true, notNull: true }) },
      'at < 2026-01-01',
      '"t"."at" < $1::text::timestamp',
      ['2026-01-01T00:00:00.000000'],
    ],
    [
      { l: array(uuid('l')) },
      '"9f000000-0000-4000-8000-0000000000ff" in l',
      '"t"."l" @> $1',
      ['{"9f000000-0000-4000-8000-0000000000ff"}'],
    ],
  ])('is compared in its own type: %#', (columns, filter, condition, values) => {
    const { toSQL, values: given, exact } = of(columns).where(filter, { unresolved: 'absent' });
    expect([toSQL('$'), given, exact]).toEqual([condition, values, true]);
  });

  it('refuses fields, engines and options that it cannot have', () => {
    expect(() => of({ i: uuid('i') })).toThrow('i is an int, and uuid columns store strings');
    expect(() => of({ i: numeric('i') })).toThrow(
      'numeric columns store numbers of 64 bits, and with scale 0 integers',
    );
    expect(() => sqlMapping(schema, { dialect: 'sqlite', table: 't', columns: { s: uuid('s') } })).toThrow(
      's is stored as uuid, which sqlite does not support; postgres do',
    );
    expect(() => timestamp('at', {} as never)).toThrow("timestamp: zone must be 'UTC', got undefined");
    expect(() => enumeration('s', { type: 'a', values: [] })).toThrow(
      'enumeration: values must be the labels',
    );
    expect(() => numeric('f', { scale: 1.5 })).toThrow('numeric: scale must be an integer');
    expect(() => array(uuid('l', { notNull: true }))).toThrow('array: the column of the elements must be');
    expect(() => of({ l: array(int('l')) })).toThrow('l is a list');
  });

  it('refuses sorts that the database orders differently', () => {
    const source = sqlMapping(defineSchema({ id: t.string, f: t.float64 }), {
      ...{ dialect: 'postgres', table: 't' },
      columns: { id: uuid('id', { notNull: true }), f: numeric('f') },
    });
    expect(() => sqlListSource(source, () => [], { key: 'id', sorts: ['f'] })).toThrow('cannot sort by f');
    expect(() => createList(sqlListSource(source, () => [], { key: 'id' }))).not.toThrow();
  });

  it('finds the first uuid that is not before a string', () => {
    const { below } = createRandom(7);
    const draw = new Draw(below);
    const known = Array.from({ length: 300 }, () =>
      '00000000-0000-0000-0000-000000000000'.replace(/0/g, () => draw.pick(['0', '0', '9', 'a', 'f'])),
    ).sort();
    for (let run = 0; run < 2_000; run += 1) {
      const whole = draw.pick(known);
      const word =
        whole.slice(0, draw.below(37)) + draw.pick(['', '0', '-', 'g', '9', ':', ' ', 'é', 'ff', '\0', 'A']);
      const first = firstUuidFrom(word);
      expect(first === null || (first >= word && first.length === 36)).toBe(true);
      // No known one is between them.
      expect(known.filter((each) => each >= word && (first === null || each < first))).toEqual([]);
    }
    expect(firstUuidFrom('ffffffff-ffff-ffff-ffff-ffffffffffff0')).toBe(null);
  });

  it('reads as a double exactly the decimals of its range', () => {
    for (const double of [
      0.1,
      1,
      2,
      5e-324,
      2.2250738585072014e-308,
      1.7976931348623157e308,
      0.3,
      -7,
      2 ** 53 + 2,
    ]) {
      const { low, high, isClosed } = rangeOf(double);
      expect([Number(low) === double, Number(high) === double]).toEqual([isClosed, isClosed]);
      const digit = (text: string): string => `${text.includes('.') ? text : `${text}.`}01`;
      const [inside, outside] = double > 0 ? [low, high] : [high, low];
      expect(Number(digit(inside))).toBe(double);
      expect(Number(digit(outside))).not.toBe(double);
    }
  });
});

describe('dates and timestamps of DuckDB', () => {
  it.each([
    'day == 2026-01-02',
    'day > 2026-01-01T08:00:00Z',
    'day <= 2026-01-02T08:00:00Z and not (day is nil)',
    'at < 2026-01-02T03:04:05.0000065Z',
    'at in ["2026-01-02T03:04:05.000006Z", "2026-01-01"]',
    'not (at >= 2026-01-01)',
    'day == @at',
    'day < @at or at is nil',
    '"2026-01-02" in days',
  ])('are compared as instants in UTC: %s', async (filter) => {
    const engine = await sharedEngine('duckdb');
    if (engine === null) return expect(engine).toBeNull();
    const schema = defineSchema({
      ...{ id: t.string, day: t.nullable(t.time), at: t.nullable(t.time), days: t.list(t.time) },
    });
    const source = sqlMapping(schema, {
      ...{ dialect: 'duckdb', table: 'dated' },
      columns: {
        id: text('id', { notNull: true }),
        day: date('day'),
        at: timestamp('at', { zone: 'UTC' }),
        days: array('days'),
      },
    });
    const { run } = engine;
    await run(
      'CREATE OR REPLACE TABLE dated (id VARCHAR NOT NULL, day DATE, "at" TIMESTAMP, days VARCHAR[])',
      [],
    );
    await run(
      `INSERT INTO dated VALUES ('a', '2026-01-02', '2026-01-02 03:04:05.000006', ['2026-01-02']), ('b', 'infinity', '-infinity', []),
        ('c', NULL, NULL, NULL), ('d', '0044-03-15 (BC)', '0001-01-01', []), ('e', '9999-12-31', '9999-12-31 23:59:59.999999', [])`,
      [],
    );
    const all = (await run(`SELECT ${source.select} FROM ${source.from}`, [])).map(source.decode);
    expect(all[0]).toMatchObject({ day: '2026-01-02T00:00:00Z', at: '2026-01-02T03:04:05.000006Z' });
    const { test } = compileFilter(filter, { schema, unresolved: 'absent' });
    const { toSQL, values, residual } = source.where(filter, { unresolved: 'absent' });
    const found = await run(`SELECT ${source.select} FROM ${source.from} WHERE ${toSQL('?')}`, values);
    const rows = found.map(source.decode).filter((row) => residual === null || residual.test(row));
    expect(rows).toEqual(all.filter((row) => test(row)));
  });
});
