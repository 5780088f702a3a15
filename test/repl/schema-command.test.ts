import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inferSchema } from '../../src/command/infer-schema.js';
import { compileFilter, isRowOf, parseSchema } from '../../src/index.js';
import { createTable } from '../../src/entries/table.js';
import { scaled } from '../support/property-runs.js';
import { runIn } from './fake-io.js';

const row = {
  id: 'a-1',
  status: 'running',
  created: '2026-01-02T03:04:05Z',
  day: '2026-01-02',
  version: '1.2.3',
  address: '10.0.0.1',
  took: '1h30m',
  count: 1,
  load: 0.5,
  isOpen: true,
  tags: ['x'],
  meta: { owner: 'ann' },
};
const lines = (rows: readonly object[]): string => rows.map((each) => `${JSON.stringify(each)}\n`).join('');
const fieldsOf = (rows: readonly object[]): unknown => inferSchema(rows).structs['Row']?.fields;
const times = (count: number, rows: readonly object[]): object[] =>
  Array.from({ length: count }, () => rows).flat();

describe('tamis schema', () => {
  it('prints a schema that filter accepts, with one field per line', async () => {
    const rows = times(4, [
      row,
      { ...row, id: 'b', status: 'dead', day: '2026-01-03 10:00:00', extra: null },
    ]);
    const { code, stdout } = await runIn({ files: { 'rows.ndjson': lines(rows) } }, 'schema', 'rows.ndjson');
    expect(code).toBe(0);
    expect(stdout).toContain('\n        "status": {"kind":"string","values":["dead","running"]},\n');
    expect(stdout).toContain('\n        "day": {"kind":"time","zone":"UTC"},\n');
    const files = { 'rows.ndjson': lines(rows), 'schema.json': stdout };
    const filter = (...args: string[]) =>
      runIn({ files }, 'filter', '--schema', 'schema.json', ...args, 'rows.ndjson');
    const clauses = 'day > 2026-01-03T09:00:00Z and version < 2.0.0 and took > 1h and 10.0.0.0/8 != address';
    expect(await filter('--count', clauses)).toMatchObject({ code: 2 });
    expect(
      await filter('--count', 'day > 2026-01-03T09:00:00Z and version < 2.0.0 and took > 1h'),
    ).toMatchObject({
      ...{ code: 0, stdout: '4\n' },
    });
    // The schema is open: other fields are read as without a schema.
    expect(await filter('--count', '--unresolved', 'absent', 'other == 1')).toMatchObject({
      code: 1,
      stdout: '0\n',
    });
    expect((await filter('--select', 'staus', 'count == 1')).stderr).toContain('did you mean status?');
  });

  it('reads the rows at a path, and standard input', async () => {
    const stdin = JSON.stringify({ R: [{ I: [{ n: 1 }] }, { I: [{ n: 2.5 }] }] });
    const { code, stdout } = await runIn({ stdin }, 'schema', '--rows', 'R[].I[]');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { root: 'Row', structs: { Row: { fields: { n: { kind: 'float64' } }, open: true } } },
    ]);
  });

  it('reports that it read a sample only, and that there are no rows', async () => {
    const files = { 'rows.ndjson': lines(times(3, [{ a: 1 }])), 'empty.json': '[]' };
    expect(await runIn({ files }, 'schema', '--limit', '2', 'rows.ndjson')).toMatchObject({
      ...{ code: 0, stderr: 'tamis: the schema is that of the first 2 rows\n' },
    });
    expect(await runIn({ files }, 'schema', 'empty.json')).toMatchObject({
      ...{ code: 1, stdout: '', stderr: 'tamis: there are no rows\n' },
    });
  });
});

describe('the inferred schema', () => {
  it.each<[name: string, values: readonly unknown[], type: object]>([
    ['times', ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123+01:00'], { kind: 'time' }],
    ['times and dates', ['2026-01-02T03:04:05Z', '2026-01-02'], { kind: 'time', zone: 'UTC' }],
    ['times and other strings', ['2026-01-02', 'never'], { kind: 'string' }],
    ['versions', ['1.2.3', 'v2.0.0-rc.1'], { kind: 'version' }],
    ['addresses', ['10.0.0.1', '::1'], { kind: 'ip' }],
    ['durations', ['5m', '1h30m'], { kind: 'duration' }],
    ['integers', [1, 2n ** 60n], { kind: 'int' }],
    ['integers and fractions', [1, 0.5], { kind: 'float64' }],
    ['strings and numbers', ['a', 1], { kind: 'any' }],
    ['nulls', [null, null], { kind: 'any', nullable: true }],
    ['strings and null', ['a', null], { kind: 'string', nullable: true }],
    ['lists', [[], [1], [null]], { kind: 'list', of: { kind: 'int', nullable: true } }],
    ['empty lists', [[]], { kind: 'list', of: { kind: 'any' } }],
    ['lists of objects', [[{ a: 1 }]], { kind: 'list', of: { kind: 'struct', name: 'F' } }],
    ['empty objects', [{}], { kind: 'map', of: { kind: 'any' } }],
    [
      'maps',
      Array.from({ length: 20 }, (_, at) => ({ [`k${at}`]: 1 })),
      { kind: 'map', of: { kind: 'int' } },
    ],
    [
      'maps of many keys',
      [Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`k${at}`, 'x']))],
      { kind: 'map', of: { kind: 'string' } },
    ],
  ])('has the kind of %s', (_, values, type) => {
    expect(fieldsOf(values.map((F) => ({ F })))).toEqual({ F: type });
  });

  it('proposes an enumeration if few values repeat', () => {
    expect(fieldsOf(times(4, [{ F: 'b' }, { F: 'a' }]))).toEqual({
      F: { kind: 'string', values: ['a', 'b'] },
    });
    expect(fieldsOf(times(3, [{ F: 'b' }, { F: 'a' }]))).toEqual({ F: { kind: 'string' } });
    const many = Array.from({ length: 13 }, (_, at) => ({ F: `v${at}` }));
    expect(fieldsOf(times(9, many))).toEqual({ F: { kind: 'string' } });
  });

  it('is small and safe for hostile rows', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 400; depth += 1) deep = depth % 2 === 0 ? [deep] : { d: deep };
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at]));
    const odd = JSON.parse('{"__proto__": 1, "constructor": "x", "a.b": {"": true}}') as object;
    const schema = inferSchema([{ deep, wide }, odd]);
    expect(JSON.stringify(schema).length).toBeLessThan(3_000);
    expect([...parseSchema(schema).root.properties.keys()]).toEqual([
      'deep',
      'wide',
      '__proto__',
      'constructor',
      'a.b',
    ]);
    // Too many fields of a row: none is declared.
    expect(Object.keys(fieldsOf([wide]) as object)).toEqual([]);
  });

  it('is one that its rows fit', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constantFrom(null, '1.2.3', '2026-01-02', '::1', 2 ** 60),
    );
    const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
    const rows = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c d', ''), value), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(rows, (given) => {
        const names = [...new Set(given.flatMap((each) => Object.keys(each)))];
        const schema = parseSchema(JSON.parse(JSON.stringify(inferSchema(given))));
        const isRow = isRowOf(schema);
        for (const each of given) {
          // A guard wants every field: nullable ones may be missing in rows.
          const whole = Object.fromEntries(names.map((name) => [name, each[name] ?? null]));
          expect(isRow(whole)).toBe(true);
        }
      }),
      { numRuns: scaled(300) },
    );
  });

  it('is refused by tables, which store declared fields only', () => {
    const schema = parseSchema(inferSchema([{ id: 'a' }]));
    expect(() => createTable(schema, { key: 'id' as never })).toThrow('the schema must not be open');
    expect(compileFilter('other == 1', { schema }).test({ other: 1 })).toBe(true);
    expect(schema.toJSON().structs['Row']?.open).toBe(true);
  });
});
