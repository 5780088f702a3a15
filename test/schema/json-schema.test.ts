import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../src/filter/filter.js';
import { fromJSONSchema } from '../../src/language/schema/json-schema.js';
import { parseSchema } from '../../src/language/schema/parse-schema.js';
import { scaled } from '../support/property-runs.js';

/** The JSON form of the field `F` of a row that one schema describes. */
function fieldOf(schema: unknown, siblings: object = {}): unknown {
  const { structs } = fromJSONSchema({ type: 'object', properties: { F: schema }, ...siblings }).toJSON();
  return structs['Row']?.fields['F'];
}

const text = { kind: 'string' };
const any = { kind: 'any' };

describe('fromJSONSchema', () => {
  it.each<[schema: unknown, type: object]>([
    [{ type: 'string' }, text],
    [{ type: 'string', format: 'uuid', minLength: 3, pattern: 'x' }, text],
    [{ type: 'string', format: 'date-time' }, { kind: 'time' }],
    [{ type: 'string', format: 'ipv4' }, { kind: 'ip' }],
    [
      { type: ['string', 'null'], format: 'ipv6' },
      { kind: 'ip', nullable: true },
    ],
    [
      {
        anyOf: [
          { type: 'string', format: 'ipv4' },
          { type: 'string', format: 'ipv6' },
        ],
      },
      { kind: 'ip' },
    ],
    [{ anyOf: [{ type: 'string', format: 'ipv4' }, { type: 'string' }] }, text],
    // ISO 8601's, not Go's.
    [{ type: 'string', format: 'duration' }, text],
    [{ type: 'boolean' }, { kind: 'bool' }],
    [{ type: 'integer', minimum: 0 }, { kind: 'int' }],
    [{ type: 'integer', format: 'uint64' }, { kind: 'uint' }],
    [{ type: 'number' }, { kind: 'float64' }],
    [{ type: 'null' }, any],
    [{}, any],
    [true, any],
    [false, any],
    [{ description: 'whatever' }, any],
    [{ not: { type: 'string' } }, any],
    [{ type: ['string', 'integer'] }, any],
    [{ type: ['integer', 'number'] }, { kind: 'float64' }],
    [{ $dynamicRef: '#node' }, any],
    // Null together with other types.
    [{ type: ['string', 'null'] }, { ...text, nullable: true }],
    [{ type: ['null', 'integer'] }, { kind: 'int', nullable: true }],
    [
      { type: 'string', nullable: true },
      { ...text, nullable: true },
    ],
    [{ type: 'string', nullable: false }, text],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { ...text, nullable: true }],
    [{ oneOf: [{ const: null }, { type: 'number' }] }, { kind: 'float64', nullable: true }],
    [{ oneOf: [{ enum: [null] }, { type: 'boolean' }] }, { kind: 'bool', nullable: true }],
    [
      { type: ['array', 'null'], items: { type: 'string' } },
      { kind: 'list', of: text },
    ],
    [
      { type: ['object', 'null'], additionalProperties: { type: 'string' } },
      { kind: 'map', of: text },
    ],
    // Values and alternatives.
    [{ enum: ['a', 'b'] }, { ...text, values: ['a', 'b'] }],
    [{ enum: ['a', null] }, { ...text, nullable: true, values: ['a'] }],
    [
      { type: 'string', enum: ['a', null] },
      { ...text, values: ['a'] },
    ],
    [{ type: 'string', enum: [] }, text],
    [{ enum: [1, 2] }, { kind: 'int' }],
    [{ enum: [1, 2.5] }, { kind: 'float64' }],
    [{ enum: [true] }, { kind: 'bool' }],
    [{ enum: ['a', 1] }, any],
    [{ enum: [['a']] }, any],
    [{ enum: [] }, any],
    [{ const: 'a' }, { ...text, values: ['a'] }],
    [{ const: null }, any],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, { ...text, values: ['a', 'b'] }],
    [{ anyOf: [{ type: 'string' }, { type: 'string', format: 'date-time' }] }, text],
    [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, any],
    [{ type: 'string', anyOf: [{ minLength: 1 }, { pattern: 'x' }] }, text],
    [{ allOf: [{ type: 'string' }] }, text],
    [{ allOf: [{ type: 'string' }, { description: 'x' }] }, text],
    [
      { allOf: [{ type: 'string' }], nullable: true },
      { ...text, nullable: true },
    ],
    [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, any],
    // Lists.
    [{ type: 'array' }, { kind: 'list', of: any }],
    [
      { type: 'array', items: true },
      { kind: 'list', of: any },
    ],
    [{ items: { type: ['integer', 'null'] } }, { kind: 'list', of: { kind: 'int', nullable: true } }],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], items: false },
      { kind: 'list', of: text },
    ],
    [
      { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] },
      { kind: 'list', of: any },
    ],
    // Maps and objects.
    [{ type: 'object' }, { kind: 'map', of: any }],
    [
      { type: 'object', additionalProperties: true },
      { kind: 'map', of: any },
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { kind: 'map', of: text },
    ],
    [
      { additionalProperties: { type: 'array', items: { type: 'string' } } },
      { kind: 'map', of: { kind: 'list', of: text } },
    ],
    [
      { type: 'object', patternProperties: { '^x': { type: 'string' } } },
      { kind: 'map', of: text },
    ],
    [
      {
        type: 'object',
        patternProperties: { '^x': { type: 'string' } },
        additionalProperties: { type: 'integer' },
      },
      { kind: 'map', of: any },
    ],
    [
      { type: 'object', required: ['a'], additionalProperties: { type: 'string' } },
      { kind: 'map', of: text },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } },
      any,
    ],
    [
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      { kind: 'struct', name: 'F' },
    ],
    [
      { properties: { a: {} }, additionalProperties: {}, nullable: true },
      { kind: 'struct', name: 'F', nullable: true },
    ],
  ])('%j is %j', (schema, type) => {
    expect(fieldOf(schema)).toEqual(type);
  });

  it.each<[schema: unknown, siblings: object, type: object]>([
    [{ $ref: '#/$defs/Name' }, { $defs: { Name: { type: 'string' } } }, text],
    [{ $ref: '#/definitions/Name' }, { definitions: { Name: { type: 'string' } } }, text],
    [
      { $ref: '#/$defs/Name', nullable: true },
      { $defs: { Name: { type: 'string' } } },
      { ...text, nullable: true },
    ],
    [
      { $ref: '#/$defs/A' },
      { $defs: { A: { $ref: '#/$defs/B', nullable: true }, B: { type: 'string' } } },
      { ...text, nullable: true },
    ],
    [
      { anyOf: [{ $ref: '#/$defs/S' }, { type: 'null' }] },
      { $defs: { S: { properties: { a: {} } } } },
      { kind: 'struct', name: 'S', nullable: true },
    ],
    [{ $ref: '#/$defs/a~1b~0c%20d' }, { $defs: { 'a/b~c d': { type: 'integer' } } }, { kind: 'int' }],
    [{ $ref: '#/$defs/all/0' }, { $defs: { all: [{ type: 'integer' }] } }, { kind: 'int' }],
    [{ $ref: '#' }, {}, { kind: 'struct', name: 'Row' }],
    [{ type: 'array', items: { $ref: '#' } }, {}, { kind: 'list', of: { kind: 'struct', name: 'Row' } }],
    [
      { $ref: '#/$defs/Tree' },
      { $defs: { Tree: { additionalProperties: { $ref: '#/$defs/Tree' } } } },
      { kind: 'map', of: any },
    ],
    [{ $ref: '#/$defs/A' }, { $defs: { A: { allOf: [{ $ref: '#/$defs/A' }, { type: 'string' }] } } }, text],
  ])('%j next to %j is %j', (schema, siblings, type) => {
    expect(fieldOf(schema, siblings)).toEqual(type);
  });

  it('joins the properties of allOf, and knows required names without a schema', () => {
    const schema = fromJSONSchema({
      allOf: [
        { $ref: '#/$defs/Base' },
        {
          type: 'object',
          properties: { Count: { type: 'integer' }, Kind: { const: 'job' } },
          required: ['Extra'],
        },
      ],
      $defs: { Base: { properties: { ID: { type: 'string' }, Kind: { type: 'string' } }, required: ['ID'] } },
    });
    expect(schema.toJSON().structs['Row']?.fields).toEqual({
      ID: text,
      Kind: text,
      Count: { kind: 'int' },
      Extra: any,
    });
  });

  it('keeps the named properties of a row that may have more', () => {
    const open = { properties: { ID: { type: 'string' } }, additionalProperties: { type: 'integer' } };
    expect(fromJSONSchema(open).toJSON().structs['Row']?.fields).toEqual({ ID: text });
    const named = { $ref: '#/definitions/Job', definitions: { Job: open } };
    expect(fromJSONSchema(named).toJSON().structs['Job']?.fields).toEqual({ ID: text });
  });

  it('reads objects that contain themselves, and filters by them', () => {
    const schema = fromJSONSchema({
      $ref: '#/$defs/Folder',
      $defs: {
        Folder: {
          type: 'object',
          properties: {
            Name: { type: 'string' },
            Parent: { anyOf: [{ $ref: '#/$defs/Folder' }, { type: 'null' }] },
            Folders: { type: 'array', items: { $ref: '#/$defs/Folder' } },
          },
        },
      },
    });
    const filter = compileFilter('any Folders as f { f.Name == src and f.Parent.Name == root }', { schema });
    expect(filter.test({ Folders: [{ Name: 'src', Parent: { Name: 'root' } }] })).toBe(true);
    expect(() => compileFilter('Parent.Nmae == x', { schema })).toThrow('1:8: Nmae: there is no such field');
    expect(parseSchema(schema.toJSON()).toJSON()).toEqual(schema.toJSON());
  });

  it('takes properties that every object inherits for what they are', () => {
    const json: unknown = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}',
    );
    const schema = fromJSONSchema(json);
    expect([...schema.root.fields.keys()]).toEqual(['__proto__', 'constructor']);
    expect(JSON.stringify(schema)).toContain('"__proto__":{"kind":"string"}');
    expect(compileFilter('constructor == 5', { schema }).test({ constructor: 5 })).toBe(true);
    expect(compileFilter('constructor == 5', { schema }).test({})).toBe(false);
  });

  it.each<[json: unknown, message: string]>([
    [null, '#: expected a schema'],
    ['object', '#: expected a schema'],
    [[], '#: expected a schema'],
    [true, '#: expected the schema of a row, an object with properties; this one is any'],
    [{}, '#: expected the schema of a row'],
    [
      { type: 'array', items: { type: 'object' } },
      '#: expected the schema of a row, an object with properties; this one is list',
    ],
    [{ type: 'object' }, 'this one is map'],
    [{ $ref: '#/$defs/A', $defs: { A: { type: 'string' } } }, '#/$defs/A: expected the schema of a row'],
    [{ properties: [] }, '#/properties: expected an object'],
    [{ properties: { a: 5 } }, '#/properties/a: expected a schema'],
    [{ properties: { 'a/b~c': { type: 'txt' } } }, '#/properties/a~1b~0c/type: unknown type "txt"'],
    [{ properties: { a: { type: ['string', 5] } } }, '#/properties/a/type/1: unknown type 5'],
    [{ properties: { a: { enum: 'x' } } }, '#/properties/a/enum: expected a list'],
    [{ properties: { a: { anyOf: {} } } }, '#/properties/a/anyOf: expected a list'],
    [{ properties: { a: { items: 'x' } } }, '#/properties/a/items: expected a schema'],
    [
      { properties: { a: { additionalProperties: 'x' } } },
      '#/properties/a/additionalProperties: expected an object',
    ],
    [{ properties: { a: {} }, required: [5] }, '#/required/0: expected the name of a property'],
    [{ properties: { a: { $ref: 5 } } }, '#/properties/a/$ref: expected a reference'],
    [
      { properties: { a: { $ref: 'other.json#/A' } } },
      '#/properties/a/$ref: "other.json#/A" is outside of the document',
    ],
    [{ properties: { a: { $ref: '#name' } } }, 'outside of the document'],
    [{ properties: { a: { $ref: '#/$defs/A' } } }, '#/properties/a/$ref: there is no "#/$defs/A"'],
    [{ properties: { a: { $ref: '#/constructor' } } }, 'there is no "#/constructor"'],
    [{ properties: { a: { $ref: '#/%zz' } } }, '#/properties/a/$ref: "#/%zz" has a bad percent escape'],
    [{ $ref: '#' }, '#/$ref: the references lead in a circle'],
    [
      {
        properties: { a: { $ref: '#/$defs/A' } },
        $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } },
      },
      '#/$defs/A/$ref: the references lead in a circle',
    ],
  ])('refuses %j', (json, message) => {
    expect(() => fromJSONSchema(json)).toThrow(TypeError);
    expect(() => fromJSONSchema(json)).toThrow(message);
  });
});

describe('a hostile JSON Schema', () => {
  const row = (schema: unknown, definitions: object = {}): unknown => ({
    properties: { a: schema },
    $defs: definitions,
  });
  const numbered = (count: number, make: (index: number) => unknown): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`D${index}`, make(index)]));
  const next = (index: number): unknown => ({ $ref: `#/$defs/D${index + 1}` });

  function nested(wrap: (inner: unknown) => unknown): unknown {
    let schema: unknown = { type: 'string' };
    for (let depth = 0; depth < 50_000; depth += 1) schema = wrap(schema);
    return row(schema);
  }

  it.each<[string, unknown, string]>([
    ['nests lists', nested((items) => ({ items })), 'schemas may be nested 64 deep'],
    ['nests objects', nested((a) => ({ properties: { a } })), 'schemas may be nested 64 deep'],
    ['nests alternatives', nested((a) => ({ anyOf: [a] })), 'schemas may be nested 64 deep'],
    ['nests joins', nested((a) => ({ allOf: [a] })), 'schemas may be nested 64 deep'],
    [
      'chains references',
      row({ $ref: '#/$defs/D0' }, numbered(10_000, next)),
      'references may be chained 64 long',
    ],
    [
      'has many kinds of object',
      { properties: numbered(5_000, () => ({ properties: { a: {} } })) },
      'a schema may have 1000 kinds of object',
    ],
    [
      'multiplies fields',
      {
        properties: numbered(900, () => ({ allOf: [{ $ref: '#/$defs/Base' }] })),
        $defs: { Base: { properties: numbered(900, () => ({})) } },
      },
      'may have 50000 fields and parts',
    ],
  ])('that %s is refused', (_, json, message) => {
    expect(() => fromJSONSchema(json)).toThrow(TypeError);
    expect(() => fromJSONSchema(json)).toThrow(message);
  });

  it('that doubles at every step is read once', () => {
    const doubled = numbered(60, (index) => ({
      anyOf: index === 59 ? [{ type: 'string' }] : [next(index), next(index)],
    }));
    expect(fieldOf({ $ref: '#/$defs/D0' }, { $defs: doubled })).toEqual(text);
  });

  it('that is as large as the limits allow can be written down again', () => {
    const links = {
      ...numbered(990, (index) => ({ properties: { a: { items: next(index) } } })),
      D990: { type: 'string' },
    };
    const jumps = Object.fromEntries(Object.keys(links).map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const schema = fromJSONSchema({
      properties: { first: { $ref: '#/$defs/D0' }, ...jumps },
      $defs: links,
    });
    expect(Object.keys(schema.toJSON().structs)).toHaveLength(991);
  });

  it('with a long list of values is read', () => {
    expect(fieldOf({ enum: Array.from({ length: 150_000 }, (_, index) => index) })).toEqual({ kind: 'int' });
    expect(fieldOf({ allOf: Array.from({ length: 20_000 }, () => ({ description: 'x' })) })).toEqual(any);
  });

  it('of any other kind is read or refused, and what is read can be written, read and used', () => {
    const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '$defs');
    const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null');
    const odd = <T>(likely: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
      fc.oneof({ weight: 30, arbitrary: likely }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
    const { schema } = fc.letrec<{ schema: unknown; some: unknown; named: unknown }>((tie) => ({
      some: odd(fc.array(tie('schema'), { maxLength: 3 })),
      named: odd(fc.dictionary(name, tie('schema'), { maxKeys: 3 })),
      schema: fc.oneof(
        { depthSize: 'medium' },
        fc.boolean(),
        fc.record({ type: odd(type), nullable: odd(fc.boolean()) }, { requiredKeys: [] }),
        fc.record({
          $ref: odd(fc.constantFrom('#', '#/properties/a', '#/$defs/a', '#/$defs/b')),
          nullable: fc.boolean(),
        }),
        fc.record({
          type: odd(fc.array(type, { maxLength: 3 })),
          properties: tie('named'),
          required: odd(fc.array(name)),
        }),
        fc.record(
          { additionalProperties: tie('schema'), patternProperties: tie('named') },
          { requiredKeys: [] },
        ),
        fc.record({ items: tie('schema'), prefixItems: tie('some') }, { requiredKeys: [] }),
        fc.record({ anyOf: tie('some') }),
        fc.record({ oneOf: tie('some'), allOf: tie('some') }, { requiredKeys: [] }),
        fc.record({ enum: odd(fc.array(fc.constantFrom<unknown>('x', 1, 0.5, true, null, []))) }),
      ),
    }));
    let read = 0;
    fc.assert(
      fc.property(schema, schema, schema, schema, (own, a, b, defined) => {
        const defs = { a: defined, b: { anyOf: [a, { type: 'null' }] } };
        const json: unknown = { ...Object(own), properties: { a, b }, $defs: defs };
        try {
          const made = fromJSONSchema(json);
          read += 1;
          expect(parseSchema(JSON.parse(JSON.stringify(made))).toJSON()).toEqual(made.toJSON());
          compileFilter('a is nil or a.a == x', { schema: made, check: false });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          expect((error as TypeError).message).toMatch(/^#/);
        }
      }),
      { numRuns: 1000 },
    );
    expect(read).toBeGreaterThan(scaled(100));
  });
});
