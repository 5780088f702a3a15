import { describe, expect, it } from 'vitest';
import { isInCidrs, parseCidr, unwrapAddress } from '../src/base/cidr.js';

describe('blocks of addresses', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0', 8, 'ipv4'],
    ['10.1.2.3', '10.1.2.3', 32, 'ipv4'],
    ['0.0.0.0/0', '0.0.0.0', 0, 'ipv4'],
    ['fd00::/8', 'fd00::', 8, 'ipv6'],
    ['::1', '::1', 128, 'ipv6'],
  ])('reads %s', (text, network, prefix, family) => {
    expect(parseCidr(text)).toEqual({ network, prefix, family });
  });

  it.each([
    '',
    '300.1.1.1/8',
    '10.0/8',
    '0x7f.1/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    'localhost',
    '127.0.0.1:80',
    '/tmp/socket',
    'fe80::1%eth0',
    '::/129',
    ' 10.0.0.0/8',
  ])('refuses %j', (text) => {
    expect(parseCidr(text)).toBeNull();
  });

  it.each([
    [['10.0.0.0/8'], '10.9.9.9', true],
    [['10.0.0.0/8'], '::ffff:10.9.9.9', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::1', false],
    [['fd00::/8', '127.0.0.0/8'], '127.0.0.1', true],
    [['fd00::/8'], 'fd12::1', true],
    [['fd00::/8'], '10.0.0.1', false],
    [[], '10.0.0.1', false],
    [['10.0.0.0/8'], 'nonsense', false],
  ])('%j holds %s: %s', (cidrs, address, inside) => {
    expect(isInCidrs(cidrs, address)).toBe(inside);
  });

  it('unwraps mapped addresses alone', () => {
    expect(unwrapAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(unwrapAddress('::1')).toBe('::1');
    expect(unwrapAddress('10.0.0.1')).toBe('10.0.0.1');
  });
});
