import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from '@tamis/scheduler-model/host/address.js';

describe('an address', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1', 4648],
    ['10.0.0.1:1', '10.0.0.1', 1],
    ['some-host.example:65535', 'some-host.example', 65_535],
    ['::1', '::1', 4648],
    ['[::1]', '::1', 4648],
    ['[fe80::1]:80', 'fe80::1', 80],
  ])('%s', (text, host, port) => {
    expect(parseAddress(text, 4648)).toEqual({ host, port });
  });

  it.each([
    ['', 'invalid address ""'],
    [':80', 'invalid address ":80"'],
    ['a b', 'invalid address "a b"'],
    ['[x]:80', 'invalid address "[x]:80"'],
    ['http://x', 'invalid port in address "http://x"'],
    ['a/b:80', 'invalid address "a/b:80"'],
    ['x:', 'invalid port in address "x:"'],
    ['x:0', 'invalid port in address "x:0"'],
    ['x:65536', 'invalid port in address "x:65536"'],
    ['x:1e3', 'invalid port in address "x:1e3"'],
    ['x:-1', 'invalid port in address "x:-1"'],
    ['1:2:3', 'invalid port in address "1:2:3"'],
    ['x'.repeat(254), `invalid address "${'x'.repeat(60)}…"`],
  ])('rejects %s', (text, message) => {
    expect(() => parseAddress(text, 4648)).toThrow(message);
  });

  it('is written with brackets where it needs them', () => {
    expect(formatAddress({ host: '::1', port: 1 })).toBe('[::1]:1');
    expect(formatAddress({ host: 'a', port: 2 })).toBe('a:2');
  });
});
