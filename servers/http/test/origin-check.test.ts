import { describe, expect, it } from 'vitest';
import { checkOrigin, isLoopbackAddress } from '../src/index.js';

const loopback = { loopback: true, hostNames: ['scheduler.internal'] };
const open = { loopback: false, hostNames: [] };

type Headers = Record<string, string>;

describe('checkOrigin', () => {
  it.each<
    [
      what: string,
      guard: typeof loopback | typeof open,
      method: string,
      headers: Headers,
      refusal: string | null,
    ]
  >([
    ['localhost', loopback, 'GET', { host: 'localhost:4646' }, null],
    ['upper case', loopback, 'GET', { host: 'LOCALHOST:4646' }, null],
    ['127/8', loopback, 'GET', { host: '127.9.9.9' }, null],
    ['[::1]', loopback, 'GET', { host: '[::1]:4646' }, null],
    ['a configured name', loopback, 'PUT', { host: 'scheduler.internal:4646' }, null],
    ['a rebound name', loopback, 'GET', { host: 'evil.example:4646' }, 'foreign-host'],
    ['a name that only begins right', loopback, 'GET', { host: '127.0.0.1.evil.example' }, 'foreign-host'],
    ['no host', loopback, 'GET', {}, 'foreign-host'],
    ['another address', loopback, 'GET', { host: '10.0.0.1:4646' }, 'foreign-host'],
    ['any host on an open address', open, 'GET', { host: 'anything.example' }, null],
    [
      'a read from another site',
      loopback,
      'GET',
      { host: 'localhost:4646', origin: 'http://evil.example' },
      null,
    ],
    [
      'a write from another site',
      open,
      'PUT',
      { host: 'a:4646', origin: 'http://evil.example' },
      'foreign-site',
    ],
    ['a write from another port', open, 'POST', { host: 'a:4646', origin: 'http://a:8080' }, 'foreign-site'],
    ['a write from nowhere', open, 'PUT', { host: 'a:4646', origin: 'null' }, 'foreign-site'],
    ['a write from this site', open, 'PUT', { host: 'a:4646', origin: 'http://A:4646' }, null],
    ['cross-site', open, 'PUT', { host: 'a', 'sec-fetch-site': 'cross-site' }, 'foreign-site'],
    ['same-site', open, 'DELETE', { host: 'a', 'sec-fetch-site': 'same-site' }, 'foreign-site'],
    ['same-origin', open, 'PUT', { host: 'a', 'sec-fetch-site': 'same-origin' }, null],
    ['typed by hand', open, 'PUT', { host: 'a', 'sec-fetch-site': 'none' }, null],
    ['a write without a browser', loopback, 'PUT', { host: 'localhost' }, null],
  ])('%s', (_what, guard, method, headers, refusal) => {
    const run = (): void => checkOrigin(guard, method, headers);
    if (refusal === null) expect(run).not.toThrow();
    else expect(run).toThrow(expect.objectContaining({ code: refusal }) as Error);
  });
});

describe('isLoopbackAddress', () => {
  it.each<[address: string, response: boolean]>([
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['128.0.0.1', false],
    ['example.com', false],
  ])('%s', (address, response) => expect(isLoopbackAddress(address)).toBe(response));
});
