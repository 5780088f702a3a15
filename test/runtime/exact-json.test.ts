import fc from 'fast-check';
import { parse as parseLosslessly } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../src/runtime/exact-json.js';

const big = 1645230445788556001n;

describe('parseExactly', () => {
  it.each<[string, unknown]>([
    ['1', 1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740991', -9007199254740991],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['-99999999999999999999', -99999999999999999999n],
    ['100000000000000000000', 1e20],
    ['100000000000000000000000', 1e23],
    ['1e400', Infinity],
    ['1645230445788556001.5', 1645230445788556000],
    ['1645230445788556001e1', 16452304457885560000],
    ['0.1645230445788556001', 0.1645230445788556],
    ['1e-0000000000000000001', 0.1],
    ['"1645230445788556001"', '1645230445788556001'],
    ['["1645230445788556001", 1645230445788556001]', ['1645230445788556001', big]],
    ['{"a":1645230445788556001,"b":[ -1645230445788556001 ]}', { a: big, b: [-big] }],
    ['{"1645230445788556001":1}', { '1645230445788556001': 1 }],
    ['{"1645230445788556001" : 1645230445788556001 }', { '1645230445788556001': big }],
    [String.raw`["a\"b", 1645230445788556001, "\\", 1645230445788556001]`, ['a"b', big, '\\', big]],
    [
      String.raw`["\\\", 1645230445788556001, \"", 1645230445788556001]`,
      ['\\", 1645230445788556001, "', big],
    ],
    [
      String.raw`["\u0001", "\u00011645230445788556001", 1645230445788556001]`,
      ['\u0001', `\u0001${big}`, big],
    ],
    [String.raw`{"\u0001":[1645230445788556001,"1645230445788556001"]}`, { '\u0001': [big, `${big}`] }],
    ['{"a":1645230445788556001,"a":1}', { a: 1 }],
    ['{"a":1,"a":1645230445788556001}', { a: big }],
    ['{"2":1645230445788556001,"1":[]}', { 1: [], 2: big }],
    ['\n 1645230445788556001\t', big],
  ])('%s', (text, expected) => {
    expect(parseExactly(text)).toStrictEqual(expected);
  });

  it('keeps __proto__ an ordinary key', () => {
    for (const text of [
      '{"__proto__":1645230445788556001}',
      String.raw`{"__proto__":1645230445788556001,"x":"\u0001"}`,
    ]) {
      const value = parseExactly(text) as object;
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.entries(value)[0]).toEqual(['__proto__', big]);
    }
  });

  it.each([
    '{1645230445788556001:1}',
    '{ 1645230445788556001 : 1}',
    '01645230445788556001',
    '[01645230445788556001]',
    '--1645230445788556001',
    '+1645230445788556001',
    'x1645230445788556001',
    '[1645230445788556001 1645230445788556001]',
    '"a"1645230445788556001',
    '"1645230445788556001',
    '1645230445788556001,',
    '1645230445788556001.',
    '[1645230445788556001',
    '{"a":1645230445788556001-1}',
    '{"a" 1645230445788556001}',
  ])('refuses %s', (text) => {
    expect(() => parseExactly(text)).toThrow(SyntaxError);
  });

  const number = fc.oneof(
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
    fc.constantFrom('0', '-0', '1.0', '1E+2', '1645230445788556001.5', '1645230445788556001e3'),
  );
  const text = fc.oneof(
    fc.constantFrom('1645230445788556001', '\u0001', '\\', '"', '\\"', ', 1645230445788556001', '\u{1f600}'),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const space = fc.constantFrom('', '', ' ', '\n', '\t ');
  const { value: json } = fc.letrec<{ value: string }>((tie) => {
    const child = fc.tuple(space, tie('value'), space).map((parts) => parts.join(''));
    const key = fc
      .tuple(
        space,
        text.map((each) => JSON.stringify(each)),
        space,
      )
      .map((parts) => parts.join(''));
    return {
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        number,
        text.map((each) => JSON.stringify(each)),
        fc.constantFrom('true', 'null', '[]', '{}'),
        fc.array(child, { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
        fc
          .array(fc.tuple(key, child), { maxLength: 4 })
          .map((items) => `{${items.map((pair) => pair.join(':')).join(',')}}`),
      ),
    };
  });

  const parseNumber = (digits: string): number | bigint =>
    /^-?[0-9]{1,20}$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? BigInt(digits) : Number(digits);

  it('agrees with a parser written for exact numbers', () => {
    fc.assert(
      fc.property(json, (document) => {
        const expected = parseLosslessly(document, null, {
          parseNumber,
          onDuplicateKey: ({ newValue }) => newValue,
        });
        expect(parseExactly(document)).toStrictEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('accepts what JSON.parse accepts, and nothing else', () => {
    const damage = fc.tuple(
      json,
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom('', '"', ',', ':', '\\', '}', '1', 'x'),
    );
    fc.assert(
      fc.property(damage, ([document, position, length, inserted]) => {
        const at = position % (document.length + 1);
        const damaged = document.slice(0, at) + inserted + document.slice(at + length);
        expect(accepts(parseExactly, damaged)).toBe(accepts(JSON.parse, damaged));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes integers without any text between them in time that grows with their length', () => {
    const text = `[${'1645230445788556000,'.repeat(200_000)}"end"]`;
    expect((parseExactly(text) as unknown[]).at(-2)).toBe(1645230445788556000n);
  });
});

function accepts(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
