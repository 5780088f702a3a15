import fc from 'fast-check';
import { sampleTexts } from './arbitraries.js';
import type { OracleSchema, OracleType } from './oracle-value.js';

/** Rows of a shape, as a program that keeps to it makes them: fields may be absent or null. */
export function rowArbitrary(shape: OracleSchema): fc.Arbitrary<unknown> {
  return valueArbitrary({ kind: 'struct', name: shape.root }, { shape, odd: null }, 5);
}

/** Rows that look like a shape now and then hold something else, for filters without a schema. */
export function looseRowArbitrary(shape: OracleSchema): fc.Arbitrary<unknown> {
  const whole = valueArbitrary({ kind: 'struct', name: shape.root }, { shape, odd: dataArbitrary }, 5);
  return fc.oneof({ weight: 30, arbitrary: whole }, { weight: 1, arbitrary: dataArbitrary });
}

interface Making {
  readonly shape: OracleSchema;
  /** What may be in any place; null if places hold what the shape says. */
  readonly odd: fc.Arbitrary<unknown> | null;
}

export const keyArbitrary = fc.constantFrom(
  'k',
  'x',
  'x.y',
  'a b',
  '',
  'é',
  '0',
  '1',
  'constructor',
  '__proto__',
  'toString',
);

const textArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...sampleTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);

const floats = [
  0,
  -0,
  5,
  -5,
  16,
  1.5,
  0.5,
  0.1,
  NaN,
  Infinity,
  -Infinity,
  5e-324,
  1e21,
  1.7976931348623157e308,
];
const integers = [
  0,
  1,
  5,
  -5,
  16,
  1000,
  2 ** 53 - 1,
  -(2 ** 53) + 1,
  9007199254740993n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  5n,
];
const naturals = [0, 1, 5, 16, 1000, 2 ** 53 - 1, 9007199254740993n, 2n ** 64n - 1n, 16n];

const floatArbitrary = fc.oneof(fc.constantFrom(...floats), fc.double());
const singles = fc.oneof(fc.constantFrom(...floats.map(Math.fround)), fc.float());
const integerArbitrary = fc.oneof(fc.constantFrom(...integers), fc.integer({ min: -20, max: 20 }));
const naturalArbitrary = fc.oneof(fc.constantFrom(...naturals), fc.nat({ max: 20 }));

/** Any data that a row may hold, bigints and absent values included. */
export const dataArbitrary: fc.Arbitrary<unknown> = fc.letrec<{ data: unknown; scalar: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 4, arbitrary: tie('scalar') },
    { weight: 1, arbitrary: fc.array(tie('data'), { maxLength: 3 }) },
    { weight: 1, arbitrary: recordOf(tie('data')) },
  ),
  scalar: fc.oneof(
    textArbitrary,
    floatArbitrary,
    integerArbitrary,
    fc.constantFrom<unknown>(null, true, false, 2n ** 64n, -(2n ** 63n) - 1n, 10n ** 400n),
  ),
})).data;

/** A map with own keys only, such as `__proto__`. Some keys hold `undefined`, which is absent. */
function recordOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const slot = fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) });
  return fc
    .array(fc.tuple(keyArbitrary, slot), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));
}

function valueArbitrary(type: OracleType, making: Making, depth: number): fc.Arbitrary<unknown> {
  const plain = depth === 0 ? fc.constant(null) : presentArbitrary(type, making, depth);
  const choices = [
    { weight: 20, arbitrary: plain },
    { weight: 1, arbitrary: fc.constant<unknown>(null) },
  ];
  return fc.oneof(...choices, ...(making.odd === null ? [] : [{ weight: 1, arbitrary: making.odd }]));
}

function presentArbitrary(type: OracleType, making: Making, depth: number): fc.Arbitrary<unknown> {
  const of = type.of ?? { kind: 'any' };
  switch (type.kind) {
    case 'string':
    case 'time':
      return textArbitrary;
    case 'bool':
      return fc.boolean();
    case 'int':
      return integerArbitrary;
    case 'uint':
      return naturalArbitrary;
    case 'float32':
      return singles;
    case 'float64':
      return floatArbitrary;
    case 'list':
      return listArbitrary(valueArbitrary(of, making, depth - 1));
    case 'array':
      return fc.array(valueArbitrary(of, making, depth - 1), {
        minLength: type.len ?? 0,
        maxLength: type.len ?? 0,
      });
    case 'map':
      return mapArbitrary(type, valueArbitrary(of, making, depth - 1));
    case 'struct':
      return structArbitrary(type, making, depth);
    default:
      return dataArbitrary;
  }
}

function listArbitrary(element: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.array(element, { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(element, { maxLength: 1 }) },
  );
}

/** A map; three times in four it has the key of the paths. */
function mapArbitrary({ key }: OracleType, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const isNumbered = key === 'int' || key === 'uint';
  const keys = isNumbered ? fc.constantFrom('0', '1', '16') : keyArbitrary;
  const defaults = fc.tuple(fc.constant(isNumbered ? '1' : 'k'), value);
  return fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: fc.tuple(defaults) }, { weight: 1, arbitrary: fc.constant([]) }),
      fc.array(fc.tuple(keys, value), { maxLength: 2 }),
    )
    .map(([first, others]) => Object.fromEntries([...first, ...others]));
}

function structArbitrary({ name = '' }: OracleType, making: Making, depth: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(making.shape.structs[name]?.fields ?? {});
  const slots = fields.map(([property, field]) =>
    fc.oneof(
      {
        weight: 20,
        arbitrary: valueArbitrary(field, making, depth - 1).map((value) => [[property, value]] as const),
      },
      { weight: 1, arbitrary: fc.constant([] as const) },
    ),
  );
  return fc.tuple(...slots).map((present) => Object.fromEntries(present.flat()));
}
