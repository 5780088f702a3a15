import { describe, expect, it } from 'vitest';
import { defaultHttpLimits } from '../../servers/http/src/limits.js';
import { firstParameter, parseQueryString } from '../../src/entries/internal.js';

const limits = { maxParameters: 3, maxParameterLength: 10 };

describe('parseQueryString', () => {
  it.each<[text: string, entries: [string, string[]][]]>([
    ['', []],
    ['a=1', [['a', ['1']]]],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['a=1&a=2', [['a', ['1', '2']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['a+b=c+d', [['a b', ['c d']]]],
    ['%61=%C3%A9%2B', [['a', ['é+']]]],
    ['&&a=1&', [['a', ['1']]]],
    ['a=1;b=2', [['a', ['1;b=2']]]],
    ['__proto__=1', [['__proto__', ['1']]]],
  ])('%s', (text, entries) => {
    expect([...parseQueryString(text, defaultHttpLimits)]).toEqual(entries);
  });

  it.each<[text: string, code: string, message: string]>([
    ['a=1&b=2&c=3&d=4', 'too-many-parameters', 'More than 3 query parameters'],
    ['&&&&', 'too-many-parameters', 'More than 3 query parameters'],
    ['a=12345678901', 'parameter-too-long', 'Query parameter "a" is longer than 10 characters'],
    [
      'filter=50%',
      'bad-query',
      'Invalid percent escape in query parameter "filter": "%". Write a literal % as %25',
    ],
    [
      'a=x%zzy',
      'bad-query',
      'Invalid percent escape in query parameter "a": "%zz". Write a literal % as %25',
    ],
    [
      'a=%41%ff',
      'bad-query',
      'Invalid percent escape in query parameter "a": "%41%ff" is not UTF-8. Write a literal % as %25',
    ],
    ['%=1', 'bad-query', 'Invalid percent escape in a query parameter name: "%". Write a literal % as %25'],
  ])('refuses %s', (text, code, message) => {
    expect(() => parseQueryString(text, limits)).toThrow(expect.objectContaining({ code, message }) as Error);
  });

  it('gives the first value, and empty for none', () => {
    const parameters = parseQueryString('a=1&a=2', limits);
    expect(firstParameter(parameters, 'a')).toBe('1');
    expect(firstParameter(parameters, 'b')).toBe('');
  });
});
