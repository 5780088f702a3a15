import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseGoBool,
  parseGoFloat32,
  parseGoFloat64,
  parseGoInt,
  parseGoUint,
} from '../../src/language/values/go-number.js';

describe('parseGoInt', () => {
  it.each<[string, bigint | string]>([
    ['0', 0n],
    ['5', 5n],
    ['-5', -5n],
    ['+5', 5n],
    ['0x10', 16n],
    ['0X1f', 31n],
    ['-0x10', -16n],
    ['0o17', 15n],
    ['017', 15n],
    ['0b101', 5n],
    ['1_000', 1000n],
    ['0x_ff', 255n],
    ['0_7', 7n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 'range'],
    ['-9223372036854775809', 'range'],
    ['99999999999999999999', 'range'],
    // The overflow comes before the letter.
    ['99999999999999999999x', 'range'],
    ['', 'syntax'],
    ['+', 'syntax'],
    ['--5', 'syntax'],
    ['5.0', 'syntax'],
    ['1e3', 'syntax'],
    ['08', 'syntax'],
    ['0x', 'syntax'],
    ['0b', 'syntax'],
    ['0b2', 'syntax'],
    ['_1', 'syntax'],
    ['1_', 'syntax'],
    ['1__0', 'syntax'],
    [' 5', 'syntax'],
    ['5 ', 'syntax'],
    ['x', 'syntax'],
    ['٣', 'syntax'],
    ['😀', 'syntax'],
  ])('reads %j as %s', (text, expected) => {
    expect(parseGoInt(text)).toBe(expected);
  });

  it('reads every 64-bit integer back in four bases', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.constantFrom(2, 8, 10, 16), (value, base) => {
        const prefix = { 2: '0b', 8: '0o', 10: '', 16: '0x' }[base] ?? '';
        const magnitude = (value < 0n ? -value : value).toString(base);
        expect(parseGoInt(`${value < 0n ? '-' : ''}${prefix}${magnitude}`)).toBe(value);
      }),
    );
  });
});

describe('parseGoUint', () => {
  it.each<[string, bigint | string]>([
    ['0', 0n],
    ['18446744073709551615', 18446744073709551615n],
    ['0xffffffffffffffff', 18446744073709551615n],
    ['18446744073709551616', 'range'],
    ['-1', 'syntax'],
    ['+1', 'syntax'],
  ])('reads %j as %s', (text, expected) => {
    expect(parseGoUint(text)).toBe(expected);
  });
});

describe('parseGoBool', () => {
  it.each<[string, boolean | string]>([
    ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text): [string, boolean] => [text, true]),
    ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text): [string, boolean] => [text, false]),
    ['yes', 'syntax'],
    ['tRUE', 'syntax'],
    ['', 'syntax'],
    ['constructor', 'syntax'],
  ])('reads %j as %s', (text, expected) => {
    expect(parseGoBool(text)).toBe(expected);
  });
});

describe('parseGoFloat64', () => {
  it.each<[string, number | string]>([
    ['1', 1],
    ['1e3', 1000],
    ['.5', 0.5],
    ['5.', 5],
    ['+5', 5],
    ['-0', -0],
    ['010', 10],
    ['0x1p-2', 0.25],
    ['0x1.08p4', 16.5],
    ['0X.8P1', 1],
    ['-0x1p0', -1],
    ['1_0', 10],
    ['1_6.5', 16.5],
    ['1e1_0', 1e10],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['+INF', Infinity],
    ['nan', NaN],
    ['NaN', NaN],
    ['1e400', 'range'],
    ['-1e400', 'range'],
    ['1e-400', 0],
    ['0e999999', 0],
    ['0x1p1024', 'range'],
    ['0x1p-1074', 5e-324],
    ['0x1p-1075', 0],
    ['0x1.8p-1075', 5e-324],
    ['0x1.fffffffffffff8p0', 2],
    ['0x1.fffffffffffff7p0', 1.9999999999999998],
    ['0x10', 'syntax'],
    ['0x', 'syntax'],
    ['0xp1', 'syntax'],
    ['0b1', 'syntax'],
    ['+nan', 'syntax'],
    ['infi', 'syntax'],
    ['1._5', 'syntax'],
    ['1_', 'syntax'],
    ['.', 'syntax'],
    ['', 'syntax'],
    ['e5', 'syntax'],
    ['1e', 'syntax'],
    ['1 ', 'syntax'],
    ['1n', 'syntax'],
  ])('reads %j as %s', (text, expected) => {
    expect(parseGoFloat64(text)).toBe(expected);
  });

  it('reads what JavaScript prints', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseGoFloat64(String(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });

  it('reads hexadecimal floats exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 53n - 1n), fc.integer({ min: -1074, max: 900 }), (mantissa, power) => {
        const half = Math.trunc(power / 2);
        expect(parseGoFloat64(`0x${mantissa.toString(16)}p${power}`)).toBe(
          Number(mantissa) * 2 ** half * 2 ** (power - half),
        );
      }),
    );
  });
});

describe('parseGoFloat32', () => {
  it.each<[string, number | string]>([
    ['0.1', Math.fround(0.1)],
    ['16777217', 16777216],
    // Halfway between two float32 values: to even. A hair above: up, though float64 cannot see the hair.
    ['1.00000005960464477539062500', 1],
    ['1.00000005960464477539062501', 1.0000001192092896],
    ['-1.00000005960464477539062501', -1.0000001192092896],
    ['1e39', 'range'],
    ['inf', Infinity],
    ['x', 'syntax'],
  ])('reads %j as %s', (text, expected) => {
    expect(parseGoFloat32(text)).toBe(expected);
  });
});
