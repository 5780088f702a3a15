import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationKind } from '../../../src/language/values/instance/duration.js';
import { expectTotalOrder, kindFor } from './instances.js';

const day = 24 * 3600e9;

describe('a duration that is text', () => {
  it.each<[string, number | bigint | null]>([
    ['1h30m', 5400e9],
    ['7d', 7 * day],
    ['2w3d', 17 * day],
    ['1.5h', 5400e9],
    ['.5s', 500e6],
    ['1.s', 1e9],
    ['-1.5h', -5400e9],
    ['+1ns', 1],
    ['-0s', 0],
    ['1us2\u00b5s3\u03bcs', 6000],
    ['1h1h', 7200e9],
    ['3ms', 3e6],
    ['0.3ns', 0],
    ['1.9999999999s', 1_999_999_999],
    ['0.000000000000000001w', 0],
    ['007s', 7e9],
    ['9223372036854775807ns', 9_223_372_036_854_775_807n],
    ['-9223372036854775808ns', -9_223_372_036_854_775_808n],
    ['9223372036854775808ns', null],
    ['15251w', null],
    ['1h 30m', null],
    ['1H', null],
    ['1', null],
    ['0', null],
    ['+0', null],
    ['', null],
    ['-', null],
    ['s', null],
    ['.s', null],
    ['1.2.3s', null],
    ['1y', null],
    ['1toString', null],
    ['--1s', null],
    ['\u0661s', null],
    [`${'1'.repeat(200)}s`, null],
    [`${'1s'.repeat(100_000)}`, null],
  ])('the literal %j is %s ns', (text, expected) => {
    expect(durationKind.parse(text)).toBe(expected);
  });

  it('takes from rows what Go writes', () => {
    const rows = ['1h30m0s', '1.5s', '0', '-0', '0s', '100ns', '2540400h10m10.000000001s'];
    expect(rows.map((text) => durationKind.read(text))).toEqual([
      ...[5400e9, 1.5e9, 0, 0, 0, 100],
      9_145_440_610_000_000_001n,
    ]);
    const others = ['7d', '2w', '1d2h', '', 'x', 5, 5n, null, undefined, {}];
    expect(others.map((value) => durationKind.read(value))).toEqual(others.map(() => null));
  });

  it('adds up what its parts say', () => {
    const parts = fc.array(fc.tuple(fc.nat(1e6), fc.constantFrom('h', 'm', 's', 'ms', 'us', 'ns')), {
      minLength: 1,
      maxLength: 4,
    });
    const sizes = {
      h: 3600n * 10n ** 9n,
      m: 60n * 10n ** 9n,
      s: 10n ** 9n,
      ms: 10n ** 6n,
      us: 1000n,
      ns: 1n,
    };
    fc.assert(
      fc.property(parts, fc.constantFrom('', '-', '+'), (each, sign) => {
        const text = sign + each.map(([count, unit]) => `${String(count)}${unit}`).join('');
        const sum = each.reduce((total, [count, unit]) => total + BigInt(count) * sizes[unit], 0n);
        const expected = sum >= 2n ** 63n ? null : sign === '-' ? -sum : sum;
        const found = durationKind.read(text);
        expect(found === null ? null : BigInt(found)).toBe(expected);
        expect(durationKind.parse(text)).toBe(found);
      }),
    );
  });

  it('is ordered', () => {
    const literal = fc
      .tuple(fc.constantFrom('', '-'), fc.nat(3), fc.constantFrom('ns', 'us', 'h', 'd', 'w'))
      .map(([sign, count, unit]) => `${sign}${String(count * 1000)}${unit}`);
    expectTotalOrder(durationKind, literal);
  });
});

describe('a duration that is an integer', () => {
  it('is a number of units', () => {
    const seconds = kindFor({ kind: 'duration', unit: 's' });
    const nanoseconds = kindFor({ kind: 'duration', unit: 'ns' });
    expect(seconds.parse('90')).toBe(90e9);
    expect(seconds.parse('1m30s')).toBe(90e9);
    expect(seconds.parse('0')).toBe(0);
    expect(seconds.read(90)).toBe(90e9);
    expect(seconds.read(90n)).toBe(90e9);
    expect(seconds.read(9_007_199_254_740_991)).toBe(9_007_199_254_740_991n * 10n ** 9n);
    expect(nanoseconds.read(2n ** 70n)).toBe(2n ** 70n);
    expect([1.5, '1m', NaN, null].map((value) => seconds.read(value))).toEqual([null, null, null, null]);
    expect(seconds.inUnit(seconds.parse('1500ms'))).toEqual({ floor: 1, isExact: false });
    expect(seconds.inUnit(seconds.parse('-1500ms'))).toEqual({ floor: -2, isExact: false });
    expect(seconds.zero).toBe(0);
  });
});
