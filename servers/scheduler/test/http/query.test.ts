import { defaultHttpLimits, parseQueryString } from '@tamis/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeToken, encodeToken } from 'tamis/query';
import { parseReadQuery, parseSwitch, type ReadQuery } from '../../src/api/kernel/query.js';

function parse(text: string): ReadQuery {
  return parseReadQuery(parseQueryString(text, defaultHttpLimits));
}

const badPerPage = 'Expect a number for `per_page` query string parameter';
const badStale = 'Expect `true` or `false` for `stale` query string parameter';

describe('parseReadQuery', () => {
  it.each<[text: string, part: Partial<ReadQuery>]>([
    [
      '',
      {
        stale: false,
        perPage: 0,
        nextToken: '',
        wait: 300_000,
        index: null,
        filter: '',
        namespace: '',
        reverse: false,
        pretty: false,
      },
    ],
    [
      'filter=&per_page=&index=&wait=&namespace=&prefix=&next_token=&region=',
      { perPage: 0, index: null, wait: 300_000 },
    ],
    ['per_page=50', { perPage: 50 }],
    ['per_page=%2B50', { perPage: 50 }],
    ['per_page=-0', { perPage: -0 }],
    ['per_page=0', { perPage: 0 }],
    ['per_page=2147483647', { perPage: 2_147_483_647 }],
    ['per_page=1&per_page=9', { perPage: 1 }],
    ['index=0', { index: 0n }],
    ['index=18446744073709551615', { index: 18_446_744_073_709_551_615n }],
    ['wait=10s', { wait: 10_000 }],
    ['wait=10000ms', { wait: 10_000 }],
    ['wait=1m30s', { wait: 90_000 }],
    ['wait=10m', { wait: 600_000 }],
    ['wait=11m', { wait: 600_000 }],
    ['wait=2000000h', { wait: 600_000 }],
    ['wait=0', { wait: 300_000 }],
    ['wait=-5s', { wait: 300_000 }],
    ['wait=1500us', { wait: 1.5 }],
    ['stale', { stale: true }],
    ['stale=', { stale: true }],
    ['stale=T', { stale: true }],
    ['stale=false', { stale: false }],
    ['reverse=true', { reverse: true }],
    ['reverse=1', { reverse: false }],
    ['reverse=TRUE', { reverse: false }],
    ['reverse', { reverse: false }],
    ['pretty', { pretty: true }],
    ['pretty=', { pretty: true }],
    ['pretty=1', { pretty: true }],
    ['pretty=false', { pretty: true }],
    ['pretty=0', { pretty: false }],
    ['filter=Meta%5B%22a.b%22%5D+%3D%3D+x', { filter: 'Meta["a.b"] == x' }],
    ['next_token=default.a%2Fb', { nextToken: 'default.a/b' }],
    ['namespace=*', { namespace: '*' }],
  ])('%s', (text, part) => {
    expect(parse(text)).toMatchObject(part);
  });

  it.each<[text: string, message: string]>([
    ['per_page=ten', badPerPage],
    ['per_page=-1', badPerPage],
    ['per_page=1.5', badPerPage],
    ['per_page=0x10', badPerPage],
    ['per_page=2147483648', badPerPage],
    ['per_page=99999999999999999999999', badPerPage],
    ['wait=10', 'Invalid wait time'],
    ['wait=abc', 'Invalid wait time'],
    ['index=-1', 'Invalid index'],
    ['index=%2B1', 'Invalid index'],
    ['index=1.5', 'Invalid index'],
    ['index=0x5', 'Invalid index'],
    ['index=18446744073709551616', 'Invalid index'],
    ['stale=maybe', badStale],
    ['stale=maybe&per_page=x&wait=x&index=x', badStale],
    ['index=x&wait=x&per_page=x', badPerPage],
    ['index=x&wait=x', 'Invalid wait time'],
  ])('refuses %s', (text, message) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ name: 'SchedulerError', code: 'bad-request', message }) as Error,
    );
  });
});

describe('parseSwitch', () => {
  const of = (text: string, prefix?: string): boolean =>
    parseSwitch(parseQueryString(text, defaultHttpLimits), 'meta', prefix);

  it.each<[text: string, on: boolean]>([
    ['', false],
    ['meta=', false],
    ['meta=true', true],
    ['meta=1', true],
    ['meta=F', false],
  ])('%j', (text, on) => expect(of(text)).toBe(on));

  it('names the parameter, its value and the reason', () => {
    expect(() => of('meta=x', 'List: ')).toThrow(
      'List: Failed to parse value of "meta" (x) as a bool: strconv.ParseBool: parsing "x": invalid syntax',
    );
  });
});

describe('page tokens', () => {
  it('come through a header unharmed, whatever the key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (token) => {
        const encoded = encodeToken(token);
        expect(encoded).toMatch(/^[!-~]*$/);
        expect(decodeToken(encoded)).toBe(token);
      }),
    );
  });

  it.each<[token: string, encoded: string]>([
    ['default.alpha', 'default.alpha'],
    ['108.58fd0616-ce64-414b-a917-03d0ab5af67e', '108.58fd0616-ce64-414b-a917-03d0ab5af67e'],
    ['default.a/b', 'default.a/b'],
    ['default.50%', 'default.50%25'],
    ['default.a\nb ', 'default.a%0Ab%20'],
  ])('%j', (token, encoded) => expect(encodeToken(token)).toBe(encoded));

  it.each(['%', '%zz', '%ff', '100%'])('%j, written by hand, stays as it is', (token) =>
    expect(decodeToken(token)).toBe(token),
  );
});
