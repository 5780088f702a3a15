import { describe, expect, it } from 'vitest';
import { defineSchema, FilterCheckError, t } from '../../src/index.js';
import {
  array,
  bool,
  int,
  jsonb,
  sqlListSource,
  sqlMapping,
  SqlFilterError,
  text,
  timestamptz,
} from '../../src/entries/sql.js';

const schema = defineSchema({
  ...{
    id: t.string,
    owner: t.nullable(t.string),
    priority: t.int,
    version: t.version,
    secret: t.hidden(t.string),
  },
  ...{ at: t.time, any: t.any, meta: t.map(t.string), nested: t.struct({ a: t.string }), on: t.bool },
});

const columns = {
  id: text('id', { notNull: true, collation: 'C' }),
  owner: text('owner'),
  priority: int('priority', { notNull: true }),
  version: text('version'),
  at: timestamptz('at', { notNull: true, constrained: true }),
  meta: jsonb('data', ['meta']),
  'nested.a': text('nested_a', { notNull: true }),
  on: bool('on', { notNull: true }),
};

const source = sqlMapping(schema, { dialect: 'postgres', table: ['public', 'jobs'], columns });

describe('a condition', () => {
  it.each([
    ['id == "a"', '"jobs"."id" = $1::text', ['a']],
    ['id starts with "a"', '("jobs"."id" >= $1::text AND "jobs"."id" < $2::text)', ['a', 'b']],
    ['priority in [1, 2]', '"jobs"."priority" = ANY($1::bigint[])', ['{"1","2"}']],
    ['not (priority > 5)', '"jobs"."priority" <= $1::bigint', ['5']],
    ['at > 2026-11-01', '"jobs"."at" > $1::text::timestamptz', ['2026-11-01T00:00:00.000000Z']],
    ['at > now - 1h', '"jobs"."at" > $1::text::timestamptz', ['1969-12-31T23:00:00.000000Z']],
    ['meta.k == "a"', `(("jobs"."data" -> 'meta') ->> $1::text) = $2::text`, ['k', 'a']],
    ['nested.a == "a"', '"jobs"."nested_a" = $1::text', ['a']],
    ['on != true', '"jobs"."on" = FALSE', []],
    ['owner < "a"', '"jobs"."owner" COLLATE "C" < $1::text', ['a']],
    ['id in []', 'FALSE', []],
  ])('%s', (filter, written, values) => {
    const found = source.where(filter, { now: new Date(0) });
    expect([found.toSQL('$'), found.values, found.exact]).toEqual([written, values, true]);
  });

  it('leaves to the residual what may fail, and brings here the rows that are null', () => {
    const of = (filter: string): unknown[] => source.explain(filter).map(({ by }) => by);
    expect(of('priority > 5 and owner == "a" and id != "b"')).toEqual(['exact', 'partial', 'partial']);
    expect(of('priority > 5 and version > 1.0.0 and id != "b"')).toEqual(['exact', 'residual', 'residual']);
    expect(of('any == 5 and id != "b"')).toEqual(['residual', 'residual']);
    expect(of('owner < "a" and id != "b"')).toEqual(['exact', 'exact']);
    const { residual, toSQL: textOf } = source.where('priority > 5 and owner == "a"');
    expect(textOf('?')).toBe(
      '("jobs"."priority" > ?::bigint AND ("jobs"."owner" = ?::text OR "jobs"."owner" IS NULL))',
    );
    expect(residual?.test({ owner: 'a' })).toBe(true);
    expect(() => residual?.test({ owner: null })).toThrow();
  });

  it('has the condition of the caller in it', () => {
    const scope = { strings: ['team = ', ''], values: ['x'] };
    const found = source.where('id == "a" or id == "b"', { scope });
    expect(found.toSQL('$', { first: 3 })).toBe(
      '((team = $3) AND ("jobs"."id" = $4::text OR "jobs"."id" = $5::text))',
    );
    expect(found.values).toEqual(['x', 'a', 'b']);
    expect(() => source.where('id == "a"', { scope: { strings: ['a'], values: [1] } })).toThrow(TypeError);
  });

  it('is a template literal, as drivers and builders take one', () => {
    const { parts, values } = source.where('id == "$1" and priority > 5', { unresolved: 'absent' });
    const text = String.raw(parts.strings, ...parts.values.map((value) => `[${String(value)}]`));
    expect(text).toBe('("jobs"."id" = [$1]::text AND "jobs"."priority" > [5]::bigint)');
    expect(values).toEqual(['$1', '5']);
  });

  it('is refused where all of it has to be exact', () => {
    expect(() => source.where('id == "a"', { require: 'exact' })).not.toThrow();
    const refused = (): unknown =>
      source.where('id == "a" and version > 1.0.0', { require: 'exact', unresolved: 'absent' });
    expect(refused).toThrow(SqlFilterError);
    expect(refused).toThrow('version > 1.0.0 (a string is compared by its value as a version)');
    expect(() => source.where('secret == "a"')).toThrow(FilterCheckError);
  });

  it('stays within bounds', () => {
    const many = Array.from({ length: 1_999 }, (_, at) => `id == "${at}"`).join(' or ');
    expect(source.where(many).exact).toBe(true);
    const long = Array.from({ length: 1_500 }, () => `(id starts with "a" or id ends with "b")`).join(
      ' and ',
    );
    expect(
      source.where(long, { limits: { maxTerms: 5_000, maxLength: 1e6 } }).values.length,
    ).toBeLessThanOrEqual(5_000);
  });
});

describe('a mapping', () => {
  it.each([
    [{ idd: text('id') }, 'unknown property "idd"; did you mean id?'],
    [{ id: int('id') }, 'id is a string, and int columns store integers'],
    [{ id: array('id') }, 'id is a string, and array columns store lists'],
    [{ nested: jsonb('n'), 'nested.a': text('a') }, 'nested and a part of it both have columns'],
    [{ 'owner.a': text('a') }, 'only the fields of a struct that is never null'],
    [{ id: 'id' }, 'the column of id must be created with text(), int() or a similar function'],
  ])('%j', (wrong, message) => {
    expect(() => sqlMapping(schema, { dialect: 'postgres', table: 'jobs', columns: wrong as never })).toThrow(
      message,
    );
  });

  it('searches nested collections up to a depth', () => {
    const of = (depth: number): string =>
      depth === 0 ? 'k == a' : `any meta as k${depth === 1 ? '' : depth} { ${of(depth - 1)} }`;
    for (const [depth, by] of [
      [3, 'exact'],
      [4, 'residual'],
    ] as const)
      expect(source.explain(of(depth), { unresolved: 'absent' })).toMatchObject([{ by }]);
  });

  it('makes lists of whole rows in an order that there is', () => {
    const run = (): never[] => [];
    expect(() => sqlListSource(source, run, { key: 'id' })).toThrow(
      'any has no column, but rows must be complete',
    );
    const whole = sqlMapping(schema, {
      dialect: 'postgres',
      table: 'jobs',
      columns: { ...columns, any: jsonb('any') },
    });
    expect(() => sqlListSource(whole, run, { key: 'id', sorts: ['priority'] })).not.toThrow();
    expect(() => sqlListSource(whole, run, { key: 'version' as never })).toThrow(
      'key must be a string or integer field; version',
    );
    const loose = sqlMapping(schema, {
      ...{ dialect: 'postgres', table: 'jobs' },
      columns: { ...columns, any: jsonb('any'), id: text('id') },
    });
    expect(() => sqlListSource(loose, run, { key: 'id' })).toThrow('must be NOT NULL');
    expect(() =>
      sqlMapping(schema, { dialect: 'sqlite', table: 'jobs', columns: { at: timestamptz('at') } }),
    ).toThrow('at is stored as timestamptz, which sqlite does not support; postgres and duckdb do');
  });
});
