import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseTime, readMillis, shiftInstant, timeKind } from '../../../src/language/values/instance/time.js';
import { expectTotalOrder, kindFor, orderOf } from './instances.js';

const timeUnits = ['s', 'ms', 'us', 'ns'] as const;

describe('a time that is text', () => {
  it.each<[string, number | null]>([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01t00:00:00z', 0],
    ['1970-01-01', 0],
    ['2026-11-01T08:00:00Z', Date.UTC(2026, 10, 1, 8)],
    ['2026-11-01T08:00:00.5Z', Date.UTC(2026, 10, 1, 8, 0, 0, 500)],
    ['2026-11-01T08:00:00.123000000Z', Date.UTC(2026, 10, 1, 8, 0, 0, 123)],
    ['2026-11-01T08:00:00+01:30', Date.UTC(2026, 10, 1, 6, 30)],
    ['2026-11-01T08:00:00.25-00:00', Date.UTC(2026, 10, 1, 8, 0, 0, 250)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    ['2023-02-29', null],
    ['1900-02-29', null],
    ['2026-04-31', null],
    ['2026-13-01', null],
    ['2026-00-01', null],
    ['2026-01-00', null],
    ['2026-1-1', null],
    ['2026-11', null],
    ['2026', null],
    ['', null],
    ['now', null],
    ['2026-11-01T08:00Z', null],
    ['2026-11-01 08:00:00Z', null],
    ['2026-11-01T08:00:00', null],
    ['2026-11-01T24:00:00Z', null],
    ['2026-11-01T08:60:00Z', null],
    ['2026-12-31T23:59:60Z', null],
    ['2026-11-01T08:00:00.Z', null],
    ['2026-11-01T08:00:00,5Z', null],
    ['2026-11-01T08:00:00+0100', null],
    ['2026-11-01T08:00:00+24:00', null],
    ['2026-11-01T08:00:00+01:60', null],
    ['2026-11-01T08:00:00Zjunk', null],
    ['2026-11-01T08:00:00.1234Zjunk', null],
    ['+2026-11-01T08:00:00Z', null],
    ['\u0662026-11-01', null],
  ])('%j is %j', (text, expected) => {
    expect(timeKind.parse(text)).toBe(expected);
  });

  it('knows nanoseconds, and cuts off what is finer', () => {
    const millis = Date.UTC(2026, 10, 1, 8);
    expect(parseTime('2026-11-01T08:00:00.000000001Z')).toEqual({ millis, nanos: 1 });
    expect(parseTime('2026-11-01T08:00:00.0015+00:00')).toEqual({ millis: millis + 1, nanos: 500_000 });
    expect(parseTime('2026-11-01T08:00:00.0000000019Z')).toEqual({ millis, nanos: 1 });
    expect(parseTime('2026-11-01T08:00:00.0000000009Z')).toBe(millis);
    expect(parseTime(`2026-11-01T08:00:00.${'0'.repeat(100_000)}1Z`)).toBe(millis);
    expect(readMillis('2026-11-01T08:00:00.0001Z')).toBeNaN();
  });

  it('reads what Date reads', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date(-62_167_219_200_000),
          max: new Date(253_402_300_799_999),
          noInvalidDate: true,
        }),
        (date) => {
          expect(readMillis(date.toISOString())).toBe(date.getTime());
          expect(timeKind.read(date)).toBe(date.getTime());
        },
      ),
    );
  });

  it('takes from rows full timestamps and Dates only', () => {
    const foreign: unknown = runInNewContext('new Date(5)');
    const values = ['2026-11-01', 5, 5n, new Date(NaN), [], {}, true, undefined, null];
    expect(values.map((value) => timeKind.read(value))).toEqual(values.map(() => null));
    expect(timeKind.read(foreign)).toBe(5);
  });

  it('is ordered', () => {
    const date = fc.date({ min: new Date(0), max: new Date(5), noInvalidDate: true });
    const literal = fc
      .tuple(
        date,
        fc.constantFrom('', '1', '000001', '999999'),
        fc.constantFrom('Z', '+00:00', '+01:00', '-00:01'),
      )
      .map(([at, fine, offset]) => at.toISOString().replace('Z', fine + offset));
    expectTotalOrder(timeKind, literal);
    expect(orderOf(timeKind, '2026-11-01T09:00:00+01:00', '2026-11-01T08:00:00Z')).toBe(0);
    expect(orderOf(timeKind, '2026-11-01T08:00:00.000000002Z', '2026-11-01T08:00:00.000000010Z')).toBe(-1);
    expect(orderOf(timeKind, '0000-01-01T00:00:00+23:59', '0000-01-01')).toBe(-1);
  });
});

describe('a time that is an integer', () => {
  it('is the same instant in every unit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
        fc.constantFrom(...timeUnits),
        (at, unit) => {
          const perUnit = { s: 10n ** 9n, ms: 10n ** 6n, us: 1000n, ns: 1n }[unit];
          const kind = kindFor({ kind: 'time', unit });
          const inNanoseconds = kindFor({ kind: 'time', unit: 'ns' });
          const instant = kind.read(at);
          expect(instant).toEqual(inNanoseconds.read(at * perUnit));
          expect(BigInt(kind.inUnit(instant)?.floor ?? 0)).toBe(at);
          expect(kind.inUnit(instant)?.isExact).toBe(true);
          if (BigInt(Number(at)) === at) expect(kind.read(Number(at))).toEqual(instant);
          const later = kind.read(at + 1n);
          expect(kind.sort(instant, later)).toBeLessThan(0);
        },
      ),
    );
  });

  it.each<[(typeof timeUnits)[number], string, bigint | null]>([
    ['s', '1793520000', 1_793_520_000_000_000_000n],
    ['s', '0x10', 16_000_000_000n],
    ['ms', '-1', -1_000_000n],
    ['us', '1_000', 1_000_000n],
    ['ns', '9223372036854775807', 9_223_372_036_854_775_807n],
    ['ns', '9223372036854775808', null],
    ['ns', '2026-11-01T08:00:00.000000001Z', 1_793_520_000_000_000_001n],
    ['s', '2026-11-01', 1_793_491_200_000_000_000n],
    ['s', '1.5', null],
    ['s', '7d', null],
    ['s', '9'.repeat(100_000), null],
  ])('in %s %s is %s nanoseconds', (unit, text, expected) => {
    const nanoseconds = kindFor({ kind: 'time', unit: 'ns' });
    const instant = kindFor({ kind: 'time', unit }).parse(text);
    expect(instant).toEqual(expected === null ? null : nanoseconds.read(expected));
  });

  it('takes from rows nothing but integers', () => {
    const kind = kindFor({ kind: 'time', unit: 's' });
    const values = [1.5, NaN, Infinity, '5', '2026-11-01T08:00:00Z', new Date(5), null, undefined, true];
    expect(values.map((value) => kind.read(value))).toEqual(values.map(() => null));
    expect(kind.read(-0)).toBe(0);
    expect(kind.read(1e300)).toEqual(kind.read(BigInt(1e300)));
  });

  it.each<[string, string, number, boolean]>([
    ['s', '1970-01-01T00:00:01.5Z', 1, false],
    ['s', '1969-12-31T23:59:58.5Z', -2, false],
    ['s', '1970-01-01T00:00:02Z', 2, true],
    ['ms', '1970-01-01T00:00:00.000000001Z', 0, false],
    ['us', '1970-01-01T00:00:00.000000999Z', 0, false],
  ])('in %s %s lies at %s, exactly: %s', (unit, text, floor, isExact) => {
    const kind = kindFor({ kind: 'time', unit: unit as 's' });
    expect(kind.inUnit(kind.parse(text))).toEqual({ floor, isExact });
  });
});

describe('shiftInstant', () => {
  it.each<[string, number | bigint, string]>([
    ['2026-11-08', -7 * 24 * 3600e9, '2026-11-01'],
    ['2026-11-01', 1, '2026-11-01T00:00:00.000000001Z'],
    ['2026-11-01T00:00:00.000000001Z', -1n, '2026-11-01'],
    ['1970-01-01', -1, '1969-12-31T23:59:59.999999999Z'],
  ])('%s by %s ns is %s', (from, by, expected) => {
    const instant = parseTime(from);
    expect(instant).not.toBeNull();
    expect(shiftInstant(instant ?? 0, by)).toEqual(parseTime(expected));
  });
});
