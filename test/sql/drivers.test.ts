import { beforeAll, describe, expect, it } from 'vitest';
import { noteOfExtra, requireExtra, whyExtraMissing } from '../support/extra.js';
import type { Engine } from './engines.js';
import { openPglite, postgresEngine } from './engines.js';
import { testMappingOf } from './test-mapping.js';

// The examples of docs/sql.md, as query builders put them into statements of their own.

const mapping = testMappingOf('postgres', 'driven');
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

/** A tag for template literals. */
type Tag = (strings: TemplateStringsArray, ...values: readonly unknown[]) => object;

/** A statement that is being built: each step gives the next. */
interface Builder {
  select(column: string): Builder;
  where(condition: object): Builder;
  whereRaw(condition: string, bindings: readonly unknown[]): Builder;
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] };
  toSQL(): { toNative(): { readonly sql: string; readonly bindings: readonly unknown[] } };
}

const isMissing = whyExtraMissing('extra/sql') !== null;

describe.skipIf(isMissing)(`a condition in a statement of${noteOfExtra('extra/sql')}`, () => {
  let db: Awaited<ReturnType<typeof openPglite>>;
  let engine: Engine;
  const conditionOf = (filter: string) =>
    mapping.source.where(filter, { require: 'exact', unresolved: 'absent' });
  const idsOf = (found: readonly object[]): string[] =>
    found.map((row) => String((row as Record<string, unknown>)['id"?'])).sort();

  async function expected(filter: string): Promise<string[]> {
    const query = conditionOf(filter);
    return idsOf(await engine.run(`SELECT * FROM driven WHERE ${query.toSQL('$')}`, query.values));
  }

  beforeAll(async () => {
    db = await openPglite();
    engine = postgresEngine(db);
    await engine.fill(mapping, 'driven', rows);
  });

  it.each(filters)('Kysely: %s', async (filter) => {
    const kysely = requireExtra('extra/sql', 'kysely') as Record<
      string,
      new (...given: unknown[]) => object
    > & { sql: Tag };
    const made = (name: string, ...given: unknown[]): object => {
      const Class = kysely[name];
      if (Class === undefined) throw new TypeError(`Kysely has no ${name}`);
      return new Class(...given);
    };
    const dialect = {
      createAdapter: () => made('PostgresAdapter'),
      createDriver: () => made('DummyDriver'),
      createIntrospector: (own: unknown) => made('PostgresIntrospector', own),
      createQueryCompiler: () => made('PostgresQueryCompiler'),
    };
    const db = made('Kysely', { dialect }) as { selectFrom(table: string): Builder };
    const { parts } = conditionOf(filter);
    const statement = db
      .selectFrom('driven')
      .select('id"?')
      .where(kysely.sql`${1} = 1`)
      .where(kysely.sql(parts.strings, ...parts.values))
      .compile();
    const found = await engine.run(statement.sql, statement.parameters);
    expect(idsOf(found)).toEqual(await expected(filter));
  });

  it.each(filters)('Drizzle: %s', async (filter) => {
    const { sql } = requireExtra('extra/sql', 'drizzle-orm') as { sql: Tag };
    const { drizzle } = requireExtra('extra/sql', 'drizzle-orm/pglite') as {
      drizzle(db: unknown): { execute(statement: object): Promise<{ rows: object[] }> };
    };
    const { parts } = conditionOf(filter);
    const condition = sql(parts.strings, ...parts.values);
    const found = await drizzle(db).execute(sql`SELECT * FROM driven WHERE ${1}::int = 1 AND ${condition}`);
    expect(idsOf(found.rows)).toEqual(await expected(filter));
  });

  it.each(filters)('Knex: %s', async (filter) => {
    const knex = (requireExtra('extra/sql', 'knex') as (options: object) => (table: string) => Builder)({
      client: 'pg',
    });
    const { sql: condition, bindings } = conditionOf(filter).knex();
    const made = knex('driven').whereRaw('? = 1', [1]).whereRaw(condition, bindings).toSQL().toNative();
    const found = await engine.run(made.sql, made.bindings);
    expect(idsOf(found)).toEqual(await expected(filter));
  });
});
