import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSize } from '../../src/runtime/json-size.js';

describe('the size of a value in JSON', () => {
  it.each<[what: string, value: unknown, size: number]>([
    ['a text', { a: 'x'.repeat(92) }, 100],
    ['characters of several bytes', { a: '😀'.repeat(23) }, 100],
    ['characters that are escaped', { a: '\u0001'.repeat(15) + 'xx' }, 100],
    ['half of a pair of surrogates', '\ud800', 8],
    ['names', { ['x'.repeat(94)]: 1 }, 100],
    ['integers of 64 bits', { a: Array.from({ length: 4 }, () => 12345678901234567890n) }, 91],
    ['nested objects', { a: { b: [{ c: null }, { d: true }] } }, 35],
    ['nothing', [{}, []], 7],
    ['a field without a value', { a: undefined, b: 1 }, 7],
  ])('counts %s', (_what, value, size) => {
    expect(jsonSize(value)).toBe(size);
  });

  it('is what printing gives, the second time too', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), (value) => {
        const size = Buffer.byteLength(JSON.stringify(value));
        expect([jsonSize(value), jsonSize({ value, more: value })]).toEqual([size, 2 * size + 18]);
      }),
    );
  });
});
