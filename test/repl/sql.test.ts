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
