import { beforeAll, describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import {
  float,
  int,
  jsonb,
  sqlMapping,
  text,
  timestamptz,
  timeText,
  verifyMapping,
  type DialectName,
} from '../../src/entries/sql.js';
import { dialects, sharedEngine, type Engine } from './engines.js';
import { testMappingOf } from './test-mapping.js';

const schema = defineSchema({
  id: t.string,
  name: t.string,
  size: t.int,
  load: t.float64,
  at: t.time,
  gone: t.string,
});

/** A table that is not as its mapping says. */
const odd: Readonly<Record<DialectName, readonly string[]>> = {
  postgres: [
    `CREATE COLLATION IF NOT EXISTS loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
    'CREATE TABLE odd (id char(5), name text COLLATE loose, size bigint NOT NULL, load numeric, at timestamptz)',
  ],
  sqlite: ['CREATE TABLE odd (id BLOB, name TEXT, size INTEGER NOT NULL, load TEXT, at TEXT)'],
  duckdb: [
    'CREATE TABLE odd (id BLOB, name VARCHAR, size BIGINT NOT NULL, load DECIMAL(9, 2), "at" TIMESTAMPTZ)',
  ],
};

describe.each(dialects)('the mapping of a table of %s', (dialect) => {
  let engine: Engine | null = null;

  beforeAll(async () => {
    engine = await sharedEngine(dialect);
  });

  it('is compared with the catalogue', async () => {
    const open = engine;
    if (open === null) return expect(open).toBeNull();
    for (const statement of odd[dialect]) await open.run(statement, []);
    const source = sqlMapping(schema, {
      dialect,
      table: 'odd',
      columns: {
        id: text('id', { notNull: true }),
        name: text('name', { constrained: true, ...(dialect === 'postgres' ? { collation: 'C' } : {}) }),
        size: int('size'),
        load: float('load'),
        at: dialect === 'sqlite' ? timeText('at') : timestamptz('at', { constrained: true }),
        gone: text('gone'),
      },
    });
    const found = await verifyMapping(source, (statement, values) => open.run(statement, values), {
      key: 'id',
    });
    const reported = found.map(({ column, message }) => `${column ?? '-'}: ${message}`);
    const expected = [
      ...(dialect === 'sqlite' ? [/^-: the table is not STRICT/] : []),
      /^id: it is .*, which cannot store text/,
      /^id: the mapping has notNull, but the column is nullable/,
      ...(dialect === 'postgres'
        ? [/^name: its collation is not deterministic/, /^name: the mapping has collation: 'C'/]
        : []),
      ...(dialect === 'sqlite' ? [/^name: the mapping has constrained, but no constraint/] : []),
      /^size: it is NOT NULL: set notNull/,
      /^load: it is .*, which cannot store float/,
      ...(dialect === 'sqlite' ? [] : [/^at: the mapping has constrained/]),
      /^gone: the table has no such column/,
      /^id: the key is not unique/,
    ];

    expect(reported).toEqual(expected.map((each) => expect.stringMatching(each) as string));
    // What it says can be run.
    for (const { sql } of found.filter(({ column }) => column !== 'id'))
      if (sql !== null) await open.run(sql, []);
    const none = sqlMapping(schema, { dialect, table: ['odd'.repeat(3)], columns: {} });
    expect(await verifyMapping(none, (statement, values) => open.run(statement, values))).toEqual([
      { column: null, message: 'there is no table oddoddodd', sql: null },
    ]);
  });

  it('has nothing to say of one that is', async () => {
    const open = engine;
    if (open === null) return expect(open).toBeNull();
    const mapping = testMappingOf(dialect, 'fine');
    await open.fill(mapping, 'fine', []);
    const found = await verifyMapping(mapping.source, (statement, values) => open.run(statement, values));
    // The columns here have no constraints, though some are said to be checked, and SQLite has no NaN.
    expect(found.filter(({ message }) => !/constrained|NaN as NULL/.test(message))).toEqual([]);
    expect(() => jsonb('a', { notNul: true } as never)).toThrow(
      'jsonb: unknown option "notNul". Did you mean notNull?',
    );
  });

  it.runIf(dialect === 'postgres')('takes a domain for the type that it is made of', async () => {
    const open = engine;
    if (open === null) return expect(open).toBeNull();
    await open.run(`CREATE DOMAIN slug AS varchar(9) CHECK (value <> '')`, []);
    await open.run('CREATE TABLE domains (id slug NOT NULL UNIQUE, name slug)', []);
    const columns = { id: text('id', { notNull: true }), name: text('name'), size: int('name') };
    const source = sqlMapping(schema, { dialect, table: 'domains', columns });
    const found = await verifyMapping(source, (statement, values) => open.run(statement, values), {
      key: 'id',
    });
    expect(found.map(({ message }) => message)).toEqual([
      'it is character varying(9), which cannot store int',
    ]);
  });
});
