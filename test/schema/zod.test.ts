import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { fromZod } from '../../src/language/schema/zod.js';
import { isRowOf } from '../../src/language/schema/row-guard.js';
import { compileFilter } from '../../src/filter/filter.js';
import { createTable } from '../../src/lists/table/table.js';
import { RowError } from '../../src/lists/table/row-error.js';
import { scaled } from '../support/property-runs.js';

/** The JSON form of the field `F` of a row with one field. */
function fieldOf(type: z.ZodType | mini.ZodMiniType): unknown {
  const { structs } = fromZod(z.object({ F: type as z.ZodType })).toJSON();
  return structs['Object1']?.fields['F'];
}

const text = { kind: 'string' };
const safe = { kind: 'int', safe: true };
enum Level {
  Low,
  High,
}

describe('fromZod', () => {
  it.each<[name: string, type: z.ZodType | mini.ZodMiniType, kind: object]>([
    ['string', z.string().min(3), text],
    ['uuid', z.uuid(), text],
    ['template literal', z.templateLiteral(['a', z.string()]), text],
    ['datetime', z.iso.datetime(), { kind: 'time' }],
    ['string with datetime', z.string().datetime(), { kind: 'time' }],
    ['date', z.date(), { kind: 'time' }],
    ['coerced date', z.coerce.date(), { kind: 'time' }],
    ['ipv4', z.ipv4(), { kind: 'ip' }],
    ['ipv6', z.string().ipv6(), { kind: 'ip' }],
    ['number', z.number().min(3), { kind: 'float64' }],
    ['int', z.int(), safe],
    ['int as a check', z.number().int().min(3), safe],
    ['int32', z.int32(), safe],
    ['int of mini', mini.number().check(mini.int()), safe],
    ['int64', z.int64(), { kind: 'int' }],
    ['uint64', z.uint64(), { kind: 'uint' }],
    ['bigint', z.bigint(), { kind: 'int' }],
    ['boolean', z.boolean(), { kind: 'bool' }],
    ['stringbool', z.stringbool(), { kind: 'bool' }],
    ['enum', z.enum(['a', 'b']), { ...text, values: ['a', 'b'] }],
    ['native enum', z.enum(Level), { kind: 'int' }],
    ['literal', z.literal('a'), { ...text, values: ['a'] }],
    ['literals', z.literal(['a', 'b', null]), { ...text, values: ['a', 'b'], nullable: true }],
    ['bigint literal', z.literal(3n), { kind: 'int' }],
    ['union of literals', z.union([z.literal('a'), z.literal('b')]), { ...text, values: ['a', 'b'] }],
    ['union of kinds', z.union([z.string(), z.number()]), { kind: 'any' }],
    ['union with null', z.union([z.string(), z.null()]), { ...text, nullable: true }],
    ['optional', z.string().optional(), { ...text, nullable: true }],
    ['nullish', z.string().nullish(), { ...text, nullable: true }],
    ['nullable', mini.nullable(mini.string()), { ...text, nullable: true }],
    ['default', z.string().optional().default('x'), text],
    ['default of nullable', z.string().nullable().default('x'), { ...text, nullable: true }],
    ['nonoptional', z.nonoptional(z.string().optional()), text],
    ['readonly', z.string().readonly(), text],
    ['brand', z.string().brand('X'), text],
    ['catch', z.string().catch('x'), text],
    ['pipe', z.string().pipe(z.transform(Number)).pipe(z.number()), { kind: 'float64' }],
    ['preprocess', z.preprocess(String, z.string()), text],
    ['lazy', z.lazy(() => z.string()), text],
    ['array', z.array(z.string()), { kind: 'list', of: text }],
    ['set', z.set(z.int()), { kind: 'list', of: safe }],
    ['tuple', z.tuple([z.string()], z.string()), { kind: 'list', of: text }],
    ['tuple of kinds', z.tuple([z.string(), z.boolean()]), { kind: 'list', of: { kind: 'any' } }],
    ['record', z.record(z.string(), z.boolean()), { kind: 'map', of: { kind: 'bool' } }],
    ['record of an enum', z.record(z.enum(['a']), z.string()), { kind: 'map', of: text }],
    ['map', z.map(z.string(), z.string()), { kind: 'map', of: text }],
    ['any', z.any(), { kind: 'any' }],
    ['open object', z.looseObject({ a: z.string() }), { kind: 'struct', name: 'Object2' }],
    ['object with a catchall', z.object({ a: z.string() }).catchall(z.string()), { kind: 'any' }],
    [
      'intersection',
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
      { kind: 'struct', name: 'F' },
    ],
  ])('reads %s', (_, type, kind) => {
    expect(fieldOf(type)).toEqual(kind);
  });

  it.each<[name: string, type: unknown, message: string]>([
    [
      'a transform',
      z.object({ n: z.string().transform(Number) }),
      'n is z.transform(), whose values filters cannot read. Pipe it into a type: .pipe(z.string())',
    ],
    [
      'a custom type',
      z.object({ a: z.array(z.instanceof(URL)) }),
      'a[] is z.custom(), whose values filters cannot read. Use z.any(), or the type of its values',
    ],
    [
      'a nested promise',
      z.object({ a: z.object({ 'b c': z.promise(z.string()) }) }),
      'a.b c is z.promise(), whose values filters cannot read. Use z.any()',
    ],
    [
      'symbols',
      z.object({ s: z.symbol() }),
      's is z.symbol(), whose values filters cannot read. Use z.any()',
    ],
    [
      'map keys',
      z.object({ m: z.map(z.number(), z.string()) }),
      'm is z.map() with keys that are not strings, which rows cannot have',
    ],
    [
      'a schema of Zod 3',
      { _def: { typeName: 'ZodObject' } },
      'the schema must be a schema of Zod 4, got one of Zod 3',
    ],
    ['undefined', undefined, 'the schema must be a schema of Zod 4, got undefined'],
  ])('refuses %s by name', (_, type, message) => {
    expect(() => fromZod(type as z.ZodType)).toThrow(new TypeError(`fromZod: ${message}`));
  });

  it('refuses a schema that is not an object', () => {
    expect(() => fromZod(z.string())).toThrow(
      'fromZod: the schema must be an object, such as z.object({ id: z.string() }), got z.string()',
    );
  });

  it('refuses a schema that is nested without end', () => {
    const deep = (depth: number): z.ZodType => (depth === 0 ? z.string() : z.array(deep(depth - 1)));
    expect(() => fromZod(z.object({ a: deep(80) }))).toThrow('nested more than 64 levels deep');
  });

  it('reads objects that contain themselves', () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node);
      },
    });
    const filter = compileFilter('any children as c { any c.children as d { d.name == x } }', {
      schema: fromZod(node),
    });
    const leaf = { name: 'x', children: [] };
    const row = { name: 'a', children: [{ name: 'b', children: [leaf] }] };
    expect(filter.test(row)).toBe(true);
  });

  const user = z.object({ id: z.string(), age: z.int(), createdAt: z.date(), email: z.string().optional() });

  it('creates tables that store parsed rows and filters that read missing fields as null', () => {
    const users = createTable(fromZod(user), { key: 'id' });
    users.put(user.parse({ id: 'a', age: 3, createdAt: new Date(0) }) as never);
    expect(users.get('a')).toEqual({ id: 'a', age: 3, createdAt: '1970-01-01T00:00:00.000Z', email: null });
    const row = { id: 'a', age: 3, createdAt: new Date(0) };
    expect(
      compileFilter('email is nil and createdAt < 2000-01-01', { schema: fromZod(user) }).test(row),
    ).toBe(true);
    expect(() => users.put({ id: 'b', age: 2 ** 53, createdAt: '', email: null })).toThrow(
      new RowError('age', 'age must be a safe int, got 9007199254740992'),
    );
  });

  it('accepts the values of each type that Zod accepts', () => {
    const types: readonly [z.ZodType, fc.Arbitrary<unknown>][] = [
      [z.string(), fc.string()],
      [z.int(), fc.maxSafeInteger()],
      [z.number(), fc.double({ noNaN: true, noDefaultInfinity: true })],
      [z.bigint(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })],
      [z.boolean(), fc.boolean()],
      [z.enum(['a', 'b']), fc.constantFrom('a', 'b')],
      [z.ipv4(), fc.ipV4()],
      [z.string().nullable(), fc.option(fc.string())],
      [z.array(z.int()), fc.array(fc.maxSafeInteger())],
      [z.record(z.string(), z.boolean()), fc.dictionary(fc.string(), fc.boolean())],
    ];
    const field = fc.constantFrom(...types).chain(([type, value]) => fc.tuple(fc.constant(type), value));
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), field, { noNullPrototype: true }),
        (fields) => {
          const pick = <T>(part: (each: [z.ZodType, unknown]) => T): Record<string, T> =>
            Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, part(each)]));
          const schema = z.object(pick(([type]) => type));
          const row = pick(([, value]) => value);
          fc.pre(schema.safeParse(row).success && Object.keys(fields).length > 0);
          expect(isRowOf(fromZod(schema))(row)).toBe(true);
        },
      ),
      { numRuns: scaled(300) },
    );
  });
});
