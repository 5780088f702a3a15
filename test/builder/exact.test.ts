import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t, walk } from '../../src/index.js';
import { field, filter, where, type Condition } from '../../src/entries/builder.js';
import { literalOf } from '../../src/language/syntax/ast.js';

/** Texts of every kind of trouble: quotes, escapes, operators, pointers, code points beyond 16 bits, halves of them. */
const troubles = [
  ...[
    '"',
    '`',
    '\\',
    '/',
    '\n',
    '\r',
    '\t',
    '\0',
    '\x7f',
    '\u2028',
    '\ufeff',
    '\ufffd',
    '😀',
    '\ud83d',
    '\ude00',
    'é',
  ],
  ...[
    ' ',
    ' or ',
    ' and ',
    'not ',
    ' == ',
    '"x"',
    '${',
    '}',
    '{',
    ')',
    '(',
    '[',
    ']',
    '.',
    '~1',
    '~0',
    '\\x22',
    '\\"',
  ],
  ...[
    'Name',
    'other',
    'x',
    '5',
    '-0.5',
    '007',
    '/a/b',
    '/a~1b',
    '//',
    'true',
    'nil',
    'is empty',
    '%',
    '$&',
    '__proto__',
  ],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...troubles), { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const hasHalf = (value: string): boolean => /\p{Surrogate}/u.test(value);

/** The condition, also as go-bexpr's dialect reads its text; null for values that must be refused, and are. */
function readBothWays(make: () => Condition, isRefused: boolean): ((row: unknown) => boolean)[] | null {
  if (isRefused) {
    expect(make).toThrow(TypeError);
    return null;
  }
  const condition = make();
  expect(condition.relaxations).toEqual([]);
  return [compileFilter(condition).test, compileFilter(condition, { dialect: 'go-bexpr' }).test];
}

describe('a value of the program', () => {
  it.each<[string, (value: string) => Condition, (row: string, value: string) => boolean]>([
    ['a template with ==', (value) => filter`Name == ${value}`, (row, value) => row === value],
    ['a template with in', (value) => filter`${value} in Name`, (row, value) => row.includes(value)],
    [
      'a template with contains',
      (value) => filter`Name contains ${value}`,
      (row, value) => row.includes(value),
    ],
    [
      'a template within others',
      (value) => filter`(Name == x or ${filter`Name == ${value}`}) and Name != ${'x'}`,
      (row, value) => row === value && row !== 'x',
    ],
    ['where with is', (value) => where('Name').is(value), (row, value) => row === value],
    ['where with isNot', (value) => where('Name').isNot(value), (row, value) => row !== value],
    ['where with contains', (value) => where('Name').contains(value), (row, value) => row.includes(value)],
    [
      'where with notContains',
      (value) => where('Name').notContains(value),
      (row, value) => !row.includes(value),
    ],
  ])('in %s matches the rows that have it and no others', (_, make, expected) => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (value, others) => {
        const tests = readBothWays(() => make(value), hasHalf(value));
        for (const Name of [
          value,
          `${value}x`,
          value.toUpperCase(),
          value.trim(),
          value.slice(1),
          ...others,
        ]) {
          for (const test of tests ?? []) expect(test({ Name })).toBe(expected(Name, value));
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, (key: string, value: string) => Condition]>([
    ['field', (key, value) => filter`${field('Meta', key)} == ${value}`],
    ['brackets', (key, value) => filter`Meta[${key}] == ${value}`],
    ['where', (key, value) => where('Meta', key).is(value)],
    ['at', (key, value) => where('Meta').at(key).is(value)],
    ['an element', (key, value) => where('List').any((element) => element.at(key).is(value))],
  ])('as a key through %s finds that key and no other', (_, make) => {
    fc.assert(
      fc.property(text, text, text, (key, other, value) => {
        const tests = readBothWays(() => make(key, value), hasHalf(key) || hasHalf(value));
        for (const [name, reserved] of [
          [key, value],
          [key, `${value}x`],
          [other, value],
          [`${key}x`, value],
        ] as const) {
          const Meta = Object.fromEntries([[name, reserved]]);
          for (const test of tests ?? [])
            expect(test({ Meta, List: [Meta] })).toBe(name === key && reserved === value);
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, (value: number | bigint) => Condition]>([
    ['a template', (value) => filter`N == ${value}`],
    ['where', (value) => where('N').is(value)],
  ])('that is a number, in %s, matches the rows that have it and no others', (_, make) => {
    const schema = defineSchema({ N: t.float64 });
    const float = fc.oneof(
      fc.double(),
      fc.constantFrom(0, -0, 0.1, 5e-324, 1e-7, 1e300, 2 ** 53, Infinity, NaN),
    );
    fc.assert(
      fc.property(float, float, (value, other) => {
        const isRefused = Number.isNaN(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
        const tests = readBothWays(() => make(value), isRefused);
        if (tests === null) return;
        for (const N of [value, other, value + 1, -value]) {
          for (const test of tests) expect(test({ N })).toBe(N === value);
          expect(compileFilter(make(value), { schema }).test({ N })).toBe(N === value);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('that is an integer of up to 64 bits is compared digit for digit', () => {
    const schema = defineSchema({ N: t.int });
    const integer = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.constantFrom(0n, 2n ** 53n, 2n ** 53n + 1n),
    );
    fc.assert(
      fc.property(integer, integer, (value, other) => {
        const made = compileFilter(filter`N == ${value} and ${where('N').is(value)}`, { schema });
        for (const N of [value, other, value + 1n]) expect(made.test({ N })).toBe(N === value);
        if (Number.isSafeInteger(Number(value))) expect(made.test({ N: Number(value) })).toBe(true);
      }),
    );
  });

  it('never changes the shape of a template', () => {
    const isOfValue = (key: string): boolean => /^(text|form)$|spans?$/i.test(key);
    const shapeOf = (condition: Condition): string =>
      JSON.stringify(condition.ast, (key, value: unknown) => (isOfValue(key) ? undefined : value));
    const make = (a: string, b: string, c: number): Condition =>
      filter`(A == ${a} or not ${b} in B) and any C as x { x.D != ${c} and x.E matches ${a} }`;
    const expected = shapeOf(make('a', 'b', 1));
    fc.assert(
      fc.property(
        text,
        text,
        fc.double({ noNaN: true, max: 2 ** 53 - 1, min: -(2 ** 53 - 1) }),
        (a, b, c) => {
          fc.pre(!hasHalf(a) && !hasHalf(b));
          const condition = make(a, b, c);
          expect(shapeOf(condition)).toBe(expected);
          const texts: string[] = [];
          walk(condition.ast, { match: (match) => void texts.push(literalOf(match)?.text ?? '') });
          const [first, second, number, last] = texts;
          expect([first, second, last]).toEqual([a, b, a]);
          expect(Object.is(Number(number), c === 0 ? 0 : c)).toBe(true);
        },
      ),
    );
    expect(expected).not.toBe(shapeOf(filter`A == a`));
  });
});
