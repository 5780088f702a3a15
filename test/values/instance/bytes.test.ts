import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceKindOf, type SizeUnit } from '../../../src/language/values/instance/index.js';
import { expectTotalOrder, kindFor } from './instances.js';

const sizes = {
  B: 1n,
  KiB: 1024n,
  MiB: 1024n ** 2n,
  GiB: 1024n ** 3n,
  kB: 1000n,
  MB: 10n ** 6n,
  GB: 10n ** 9n,
};
const units = Object.keys(sizes) as SizeUnit[];

describe('bytes', () => {
  it.each<[SizeUnit, string, unknown]>([
    ['B', '512MiB', 512 * 1024 ** 2],
    ['GB', '1.5GiB', 1.5 * 1024 ** 3],
    ['B', '0.1KiB', { floor: 102, decimals: '4' }],
    ['B', '-0.1KiB', { floor: -103, decimals: '6' }],
    ['B', '1.50', { floor: 1, decimals: '5' }],
    ['kB', '1.50', 1500],
    ['kB', '.5', 500],
    ['MiB', '5.', 5 * 1024 ** 2],
    ['MiB', '64', 64 * 1024 ** 2],
    ['MiB', '0x40', 64 * 1024 ** 2],
    ['MiB', '-1', -(1024 ** 2)],
    ['MiB', '0', 0],
    ['GB', '9223372036854775807', 9_223_372_036_854_775_807n * 10n ** 9n],
    ['B', '1TiB', null],
    ['B', '1mib', null],
    ['B', '1 MiB', null],
    ['B', '1e3', null],
    ['B', '1toString', null],
    ['B', 'MiB', null],
    ['B', '.', null],
    ['B', '', null],
    ['B', '1.2.3MiB', null],
    ['B', '10.0.0.1', null],
    ['B', '9'.repeat(100_000), null],
    ['B', `0.${'1'.repeat(100_000)}`, null],
  ])('in %s %j is %s', (unit, text, expected) => {
    expect(kindFor({ kind: 'bytes', unit }).parse(text)).toEqual(expected);
  });

  it('is exact in every unit', () => {
    const decimals = fc.tuple(
      fc.maxSafeNat(),
      fc.nat(9999),
      fc.constantFrom(...units),
      fc.constantFrom(...units),
    );
    fc.assert(
      fc.property(decimals, ([whole, fraction, unit, plain]) => {
        const kind = kindFor({ kind: 'bytes', unit: plain });
        const text = `${String(whole)}.${String(fraction).padStart(4, '0')}${unit}`;
        const tenThousandths = (BigInt(whole) * 10_000n + BigInt(fraction)) * sizes[unit];
        const size = 10_000n * sizes[plain];
        const bound = kind.inUnit(kind.parse(text));
        expect(BigInt(bound?.floor ?? -1)).toBe(tenThousandths / size);
        expect(bound?.isExact).toBe(tenThousandths % size === 0n);
      }),
    );
  });

  it('takes integers from rows', () => {
    const kind = kindFor({ kind: 'bytes', unit: 'MiB' });
    expect(kind.read(3)).toBe(3 * 1024 ** 2);
    expect(kind.read(3n)).toBe(3 * 1024 ** 2);
    expect([1.5, '3', '3MiB', null, undefined].map((value) => kind.read(value))).toEqual(Array(5).fill(null));
    expect(kind.zero).toBe(0);
    expect(instanceKindOf({ kind: 'bytes' })).toBeNull();
  });

  it('is ordered', () => {
    const literal = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.nat(2),
        fc.constantFrom('', '.1', '.12', '.5'),
        fc.constantFrom('B', 'KiB', 'kB'),
      )
      .map((parts) => parts.join(''));
    expectTotalOrder(kindFor({ kind: 'bytes', unit: 'B' }), literal);
  });
});
