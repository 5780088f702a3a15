import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFirstJson, readJson, writeJson } from '../src/index.js';

describe('readJson', () => {
  it.each<[text: string, value: unknown]>([
    ['1', 1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['1645230445788556000', 1645230445788556000n],
    ['1234567890123456.5', 1234567890123456.5],
    ['12345678901234567890e2', Number('12345678901234567890e2')],
    [
      '{"a":[1645230445788556000,null],"a b":"1645230445788556000"}',
      { a: [1645230445788556000n, null], 'a b': '1645230445788556000' },
    ],
    ['{"a":1,"a":1645230445788556000}', { a: 1645230445788556000n }],
    ['{"a":1645230445788556000,"a":2}', { a: 2 }],
    [' [ true , false ] ', [true, false]],
  ])('%s', (text, value) => {
    expect(readJson(text)).toStrictEqual(value);
  });

  it.each<[text: string, message: RegExp]>([
    ['', /JSON/],
    ['{nope', /JSON|property/],
    ['{"a":1645230445788556000', /expected|end/i],
    ['[1645230445788556000,]', /expected/i],
    ['NaN', /JSON/],
  ])('refuses %s', (text, message) => {
    expect(() => readJson(text)).toThrow(
      expect.objectContaining({ name: 'RequestError', code: 'bad-json' }) as Error,
    );
    expect(() => readJson(text)).toThrow(message);
  });

  it.each(['[', '{"a":'])('refuses a million of %s, with long digits and without', (open) => {
    for (const text of [open.repeat(1_000_000), `${open.repeat(1_000_000)}1645230445788556000`]) {
      expect(() => readJson(text)).toThrow(expect.objectContaining({ code: 'bad-json' }) as Error);
    }
  });

  it('refuses numbers of very many digits', () => {
    expect(readJson(`[${'9'.repeat(1_000)}]`)).toEqual([BigInt('9'.repeat(1_000))]);
    expect(readJson(`[-0.${'9'.repeat(1_000_000)}, "${'9'.repeat(1_001)}"]`)).toEqual([
      -1,
      '9'.repeat(1_001),
    ]);
    for (const read of [readJson, readFirstJson]) {
      expect(() => read(`[${'9'.repeat(1_001)}]`)).toThrow('An integer has more than 1000 digits');
    }
  });

  it('keeps a key called __proto__ as a key', () => {
    for (const digits of ['1', '1645230445788556000']) {
      const value = readJson(`{"__proto__":${digits}}`) as object;
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });
});

describe('readFirstJson', () => {
  it.each<[text: string, value: unknown]>([
    ['{"a":1}', { a: 1 }],
    ['{"a":"}"} trailing', { a: '}' }],
    ['{"a":"\\"}"}{"b":2}', { a: '"}' }],
    ['[1,[2]] ]', [1, [2]]],
    ['{"a":1645230445788556000} x', { a: 1645230445788556000n }],
  ])('%s', (text, value) => {
    expect(readFirstJson(text)).toStrictEqual(value);
  });

  it.each(['', '{', '}', '{"a"', 'nope', '] {}'])('refuses %s', (text) => {
    expect(() => readFirstJson(text)).toThrow(expect.objectContaining({ code: 'bad-json' }) as Error);
  });
});

describe('writeJson', () => {
  it.each<[value: unknown, text: string]>([
    [1645230445788556000n, '1645230445788556000'],
    [-0.5, '-0.5'],
    [Infinity, 'null'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [{ a: undefined }, '{}'],
    [[], '[]'],
    ['<a href="x">&</a>', '"<a href=\\"x\\">&</a>"'],
    [{ 'a"b': 'tab\t é 😀 \u007f \ud800' }, JSON.stringify({ 'a"b': 'tab\t é 😀 \u007f \ud800' })],
    [[undefined, () => 1], '[null,null]'],
    [Object.assign(Object.create({ inherited: 1 }) as object, { own: 1 }), '{"own":1}'],
  ])('%#', (value, text) => {
    expect(writeJson(value)).toBe(text);
  });

  it('writes what JSON.stringify writes, indented and not', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2, 4), (value, indent) => {
        expect(writeJson(value, indent)).toBe(JSON.stringify(value, null, indent));
      }),
    );
  });

  it('is undone by readJson, digit for digit', () => {
    const value = fc.oneof(
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
      fc.maxSafeInteger(),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(value)), (object) => {
        expect(readJson(writeJson(object))).toEqual({ ...object });
      }),
    );
  });
});
