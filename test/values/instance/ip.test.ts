import fc from 'fast-check';
import { isIPv4, isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readIpv4 } from '../../../src/language/values/instance/ip.js';
import { expectTotalOrder, kindFor, orderOf } from './instances.js';

const ipKind = kindFor({ kind: 'ip' });
const ipPortKind = kindFor({ kind: 'ip', port: true });

const group = fc.nat(0xffff).map((value) => value.toString(16));
const short = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => bytes.join('.'));
const long = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':'));

describe('an address', () => {
  it('is what inet_pton takes', () => {
    const pieces = [
      '0',
      '1',
      'f',
      'ff',
      '255',
      '256',
      '01',
      '12345',
      ':',
      ':',
      '::',
      '.',
      '.',
      '1.2.3.4',
      'ffff',
      'g',
      '%',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 17 }).map((parts) => parts.join(''));
    const joined = fc.array(fc.constantFrom('0', 'abcd', '', '1.2.3.4'), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          joined.map((parts) => parts.join(':')),
          short,
          long,
        ),
        (each) => {
          fc.pre(!each.includes('%'));
          expect([each, ipKind.parse(each) !== null]).toEqual([each, isIPv4(each) || isIPv6(each)]);
          expect([each, Number.isNaN(readIpv4(each))]).toEqual([each, !isIPv4(each)]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['10.0.0.1', '::ffff:10.0.0.1'],
    ['10.0.0.1', '::FFFF:a00:1'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['2001:db8::', '2001:0DB8:0:0::0'],
    ['::', '0::0'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['fe80::1%eth0', 'fe80:0::1%eth0'],
  ])('%s is %s', (a, b) => {
    expect(orderOf(ipKind, a, b)).toBe(0);
    expect(orderOf(ipPortKind, a, b)).toBe(0);
  });

  it('is ordered by number, v4 before v6, zones as text', () => {
    const ascending = [
      ...['0.0.0.0', '9.255.255.255', '10.0.0.1', '10.0.0.2', '::ffff:10.0.0.10', '255.255.255.255'],
      ...[
        '::',
        '::1',
        '::1:0:0',
        '2001:db8::1',
        'fe80::1',
        'fe80::1%1',
        'fe80::1%Eth0',
        'fe80::1%eth0',
        'fe80::2',
      ],
    ];
    for (const [at, text] of ascending.entries()) {
      for (const [other, against] of ascending.entries()) {
        expect([text, against, orderOf(ipKind, text, against)]).toEqual([
          text,
          against,
          Math.sign(at - other),
        ]);
      }
    }
    expectTotalOrder(ipKind, fc.oneof(short, long, fc.constantFrom('::1', '::1%a', '::1%b', '10.0.0.1')));
  });

  it.each([
    ...[
      '10.0.0',
      '10.0.0.01',
      '10.0.0.1:80',
      '[::1]',
      '[::1]:80',
      '10.0.0.0/8',
      '10.0.0.1%eth0',
      '::ffff:10.0.0.1%eth0',
    ],
    ...[
      'fe80::1%',
      '%eth0',
      'localhost',
      '',
      ':',
      ':::',
      '1::2::3',
      ' ::1',
      '::1 ',
      `::1%${'a'.repeat(100_000)}`,
    ],
  ])('is not %j', (text) => {
    expect(ipKind.parse(text)).toBeNull();
    expect(ipKind.read(text)).toBeNull();
  });

  it('is read from texts only', () => {
    expect([167772161, null, undefined, {}].map((value) => ipKind.read(value))).toEqual(Array(4).fill(null));
  });
});

describe('an address with a port', () => {
  it.each([
    ...[
      '10.0.0.1:',
      '10.0.0.1:65536',
      '10.0.0.1:-1',
      '10.0.0.1:+1',
      '10.0.0.1:http',
      '[10.0.0.1]:80',
      '[::1]',
      '[::1]80',
    ],
    ...['::1]:80', '[::1:80', '[]:80', '[[::1]]:80', ':80', 'localhost:80', '10.0.0.1:80:90', '[::1]:000080'],
  ])('is not %j', (text) => {
    expect(ipPortKind.parse(text)).toBeNull();
  });

  it('matches an operand without a port regardless of its own', () => {
    const table: [value: string, operand: string, order: number][] = [
      ['10.0.0.1:4646', '10.0.0.1', 0],
      ['10.0.0.1', '10.0.0.1:4646', -1],
      ['10.0.0.1:4646', '10.0.0.1:4646', 0],
      ['10.0.0.1:4646', '10.0.0.1:4647', -1],
      ['10.0.0.1:0', '10.0.0.1', 0],
      ['10.0.0.1:65535', '10.0.0.2', -1],
      ['[::1]:80', '::1', 0],
      ['[::1]:80', '[::1]:8', 1],
      ['[fe80::1%eth0]:80', 'fe80::1%eth0', 0],
      ['[fe80::1%eth0]:80', 'fe80::1', 1],
      ['[::ffff:10.0.0.1]:80', '10.0.0.1:80', 0],
    ];
    for (const [value, operand, order] of table) {
      expect([value, operand, orderOf(ipPortKind, value, operand)]).toEqual([value, operand, order]);
    }
  });

  it('is sorted by address, then by port, none first', () => {
    const texts = ['[::1]:80', '10.0.0.2', '::1', '10.0.0.1:80', '10.0.0.1', '10.0.0.1:9'];
    const sorted = texts.toSorted((a, b) => ipPortKind.sort(ipPortKind.parse(a), ipPortKind.parse(b)));
    expect(sorted).toEqual(['10.0.0.1', '10.0.0.1:9', '10.0.0.1:80', '10.0.0.2', '::1', '[::1]:80']);
    const port = fc.constantFrom('', ':0', ':80');
    const some = fc
      .tuple(fc.constantFrom('10.0.0.1', '10.0.0.2', '[::1]'), port)
      .map((parts) => parts.join(''));
    expectTotalOrder(
      ipPortKind,
      some.map((text) => (text === '[::1]' ? '::1' : text)),
    );
  });
});

describe('a block of addresses', () => {
  const { blocks } = ipPortKind;

  it.each<[string, string, boolean]>([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '::', false],
    ['10.0.0.1/32', '10.0.0.1', true],
    ['10.0.0.1/32', '10.0.0.0', false],
    ['200.0.0.0/5', '207.1.1.1', true],
    ['10.0.0.0/8', '10.0.0.1:4646', true],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.255.0.1', true],
    ['::ffff:0:0/96', '1.2.3.4', true],
    ['::/0', '1.2.3.4', false],
    ['::ffff:0:0/95', '1.2.3.4', false],
    ['::/0', 'ffff::1', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['fe80::/10', 'febf::1', true],
    ['fe80::/10', 'fec0::1', false],
    ['fe80::/10', 'fe80::1%eth0', false],
    ['fe80::/10', '[fe80::1]:80', true],
    ['2001:db8::1/128', '2001:db8::1', true],
    ['2001:db8::1/128', '2001:db8::2', false],
    ['2001:db8::1:0:0/96', '2001:db8::1:0:5', true],
  ])('%s holds %s: %s', (text, address, expected) => {
    const block = blocks?.parse(text) ?? null;
    expect(block).not.toBeNull();
    expect(blocks?.storedAs(block, ipPortKind.parse(address))).toBe(expected);
  });

  it.each([
    ...[
      '10.0.0.0',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '10.0/8',
      '/8',
      '',
    ],
    ...['::/129', '::/', 'fe80::1%eth0/10', '10.0.0.1:80/8', '[::1]/8', `::/${'1'.repeat(100_000)}`],
  ])('is not %j', (text) => {
    expect(blocks?.parse(text)).toBeNull();
  });

  it('holds what has its first bits', () => {
    const address = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
    const write = (value: bigint): string =>
      (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':');
    fc.assert(
      fc.property(address, address, fc.nat(128), fc.nat(128), (base, other, bits, cached) => {
        const mask = ((1n << BigInt(cached)) - 1n) << BigInt(128 - cached);
        const value = (base & mask) | (other & ~mask & (2n ** 128n - 1n));
        const isMapped = [base, value].some((each) => each >> 32n === 0xffffn);
        fc.pre(!isMapped);
        const block = blocks?.parse(`${write(base)}/${String(bits)}`) ?? null;
        const shift = BigInt(128 - bits);
        expect(blocks?.storedAs(block, ipKind.parse(write(value)))).toBe(base >> shift === value >> shift);
      }),
    );
  });
});
