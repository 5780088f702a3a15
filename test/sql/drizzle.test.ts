import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createList } from '../../src/entries/query.js';
import { sqlListSource, verifyMapping } from '../../src/entries/sql.js';
import { fromDrizzle, type DrizzleTable } from '../../src/sql/drizzle.js';
import { noteOfExtra, requireExtra, whyExtraMissing } from '../support/extra.js';
import { openPglite, postgresEngine } from './engines.js';

/** A constructor of columns or tables of Drizzle, without its types: the types are tested by compiling a program. */
type Maker = (...given: unknown[]) => Maker & { readonly [method: string]: Maker };

const isMissing = whyExtraMissing('extra/sql') !== null;

describe.skipIf(isMissing)(`fromDrizzle${noteOfExtra('extra/sql')}`, () => {
  const pg = isMissing
    ? ({} as Record<string, Maker>)
    : (requireExtra('extra/sql', 'drizzle-orm/pg-core') as Record<string, Maker>);
  const sqlite = isMissing
    ? ({} as Record<string, Maker>)
    : (requireExtra('extra/sql', 'drizzle-orm/sqlite-core') as Record<string, Maker>);
  const tableOf = (
    core: Record<string, Maker>,
    maker: string,
    columns: Record<string, unknown>,
  ): DrizzleTable => core[maker]?.('jobs', columns) as unknown as DrizzleTable;
  const fieldsOf = (table: DrizzleTable): unknown =>
    fromDrizzle(table).schema.toJSON().structs['Row']?.fields;

  it('lists the rows of a PostgreSQL table', async () => {
    const { text, varchar, integer, bigint, timestamp, jsonb, boolean, doublePrecision, bigserial } =
      pg as Record<string, Maker>;
    const jobs = tableOf(pg, 'pgTable', {
      id: text?.('job_id')['primaryKey']?.(),
      state: varchar?.('state', { length: 9, enum: ['on', 'off'] })['notNull']?.(),
      priority: integer?.('priority'),
      size: bigint?.('size', { mode: 'bigint' }),
      serial: bigserial?.('serial', { mode: 'number' }),
      startedAt: timestamp?.('started_at', { withTimezone: true }),
      meta: jsonb?.('meta'),
      isOpen: boolean?.('is_open'),
      load: doublePrecision?.('load'),
      tags: text?.('tags')['array']?.(),
    });
    expect(fieldsOf(jobs)).toEqual({
      id: { kind: 'string' },
      state: { kind: 'string', values: ['on', 'off'] },
      priority: { kind: 'int', safe: true, nullable: true },
      size: { kind: 'int', nullable: true },
      serial: { kind: 'int', safe: true },
      startedAt: { kind: 'time', nullable: true },
      meta: { kind: 'any', nullable: true },
      isOpen: { kind: 'bool', nullable: true },
      load: { kind: 'float64', nullable: true },
      tags: { kind: 'list', of: { kind: 'string' }, nullable: true },
    });
    const db = await openPglite();
    const { run } = postgresEngine(db);
    await run(
      `CREATE TABLE jobs (job_id text PRIMARY KEY, state varchar(9) NOT NULL, priority integer, size bigint, serial bigserial,
         started_at timestamptz, meta jsonb, is_open boolean, load double precision, tags text[])`,
      [],
    );
    await run(
      `INSERT INTO jobs VALUES ('a', 'on', 3, 9007199254740993, 1, '2026-01-02T03:04:05Z', '{"k": "v"}', true, 0.5, '{x,y}'),
         ('b', 'off', NULL, NULL, 2, NULL, NULL, NULL, NULL, NULL)`,
      [],
    );
    const { mapping } = fromDrizzle(jobs);
    const query = async (statement: string, values: readonly unknown[]) => run(statement, [...values]);
    expect(await verifyMapping(mapping, query, { key: 'id' as never })).toEqual([]);
    const list = createList(sqlListSource(mapping, query, { key: 'id' as never }));
    const page = await list.page({ filter: 'size > 9007199254740992 and "x" in tags and meta.k == v' });
    expect(page.items).toEqual([
      {
        ...{ id: 'a', state: 'on', priority: 3, size: 9007199254740993n, serial: 1, isOpen: true, load: 0.5 },
        ...{ startedAt: '2026-01-02T03:04:05.000000Z', meta: { k: 'v' }, tags: ['x', 'y'] },
      },
    ]);
    await run(`UPDATE jobs SET serial = 9007199254740993 WHERE job_id = 'b'`, []);
    await expect(list.page({})).rejects.toThrow(
      'column serial contains 9007199254740993, which is not a safe integer: declare t.int in the schema',
    );
  });

  it('maps the types of PostgreSQL that rows have as strings or numbers', async () => {
    const { text, uuid, char, date, timestamp, numeric, pgEnum, customType } = pg as Record<string, Maker>;
    const mood = pgEnum?.('state', ['on', 'off']) as Maker;
    const citext = customType?.({ dataType: () => 'citext' }) as Maker;
    const jobs = tableOf(pg, 'pgTable', {
      id: uuid?.('id')['primaryKey']?.(),
      code: char?.('code', { length: 5 }),
      word: citext('word'),
      state: mood('state')['notNull']?.(),
      day: date?.('day'),
      at: timestamp?.('at'),
      price: numeric?.('price', { precision: 10, scale: 2 }),
      big: numeric?.('big', { mode: 'bigint', precision: 20 }),
      ids: uuid?.('ids')['array']?.(),
      words: text?.('words')['array']?.(),
    });
    expect(fieldsOf(jobs)).toMatchObject({
      id: { kind: 'string' },
      state: { kind: 'string', values: ['on', 'off'] },
      day: { kind: 'time', nullable: true },
      price: { kind: 'float64' },
      big: { kind: 'int' },
      ids: { kind: 'list', of: { kind: 'string' } },
    });
    const { run } = postgresEngine(await openPglite());
    for (const statement of [
      'CREATE EXTENSION citext',
      `CREATE TYPE state AS ENUM ('on', 'off')`,
      `CREATE TABLE jobs (id uuid PRIMARY KEY, code char(5), word citext, state state NOT NULL, day date, at timestamp, price numeric(10, 2),
         big numeric(20), ids uuid[], words text[])`,
      `INSERT INTO jobs VALUES ('00000000-0000-0000-0000-00000000000a', 'ab', 'Ab', 'off', '2026-01-02', '2026-01-02 03:04:05', 0.10, 5,
         '{00000000-0000-0000-0000-00000000000b}', '{x}')`,
    ])
      await run(statement, []);
    const { mapping } = fromDrizzle(jobs);
    const query = async (statement: string, values: readonly unknown[]) => run(statement, [...values]);
    expect(await verifyMapping(mapping, query, { key: 'id' as never })).toEqual([]);
    const list = createList(sqlListSource(mapping, query, { key: 'id' as never }), { unresolved: 'absent' });
    const page = await list.page({
      filter:
        'code == ab and word == Ab and state starts with "o" and day < 2026-01-03 and price == 0.1 and big == 5 and "x" in words and "00000000-0000-0000-0000-00000000000b" in ids',
    });
    expect(page.items).toEqual([
      {
        ...{
          id: '00000000-0000-0000-0000-00000000000a',
          code: 'ab',
          word: 'Ab',
          state: 'off',
          price: 0.1,
          big: 5,
        },
        ...{ day: '2026-01-02T00:00:00Z', at: '2026-01-02T03:04:05.000000Z', words: ['x'] },
        ids: ['00000000-0000-0000-0000-00000000000b'],
      },
    ]);
  });

  it('reads the columns of a SQLite table', () => {
    const { text, integer, real } = sqlite as Record<string, Maker>;
    const jobs = tableOf(sqlite, 'sqliteTable', {
      id: text?.('id')['primaryKey']?.(),
      count: integer?.('count')['notNull']?.(),
      isOpen: integer?.('is_open', { mode: 'boolean' }),
      at: integer?.('at', { mode: 'timestamp' }),
      atMs: integer?.('at_ms', { mode: 'timestamp_ms' }),
      meta: text?.('meta', { mode: 'json' }),
      load: real?.('load'),
    });
    expect(fieldsOf(jobs)).toEqual({
      id: { kind: 'string' },
      count: { kind: 'int', safe: true },
      isOpen: { kind: 'bool', nullable: true },
      at: { kind: 'time', unit: 's', nullable: true },
      atMs: { kind: 'time', unit: 'ms', nullable: true },
      meta: { kind: 'any', nullable: true },
      load: { kind: 'float64', nullable: true },
    });
    const { toSQL } = fromDrizzle(jobs).mapping.where('isOpen == true');
    expect(toSQL('?')).toContain('"jobs"."is_open"');
  });

  it('refuses columns that it cannot read, all by name', () => {
    const { text, inet, interval } = pg as Record<string, Maker>;
    const jobs = tableOf(pg, 'pgTable', {
      id: text?.('id'),
      key: inet?.('key'),
      at: interval?.('at')['array']?.(),
      took: interval?.('took'),
    });
    expect(() => fromDrizzle(jobs)).toThrow(
      "fromDrizzle: unsupported columns of jobs: key (inet), at (interval[]), took (interval). Omit them: { omit: ['key', 'at', 'took'] }",
    );
    expect(fieldsOf(tableOf(pg, 'pgTable', { id: text?.('id') }))).toEqual({
      id: { kind: 'string', nullable: true },
    });
    const { schema } = fromDrizzle(jobs, { omit: ['key', 'at', 'took'] });
    expect([...schema.root.properties.keys()]).toEqual(['id']);
    expect(() => fromDrizzle(jobs, { omit: ['kye'] })).toThrow(
      'fromDrizzle: omit names "kye", which is not a column of jobs',
    );
    expect(() => fromDrizzle({} as never)).toThrow(
      'fromDrizzle: table must be a Drizzle table, got an object',
    );
  });

  it('types rows as the mapping decodes them', () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const { options } = ts.parseJsonConfigFileContent(
      ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
      ts.sys,
      root,
    );
    const name = `${root}test/sql/generated.ts`;
    const program = `import { bigint, date, integer, jsonb, numeric, pgTable, text, timestamp, uuid } from '../../extra/sql/node_modules/drizzle-orm/pg-core/index.js';
import { integer as number, sqliteTable } from '../../extra/sql/node_modules/drizzle-orm/sqlite-core/index.js';
import { fromDrizzle } from '../../src/entries/drizzle.js';
import type { RowOf } from '../../src/index.js';
const jobs = pgTable('jobs', {
  id: text('id').primaryKey(), state: text('state', { enum: ['on', 'off'] }), priority: integer('priority').notNull(),
  size: bigint('size', { mode: 'bigint' }), at: timestamp('at', { withTimezone: true }).notNull(), meta: jsonb('meta'),
  tags: text('tags').array().notNull(), key: uuid('key'), price: numeric('price').notNull(), day: date('day').notNull(),
  prices: numeric('prices').array().notNull(), owner: uuid('owner'),
});
const { schema } = fromDrizzle(jobs, { omit: ['key'] });
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const isTyped: Same<RowOf<typeof schema>, {
  readonly id: string; readonly state: 'on' | 'off' | (string & Record<never, never>) | null; readonly priority: number;
  readonly size: number | bigint | null; readonly at: string; readonly meta: unknown; readonly tags: readonly string[];
  readonly price: number; readonly day: string; readonly prices: readonly number[]; readonly owner: string | null;
}> = true;
const { schema: small } = fromDrizzle(sqliteTable('jobs', { at: number('at', { mode: 'timestamp' }).notNull() }));
export const isInteger: Same<RowOf<typeof small>, { readonly at: number | bigint }> = true;
// @ts-expect-error not a column
fromDrizzle(jobs, { omit: ['kye'] });`;
    const host = ts.createCompilerHost(options);
    const { getSourceFile } = host;
    host.getSourceFile = (file, version, ...rest) =>
      file === name ? ts.createSourceFile(file, program, version) : getSourceFile(file, version, ...rest);
    const made = ts.createProgram([name], { ...options, skipLibCheck: true }, host);
    const problems = made.getSemanticDiagnostics(made.getSourceFile(name));
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });
});
