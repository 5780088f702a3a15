import fc from 'fast-check';
import { check, compileFilter, parseSchema, type SchemaJSON } from 'tamis';
import { where } from 'tamis/builder';
import { describe, expect, it } from 'vitest';
import { inferSchema } from '../src/worker/infer-schema.js';

const fieldsOf = ({ root, structs }: SchemaJSON): unknown => structs[root]?.fields;
const times = (count: number, ...rows: object[]): object[] =>
  Array.from({ length: count }, () => rows).flat();

describe('an inferred schema', () => {
  // values of a field in rows, its type
  it.each<[unknown[], object]>([
    [['a', 'b'], { kind: 'string' }],
    [[1, 2], { kind: 'int' }],
    [[1, 2.5], { kind: 'float64' }],
    [[1, 18446744073709551615n], { kind: 'uint' }],
    [[1, 2n ** 70n], { kind: 'float64' }],
    [[true, null], { kind: 'bool', nullable: true }],
    [[1, 'a'], { kind: 'any' }],
    [[null, null], { kind: 'any' }],
    [['2026-11-01T00:00:00Z', '2026-11-01t00:00:00.5+01:00'], { kind: 'time' }],
    [['2026-11-01', '2026-11-02'], { kind: 'string' }],
    [['10.0.0.1', '::1', 'fe80::1'], { kind: 'ip' }],
    [['10.0.0.1', '10.0.0.256'], { kind: 'string' }],
    [['12:30:15', '01:02:03'], { kind: 'string' }],
    [['1.2.3', 'v2.0.0-rc.1'], { kind: 'version' }],
    [['1h30m', '250ms'], { kind: 'duration' }],
    [[['a'], [], null], { kind: 'list', of: { kind: 'string' } }],
    [[[]], { kind: 'list', of: { kind: 'any' } }],
    [[{ a: '1' }, { b: '2' }], { kind: 'map', of: { kind: 'string' } }],
    [[{ 'x-y': '1' }, { 'x-y': '2' }], { kind: 'map', of: { kind: 'string' } }],
    [[{ 'x-y': '1', z: 2 }, {}], { kind: 'map', of: { kind: 'any' } }],
    [
      [
        { a: '1', b: 1 },
        { a: '2', b: 2 },
      ],
      { kind: 'struct', name: 'F' },
    ],
    [[{ a: '1' }, null], { kind: 'struct', name: 'F', nullable: true }],
  ])('%#. takes %o for what they are', (values, type) => {
    expect(fieldsOf(inferSchema(values.map((F) => ({ F }))))).toEqual({ F: type });
  });

  it('takes a few texts that come often for a choice, and no others', () => {
    const rows = times(8, { Status: 'b', ID: 'x' }, { Status: 'a', ID: 'y' });
    const numbered = rows.map((row, index) => ({ ...row, ID: `id-${index}` }));
    expect(fieldsOf(inferSchema(numbered))).toEqual({
      Status: { kind: 'string', values: ['a', 'b'] },
      ID: { kind: 'string' },
    });
  });

  it('assigns valid names to fields with invalid ones', () => {
    const schema = inferSchema([{ 'First Name': 'a', 'First-Name': 1, '2nd': true, __proto__x: 1 }]);
    expect(fieldsOf(schema)).toEqual({
      'First Name': { kind: 'string', selectorName: 'First_Name' },
      'First-Name': { kind: 'int', selectorName: 'First_Name_2' },
      '2nd': { kind: 'bool', selectorName: 'field_2nd' },
      __proto__x: { kind: 'int', selectorName: 'proto_x' },
    });
    expect(check('First_Name_2 == 1 and field_2nd == true', { schema: parseSchema(schema) })).toEqual([]);
  });

  it('is one under which every value is found again', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.boolean(),
      fc.integer(),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    );
    const drawn = fc.array(fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'x y'), value), {
      minLength: 1,
    });
    fc.assert(
      fc.property(drawn, (rows) => {
        const schema = parseSchema(inferSchema(rows));
        for (const row of rows) {
          for (const [property, each] of Object.entries(row)) {
            const name = schema.root.properties.get(property)?.name ?? '';
            expect(compileFilter(where(name).is(each), { schema }).test(row as never)).toBe(true);
          }
        }
      }),
    );
  });
});
