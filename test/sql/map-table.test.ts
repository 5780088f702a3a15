import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { createList } from '../../src/entries/query.js';
import {
  mapTable,
  sqlListSource,
  verifyMapping,
  type DialectName,
  type MappedTable,
} from '../../src/entries/sql.js';
import { sharedEngine, type Engine } from './engines.js';

/** A sample database: some of its tables from its description, rows, and what a new user lists. */
interface Sample {
  readonly dialect: DialectName;
  readonly setup: readonly string[];
  /** For each table: its key, a filter, the expected values of the key, and columns that cannot be mapped. */
  readonly tables: readonly (readonly [
    table: string | readonly string[],
    key: string | null,
    filter: string,
    found: readonly unknown[],
    unmapped?: readonly string[],
  ])[];
}

const samples: Readonly<Record<string, Sample>> = {
  'a shop for music in SQLite, as Chinook': {
    dialect: 'sqlite',
    setup: [
      'CREATE TABLE "Artist" ("ArtistId" INTEGER NOT NULL, "Name" NVARCHAR(120), CONSTRAINT "PK_Artist" PRIMARY KEY ("ArtistId"))',
      `CREATE TABLE "Track" ("TrackId" INTEGER NOT NULL PRIMARY KEY, "Name" NVARCHAR(200) NOT NULL, "AlbumId" INTEGER, "Composer" NVARCHAR(220),
        "Milliseconds" INTEGER NOT NULL, "Bytes" INTEGER, "UnitPrice" NUMERIC(10,2) NOT NULL)`,
      `CREATE TABLE "Invoice" ("InvoiceId" INTEGER NOT NULL PRIMARY KEY, "InvoiceDate" DATETIME NOT NULL, "BillingCity" NVARCHAR(40), "Total" NUMERIC(10,2) NOT NULL)`,
      `CREATE TABLE "PlaylistTrack" ("PlaylistId" INTEGER NOT NULL, "TrackId" INTEGER NOT NULL, PRIMARY KEY ("PlaylistId", "TrackId"))`,
      `INSERT INTO "Artist" VALUES (1, 'AC/DC'), (2, 'Accept'), (3, NULL)`,
      `INSERT INTO "Track" VALUES (1, 'For Those About To Rock', 1, 'Angus Young', 343719, 11170334, 0.99), (2, 'Balls to the Wall', 2, NULL, 342562, 5510424, 1)`,
      `INSERT INTO "Invoice" VALUES (1, '2021-01-01 00:00:00', 'Stuttgart', 1.98)`,
    ],
    tables: [
      ['Artist', 'ArtistId', 'Name starts with "Ac"', [2]],
      ['Track', 'TrackId', 'UnitPrice < 1 and Milliseconds > 343000 or Composer is nil', [1, 2]],
      ['Invoice', 'InvoiceId', 'Total == 1.98', [1], ['InvoiceDate']],
      ['PlaylistTrack', null, '', []],
    ],
  },
  'a rental shop in PostgreSQL, as Pagila': {
    dialect: 'postgres',
    setup: [
      'CREATE SCHEMA rental',
      `CREATE TYPE rental.mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17')`,
      'CREATE DOMAIN rental.year AS integer CHECK (value >= 1901 AND value <= 2155)',
      `CREATE TABLE rental.film (film_id serial PRIMARY KEY, title varchar(255) NOT NULL, description text, release_year rental.year,
        language_id smallint NOT NULL, rental_rate numeric(4,2) DEFAULT 4.99 NOT NULL, length smallint, rating rental.mpaa_rating DEFAULT 'G',
        last_update timestamp NOT NULL, special_features text[], fulltext tsvector NOT NULL)`,
      'CREATE TABLE rental.language (language_id serial PRIMARY KEY, name char(20) NOT NULL, last_update timestamptz NOT NULL)',
      `CREATE TABLE rental.customer (customer_id bigserial PRIMARY KEY, activebool boolean DEFAULT true NOT NULL, create_date date NOT NULL, picture bytea)`,
      'CREATE TABLE rental.film_actor (actor_id int NOT NULL, film_id int NOT NULL, PRIMARY KEY (actor_id, film_id))',
      `INSERT INTO rental.film VALUES (1, 'ACADEMY DINOSAUR', 'An epic drama', 2006, 1, 0.99, 86, 'PG', '2026-02-15 05:03:42', '{Trailers,"Deleted Scenes"}', ''),
        (2, 'ACE GOLDFINGER', NULL, NULL, 1, 4.99, 48, 'G', '2026-02-15 05:03:42', NULL, '')`,
      `INSERT INTO rental.language VALUES (1, 'English', '2026-02-15Z'), (2, 'Italian', '2026-02-15Z')`,
      `INSERT INTO rental.customer VALUES (1, true, '2026-02-14', NULL)`,
    ],
    tables: [
      [
        ['rental', 'film'],
        'film_id',
        'rating in ["PG", "R"] and rental_rate < 1 and "Trailers" in special_features and release_year == 2006 and last_update > 2026-02-15',
        [1],
        ['fulltext'],
      ],
      [['rental', 'language'], 'language_id', 'name == "Italian" and len(name) == 7', [2]],
      [
        ['rental', 'customer'],
        'customer_id',
        'activebool == true and create_date == 2026-02-14',
        [1],
        ['picture'],
      ],
      [['rental', 'film_actor'], null, '', []],
    ],
  },
  'a trading company in PostgreSQL, as Northwind': {
    dialect: 'postgres',
    setup: [
      'CREATE SCHEMA trade',
      'CREATE EXTENSION IF NOT EXISTS citext SCHEMA trade',
      'CREATE TABLE trade.customers (customer_id bpchar NOT NULL PRIMARY KEY, company_name varchar(40) NOT NULL, country varchar(15))',
      'CREATE TABLE trade.orders (order_id uuid PRIMARY KEY, customer_id bpchar, order_date date, freight real, notes json, contact jsonb)',
      'CREATE TABLE trade.products (product_id smallint NOT NULL PRIMARY KEY, product_name text COLLATE "C" NOT NULL, unit_price numeric, units bigint, discontinued integer NOT NULL)',
      `INSERT INTO trade.customers VALUES ('ALFKI', 'Alfreds Futterkiste', 'Germany'), ('BERGS', 'Berglunds snabbköp', 'Sweden')`,
      `INSERT INTO trade.orders VALUES ('00000000-0000-0000-0000-00000000000a', 'ALFKI', '2026-07-04', 32.38, '{}', '{"phone": "030-0074321"}')`,
      `INSERT INTO trade.products VALUES (1, 'Chai', 18, 39, 0), (2, 'Chang', 19.50, 17, 1)`,
    ],
    tables: [
      [['trade', 'customers'], 'customer_id', 'country != "Germany"', ['BERGS']],
      [
        ['trade', 'orders'],
        'order_id',
        'contact.phone starts with "030" and order_date < 2026-08-01',
        ['00000000-0000-0000-0000-00000000000a'],
        ['notes'],
      ],
      [['trade', 'products'], 'product_id', 'unit_price >= 19.5 and product_name like "Ch*"', [2]],
    ],
  },
  'a table of each type of DuckDB': {
    dialect: 'duckdb',
    setup: [
      `CREATE TABLE measured (id BIGINT PRIMARY KEY, small TINYINT, word VARCHAR NOT NULL, load DOUBLE, ratio FLOAT, flag BOOLEAN, "at" TIMESTAMP, zoned TIMESTAMPTZ,
        day DATE, words VARCHAR[], counts MAP(VARCHAR, BIGINT), price DECIMAL(9, 2), huge HUGEINT, part STRUCT(a INTEGER), key UUID)`,
      `INSERT INTO measured VALUES (1, 2, 'a', 0.5, 0.5, true, '2026-01-02 03:04:05', '2026-01-02 03:04:05Z', '2026-01-02', ['x'], MAP {'k': 1}, 1, 1, {a: 1}, uuid())`,
    ],
    tables: [
      [
        'measured',
        'id',
        'small == 2 and flag == true and at > 2026-01-02 and day == 2026-01-02 and "x" in words and counts.k == 1',
        [1],
        ['price', 'huge', 'part', 'key'],
      ],
    ],
  },
};

async function compiles({ source }: MappedTable): Promise<unknown> {
  const { outputText, diagnostics = [] } = ts.transpileModule(source, { reportDiagnostics: true });
  expect([source, diagnostics.map(({ messageText }) => messageText)]).toEqual([source, []]);
  const { defineSchema, t } = await import('../../src/index.js');
  const sql = await import('../../src/entries/sql.js');
  const code =
    outputText.replace(/^import .*$/gm, '').replace(/^export const (\w+)/gm, 'exported.$1') +
    ';return exported';
  // The module that a user would import.
  const names = Object.keys(sql);
  const run = compileFunction(code.replace('sqlMapping(schema', 'sqlMapping(exported.schema'), [
    ...['exported', 'defineSchema', 't'],
    ...names,
  ]) as (...given: unknown[]) => unknown;
  return run({}, defineSchema, t, ...names.map((name) => sql[name as keyof typeof sql]));
}

describe.each(Object.entries(samples))('%s', (_, { dialect, setup, tables }) => {
  let engine: Engine | null;
  const run = async (text: string, values: readonly unknown[]) => (await engine?.run(text, values)) ?? [];

  beforeAll(async () => {
    engine = await sharedEngine(dialect);
    for (const statement of setup) await run(statement, []);
  });

  for (const [table, key, filter, found, unmapped = []] of tables)
    it(`lists ${[table].flat().join('.')} by the mapping of its catalogue`, async () => {
      const mapped = await mapTable(run, table);
      const { mapping, findings } = mapped;
      expect(mapped.key).toBe(key);
      expect(findings.flatMap(({ column }) => column ?? [])).toEqual(unmapped);
      const made = (await compiles(mapped)) as MappedTable;
      expect([made.schema.toJSON(), made.mapping.select]).toEqual([mapped.schema.toJSON(), mapping.select]);
      const verified = await verifyMapping(mapping, run, key === null ? {} : { key });
      expect(verified.filter(({ message }) => !message.includes('STRICT'))).toEqual([]);
      if (key === null) return;
      const list = createList(sqlListSource(mapping, run, { key }), { unresolved: 'absent' });
      const { items } = await list.page({ filter });
      expect(items.map((row) => (row as Record<string, unknown>)[key])).toEqual(found);
    });
});

describe('mapTable', () => {
  it('is bounded for tables of thousands of columns', async () => {
    const engine = await sharedEngine('sqlite');
    const run = async (text: string, values: readonly unknown[]) => (await engine?.run(text, values)) ?? [];
    await run(
      `CREATE TABLE wide (id TEXT PRIMARY KEY NOT NULL, ${Array.from({ length: 1_800 }, (_, at) => `c${at} INTEGER`).join()}) STRICT`,
      [],
    );
    const { schema, findings, key } = await mapTable(run, 'wide');
    expect([schema.root.fields.size, key]).toEqual([1_000, 'id']);
    expect(findings.map(({ message }) => message)).toEqual([
      'the table has 1801 columns, and only the first 1000 are mapped: name others in `only`',
    ]);
    const few = await mapTable(run, 'wide', { only: ['c1799', 'id'] });
    expect([[...few.schema.root.fields.keys()], few.findings]).toEqual([['c1799', 'id'], []]);
    await expect(mapTable(run, 'wide', { only: ['nope'] })).rejects.toThrow(
      'mapTable: only names "nope", which is not a column of wide',
    );
    await expect(mapTable(run, 'nowhere')).rejects.toThrow('mapTable: there is no table nowhere');
    await expect(mapTable(run, 'wide', { dialect: 'oracle' as never })).rejects.toThrow(
      "dialect must be 'postgres'",
    );
    await expect(mapTable({} as never, 'wide')).rejects.toThrow('mapTable: run must be a function');
  });

  it('writes odd names as strings, and never as code', async () => {
    const engine = await sharedEngine('sqlite');
    const run = async (text: string, values: readonly unknown[]) => (await engine?.run(text, values)) ?? [];
    const names = [`a'b`, 'c\nthrow 1//', '__proto__', 'x.y', '\\', 'é', '*/ bad', '${1}', 'constructor'];
    const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
    await run(
      `CREATE TABLE "odd names" (id TEXT PRIMARY KEY NOT NULL, ${names.map((name) => `${quoted(name)} TEXT, ${quoted(`${name}2`)} BLOB`).join()}) STRICT`,
      [],
    );
    const mapped = await mapTable(run, 'odd names');
    expect(mapped.findings).toHaveLength(names.length);
    const made = (await compiles(mapped)) as MappedTable;
    expect([...made.schema.root.fields.keys()]).toEqual(['id', ...names]);
    expect(made.mapping.select).toBe(mapped.mapping.select);
  });

  it('rejects with the error of the first statement if the database does not respond', async () => {
    await expect(mapTable(() => Promise.reject(new Error('no connection')), 'jobs')).rejects.toThrow(
      'no connection',
    );
  });
});
