import fc from 'fast-check';
import type { OracleSchema, OracleType } from './oracle-value.js';

const text: OracleType = { kind: 'string' };
const float: OracleType = { kind: 'float64' };
const anything: OracleType = { kind: 'any' };

/** What rows without a schema look like in the tests. Values are data of any kind now and then. */
export const looseShape: OracleSchema = {
  root: 'Row',
  structs: {
    Row: {
      fields: {
        // Names that the engine has code of its own for, and others.
        ID: text,
        Status: text,
        Priority: float,
        Stop: { kind: 'bool' },
        Meta: { kind: 'map', of: text },
        s: text,
        n: float,
        b: { kind: 'bool' },
        big: { kind: 'int' },
        z: anything,
        l: { kind: 'list', of: anything },
        ls: { kind: 'list', of: text },
        ln: { kind: 'list', of: float },
        m: { kind: 'map', of: anything },
        mm: { kind: 'map', of: { kind: 'map', of: text } },
        o: { kind: 'struct', name: 'Inner' },
        lo: { kind: 'list', of: { kind: 'struct', name: 'Inner' } },
        mo: { kind: 'map', of: { kind: 'struct', name: 'Inner' } },
        not: text,
        'a/b': float,
        '': anything,
        toString: text,
      },
    },
    Inner: {
      fields: {
        a: float,
        k: text,
        tags: { kind: 'list', of: text },
        m: { kind: 'map', of: text },
        x: anything,
      },
    },
  },
};

const fieldNames = [
  's',
  'n',
  'b',
  'x',
  'l',
  'm',
  'k',
  'not',
  'a/b',
  'toString',
  'constructor',
  '__proto__',
  'ID',
  'Status',
  'Priority',
  'Stop',
  'Meta',
];

const scalarKinds = ['string', 'bool', 'int', 'uint', 'float32', 'float64', 'time'];

/** Schemas of three structs that refer to one another, with every kind of type. */
export const schemaArbitrary: fc.Arbitrary<OracleSchema> = fc
  .record({ Row: structArbitrary(4, 8), A: structArbitrary(1, 4), B: structArbitrary(1, 3) })
  .map((structs) => ({ root: 'Row', structs }));

function structArbitrary(
  minLength: number,
  maxLength: number,
): fc.Arbitrary<{ readonly fields: Readonly<Record<string, OracleType>> }> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...fieldNames), fieldArbitrary()), {
      minLength,
      maxLength,
      selector: ([name]) => name,
    })
    .map((entries) => ({ fields: Object.fromEntries(entries.map(named)) }));
}

function named([property, field]: [string, OracleType], index: number): [string, OracleType] {
  return [
    property,
    field.selectorName === undefined ? field : { ...field, selectorName: `renamed_${index}` },
  ];
}

function fieldArbitrary(): fc.Arbitrary<OracleType> {
  const type = typeArbitrary(2);
  return fc.oneof(
    { weight: 18, arbitrary: type },
    { weight: 1, arbitrary: type.map((rendered) => ({ ...rendered, hidden: true })) },
    // The property has another name in filters, which no property has itself.
    { weight: 1, arbitrary: type.map((rendered) => ({ ...rendered, selectorName: '' })) },
  );
}

function typeArbitrary(depth: number): fc.Arbitrary<OracleType> {
  const scalar = fc.constantFrom(...scalarKinds).map((kind) => ({ kind }));
  const struct = fc.constantFrom('A', 'B').map((name) => ({ kind: 'struct', name }));
  const bare: fc.Arbitrary<OracleType> =
    depth === 0
      ? fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: struct })
      : fc.oneof(
          { weight: 5, arbitrary: scalar },
          { weight: 1, arbitrary: fc.constant({ kind: 'any' }) },
          { weight: 2, arbitrary: struct },
          { weight: 3, arbitrary: typeArbitrary(depth - 1).map((of) => ({ kind: 'list', of })) },
          { weight: 1, arbitrary: typeArbitrary(depth - 1).map((of) => ({ kind: 'array', of, len: 2 })) },
          { weight: 3, arbitrary: typeArbitrary(depth - 1).map((of) => ({ kind: 'map', of })) },
          { weight: 1, arbitrary: typeArbitrary(depth - 1).chain(oddMapArbitrary) },
        );
  return fc.oneof(
    { weight: 6, arbitrary: bare },
    { weight: 1, arbitrary: bare.map((of) => pointing(of, { nullable: true })) },
    { weight: 1, arbitrary: bare.map((of) => pointing(of, { nullable: true, pointers: 2 })) },
  );
}

/** Kind `any` is what it holds; it cannot be pointed to. */
function pointing(type: OracleType, pointers: Pick<OracleType, 'nullable' | 'pointers'>): OracleType {
  return type.kind === 'any' ? type : { ...type, ...pointers };
}

/** Maps whose keys are not plain text. */
function oddMapArbitrary(of: OracleType): fc.Arbitrary<OracleType> {
  return fc.constantFrom<OracleType>(
    { kind: 'map', of, key: 'int' },
    { kind: 'map', of, key: 'string', keyNamed: 'Name' },
  );
}
