import { drizzle } from 'drizzle-orm/pglite';
import { sql as drizzleSql } from 'drizzle-orm';
import knexOf from 'knex';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from './engines.js';
import { openPglite, postgresEngine } from './engines.js';
import { houseOf } from './house.js';

// The examples of docs/sql.md, as query builders put them into statements of their own.

const house = houseOf('postgres', 'driven');
const rows = Array.from({ length: 20 }, (_, at) => ({
  ...{ id: `r${String(at).padStart(2, '0')}`, strict: `a${at % 3}`, count: at },
  ...{ text: at % 2 === 0 ? 'what?' : null, tags: ['x', `t${at % 4}`], nums: [at] },
}));

/** Filters with values of each kind: lists, texts with marks in them, integers, instants, patterns. */
const filters = [
  'strict in ["a1", "a2"] and count > 3',
  'text == "what?" and "t2" in tags',
  'text != "$1" and not (strict == "A0"i)',
  'strict matches "^a[12]$" or id starts with "r1"',
  '5 in nums or count in [1, 2, 3]',
];

const columns = { id: 'id"?' };

interface Table {
  driven: { 'id"?': string; n: number };
}

describe('a condition in a statement of', () => {
  let db: Awaited<ReturnType<typeof openPglite>>;
  let engine: Engine;
  const conditionOf = (filter: string) =>
    house.source.where(filter, { require: 'exact', unresolved: 'absent' });
  const idsOf = (found: readonly object[]): string[] =>
    found.map((row) => String((row as Record<string, unknown>)[columns.id])).sort();

  async function expected(filter: string): Promise<string[]> {
    const query = conditionOf(filter);
    return idsOf(await engine.run(`SELECT * FROM driven WHERE ${query.text('$')}`, query.values));
  }

  beforeAll(async () => {
    db = await openPglite();
    engine = postgresEngine(db);
    await engine.fill(house, 'driven', rows);
  });

  it.each(filters)('Kysely: %s', async (filter) => {
    const kysely = new Kysely<Table>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (own) => new PostgresIntrospector(own),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    const { parts } = conditionOf(filter);
    const made = kysely
      .selectFrom('driven')
      .select('id"?')
      .where(sql<number>`1`, '=', 1)
      .where(sql<boolean>(parts.strings as unknown as TemplateStringsArray, ...parts.values))
      .compile();
    const found = await engine.run(made.sql, made.parameters);
    expect(idsOf(found)).toEqual(await expected(filter));
  });

  it.each(filters)('Drizzle: %s', async (filter) => {
    const { parts } = conditionOf(filter);
    const condition = drizzleSql(parts.strings as unknown as TemplateStringsArray, ...parts.values);
    const found = await drizzle(db as never).execute(
      drizzleSql`SELECT * FROM driven WHERE ${1}::int = 1 AND ${condition}`,
    );
    expect(idsOf(found.rows)).toEqual(await expected(filter));
  });

  it.each(filters)('Knex: %s', async (filter) => {
    const knex = knexOf({ client: 'pg' });
    const { sql: condition, bindings } = conditionOf(filter).knex();
    const made = knex('driven')
      .whereRaw('? = 1', [1])
      .whereRaw(condition, bindings as never)
      .toSQL()
      .toNative();
    const found = await engine.run(made.sql, made.bindings);
    expect(idsOf(found)).toEqual(await expected(filter));
  });
});
