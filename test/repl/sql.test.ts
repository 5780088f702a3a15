import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { runIn } from './fake-io.js';

const schema = defineSchema({
  ...{
    ID: t.string,
    Count: t.int,
    Tags: t.list(t.string),
    Meta: t.map(t.string),
    At: t.time,
    Version: t.version,
  },
  ...{ Load: t.float64, Small: t.float32, On: t.bool, Parts: t.list(t.struct({ A: t.string })), Any: t.any },
  Inner: t.nullable(t.struct({ B: t.string })),
});
const files = { 'schema.json': JSON.stringify(schema) };

describe('tamis sql', () => {
  it('prints a condition, its values, and the remaining filter', async () => {
    const filter = `ID starts with "it's" and "a" in Tags and Version > 1.0.0`;
    const { code, stdout } = await runIn(
      { files },
      'sql',
      filter,
      '--schema',
      'schema.json',
      '--unresolved',
      'absent',
    );
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        `(("rows"."ID" COLLATE "C" >= $1::text AND "rows"."ID" COLLATE "C" < $2::text) AND "rows"."Tags" @> $3)`,
        `-- 1: "it's"`,
        `-- 2: "it't"`,
        String.raw`-- 3: "{\"a\"}"`,
        '-- residual: Version > 1.0.0',
        '--   Version > 1.0.0: a string is compared by its value as a version',
        '',
      ].join('\n'),
    );
  });

  it.each(['postgres', 'sqlite', 'duckdb'])(
    'knows columns for every kind of field in %s',
    async (dialect) => {
      const filter =
        'Count > 5 and "k" in Meta and At > 2026-01-01 and Load < 1 and On == true and any Parts as p { p.A == x }';
      const argv = [
        'sql',
        filter,
        '--schema',
        'schema.json',
        '--dialect',
        dialect,
        '--unresolved',
        'absent',
        '--json',
      ];
      const { code, stdout } = await runIn({ files }, ...argv);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ exact: true, residual: null });
      const any = await runIn(
        { files },
        'sql',
        'Any == 5 and Small > 1',
        '--schema',
        'schema.json',
        '--json',
        '--dialect',
        dialect,
      );
      expect(JSON.parse(any.stdout)).toMatchObject({ condition: 'TRUE', exact: false, values: [] });
    },
  );

  it('says what is wrong', async () => {
    expect(await runIn({}, 'sql', 'ID == a')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--schema FILE') as string,
    });
    const odd = await runIn({ files }, 'sql', 'IDD == a', '--schema', 'schema.json');
    expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean ID?') as string });
    const dialect = await runIn({ files }, 'sql', 'ID == a', '--schema', 'schema.json', '--dialect', 'mysql');
    expect(dialect).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--dialect is postgres or sqlite or duckdb') as string,
    });
  });
});

describe('tamis sql --from-table', () => {
  const columns = [
    { name: 'id', type: 'INTEGER', notnull: 1, is_not_null: 1, pk: 1 },
    { name: 'name', type: 'TEXT', is_not_null: 0, pk: 0 },
  ];
  class Database {
    constructor(path: string) {
      if (path !== 'app.db') throw new Error('unable to open');
    }
    prepare(text: string) {
      if (/version\(\)/.test(text) && !text.includes('sqlite')) throw new Error('no such function: version');
      return {
        all: (...values: unknown[]) =>
          text.includes('table_info') && values[0] === 'jobs'
            ? columns
            : text.includes('pragma_table_list')
              ? [{ strict: 1 }]
              : [],
      };
    }
    close(): void {}
  }
  const packages = { 'better-sqlite3': Database };

  it('prints a module, or the schema', async () => {
    const { code, stdout } = await runIn({ packages }, 'sql', '--from-table', 'jobs', '--database', 'app.db');
    expect([code, stdout]).toEqual([
      0,
      `import { defineSchema, t } from 'tamis';
import { int, sqlMapping, text } from 'tamis/sql';

export const schema = defineSchema({
  id: t.int,
  name: t.nullable(t.string),
});

export const mapping = sqlMapping(schema, {
  dialect: 'sqlite',
  table: 'jobs',
  columns: {
    id: int('id', { notNull: true }),
    name: text('name'),
  },
});

export const key = 'id';
`,
    ]);
    const env = { DATABASE_URL: 'app.db' };
    const json = await runIn({ packages, env }, 'sql', '--from-table', 'jobs', '--json');
    expect(
      Object.keys((JSON.parse(json.stdout) as { structs: { Row: { fields: object } } }).structs.Row.fields),
    ).toEqual(['id', 'name']);
  });

  it.each([
    [['jobs'], 'needs --database URL'],
    [['jobs', '--database', 'x.db'], 'the database cannot be opened: unable to open'],
    [['jobs', '--database', 'postgres://a'], 'the package pg is not installed here'],
    [['jobs', '--database', 'a.duckdb'], 'npm install @duckdb/node-api'],
    [['none', '--database', 'app.db'], 'there is no table none'],
    [['jobs', 'ID == a', '--database', 'app.db'], '--from-table takes no expression'],
  ])('rejects %j', async (argv, message) => {
    const { code, stderr } = await runIn({ packages }, 'sql', '--from-table', ...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
