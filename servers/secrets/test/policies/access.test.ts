import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capabilitiesOn } from '../../src/policies/access.js';
import { parsePolicy } from '../../src/policies/parse-policy.js';

const granted = (path: string, ...policies: readonly string[]): readonly string[] =>
  capabilitiesOn(
    path,
    policies.flatMap((text, at) => parsePolicy(`p${at}`, text)),
  );
const rule = (pattern: string, ...capabilities: readonly string[]): string =>
  `path "${pattern}" { capabilities = ${JSON.stringify(capabilities)} }\n`;

describe('the rules of policies', () => {
  it.each([
    ['a/b', 'a/b', true],
    ['a/b', 'a/b/', true],
    ['a/b', 'a/bc', false],
    ['a/b', 'A/b', true],
    ['a/b/', 'a/b', false],
    ['a/b/', 'A/B/', true],
    ['a/b/', 'a/b/c', false],
    ['a/+/', 'a/b', false],
    ['a/+/', 'a/b/', true],
    ['a/+/', 'a/', false],
    ['/', 'a', false],
    ['a/*', 'a/b', true],
    ['a/*', 'a/b/c', true],
    ['a/*', 'a/', true],
    ['a/*', 'a', false],
    ['a*', 'ab/c', true],
    ['*', 'anything/at/all', true],
    ['a/+/c', 'a/b/c', true],
    ['a/+/c', 'a//c', false],
    ['a/+/c', 'a/b/b/c', false],
    ['a/+', 'a/b', true],
    ['a/+/*', 'a/b/c/d', true],
    ['+/+', 'a/b', true],
    ['+', 'a/b', false],
    ['a/+b', 'a/b', false],
    ['/a/b', 'a/b', true],
  ])('%s fits %s: %s', (pattern, path, fits) => {
    expect(granted(path, rule(pattern, 'read'))).toEqual(fits ? ['read'] : ['deny']);
  });

  it.each([
    ['the exact path', 'a/b', ['a/b', 'a/*']],
    ['the longer prefix', 'a/b/c', ['a/b/*', 'a/*']],
    ['the exact path over a segment', 'a/b', ['a/b', 'a/+']],
    ['the later wildcard', 'a/b/c', ['a/b/+', 'a/+/c']],
    ['one segment over any rest', 'a/b', ['a/+', 'a/*']],
    ['the longer of two prefixes behind segments', 'a/b/cd', ['a/+/c*', 'a/+/*']],
  ])('%s decides', (_, path, [winner = '', loser = '']) => {
    for (const [one, other] of [
      [rule(winner, 'read'), rule(loser, 'delete')],
      [rule(loser, 'delete'), rule(winner, 'read')],
    ]) {
      expect(granted(path, one!, other!)).toEqual(['read']);
    }
  });

  it('add up where the pattern is the same, and one deny wins', () => {
    expect(granted('a', rule('a', 'read', 'list'), rule('a', 'update', 'read'))).toEqual([
      'list',
      'read',
      'update',
    ]);
    expect(granted('a', rule('a', 'read'), rule('a', 'deny'))).toEqual(['deny']);
    expect(granted('a/b', rule('a/*', 'read'), rule('a/b', 'deny'))).toEqual(['deny']);
    expect(granted('a', rule('a'))).toEqual(['deny']);
    expect(granted('a')).toEqual(['deny']);
  });

  it.each([
    ['a/b/', 'a/b', true],
    ['a/b/', 'a/b/', true],
    ['a/b', 'a/b/', true],
    ['a/b/', 'a/b/c', false],
    ['a/+/', 'A/B', true],
    ['A/', 'a', true],
  ])('that deny %s deny %s: %s', (pattern, path, denies) => {
    expect(granted(path, rule('*', 'read'), rule(pattern, 'deny'))).toEqual(denies ? ['deny'] : ['read']);
  });

  it('allow no more with a slash than they say, next to those without', () => {
    const both = [rule('a', 'read'), rule('a/', 'list')];
    expect(granted('a', ...both)).toEqual(['read']);
    expect(granted('a/', ...both)).toEqual(['list', 'read']);
    for (const denied of [
      [rule('a', 'read'), rule('a/', 'deny')],
      [rule('a', 'deny'), rule('a/', 'list')],
    ]) {
      expect(granted('a', ...denied)).toEqual(['deny']);
      expect(granted('a/', ...denied)).toEqual(['deny']);
    }
  });

  it('do not depend on their order', () => {
    const pattern = fc.constantFrom(
      'a/b',
      'a/*',
      'a/+',
      '+/b',
      '*',
      'a/b/c',
      'a/+/c',
      '+/+/+',
      'a/b/*',
      'a/b/',
    );
    const capability = fc.constantFrom('read', 'list', 'delete', 'deny');
    const rules = fc.array(fc.tuple(pattern, capability), { maxLength: 6 });
    fc.assert(
      fc.property(rules, fc.constantFrom('a/b', 'a/b/', 'a/b/c', 'a', 'x/b', 'x/y/z'), (list, path) => {
        const texts = list.map(([one, other]) => rule(one, other));
        expect(granted(path, ...texts)).toEqual(granted(path, ...texts.reverse()));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the text of a policy', () => {
  it('may be JSON, and may use the old words', () => {
    const json = JSON.stringify({ path: { 'a/*': { capabilities: ['read'] }, b: { policy: 'write' } } });
    expect(parsePolicy('p', json)).toEqual([
      { pattern: 'a/*', capabilities: ['read'] },
      { pattern: 'b', capabilities: ['create', 'read', 'update', 'delete', 'list'] },
    ]);
    expect(parsePolicy('p', '')).toEqual([]);
  });

  it.each([
    ['path "a" { capabilities = ["reed"] }', 'p:1:28: path "a".capabilities[0]: expected one of'],
    ['path "a" { }', 'lacks its capabilities'],
    ['path "a" { capabilities = "read" }', 'expected a list'],
    ['path "a" { capabilities = ["read"] allowed_parameters = { "x" = [] } }', 'there is no such setting'],
    ['paths "a" { capabilities = ["read"] }', 'did you mean path?'],
    ['path "a/*/b" { capabilities = ["read"] }', '* is valid only at the end'],
    ['path "a" {', 'p:1:'],
    ['#'.repeat(70_000), 'at most 65536 characters'],
  ])('%.60s: %s', (text, message) => {
    expect(() => parsePolicy('p', text)).toThrow(message);
  });
});
