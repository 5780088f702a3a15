import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../src/index.js';
import { plain } from './support/plain.js';

function read(text: string): unknown {
  return plain(parseConfig(text, { name: 'a.json' }));
}

/** What `plain` makes of a parsed JSON value. */
function wrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wrapped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, [wrapped(item)]]));
}

describe('JSON', () => {
  it('reads what the built-in parser reads, spaced in any way', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(read(text)).toEqual(wrapped(JSON.parse(text)));
      }),
    );
  });

  it('gives the tree that the same settings in HCL give', () => {
    const hcl = 'a = 1\nb "c" { d = ["x", true] }\nb "e" { d = [] }';
    const json = '{"a": 1, "b": {"c": {"d": ["x", true]}}, "b": {"e": {"d": []}}}';
    expect(read(json)).toEqual(plain(parseConfig(hcl, { name: 'a.hcl' })));
  });

  it('keeps repeated keys, with their places', () => {
    const { entries } = parseConfig('{"a": 1,\n "a": null}', { name: 'f' });
    expect(entries).toMatchObject([{ at: { line: 1, column: 2 } }, { at: { line: 2, column: 2 } }]);
  });

  it.each<[text: string, message: string]>([
    ['{', '1:2: expected a key in quotes, found the end of the text'],
    ['{a: 1}', '1:2: expected a key in quotes, found "a"'],
    ['{"a" 1}', '1:6: expected : after "a", found "1"'],
    ['{"a": 1,}', '1:9: expected a key in quotes, found "}"'],
    ['{"a": 1 "b": 2}', '1:9: expected , or }, found "\\""'],
    ['{"a": [1, 2}', '1:12: expected , or ], found "}"'],
    ['{"a": nul}', '1:7: expected a value, found "nul"'],
    ['{"a": 01}', '1:8: expected , or }, found "1"'],
    ['{"a": "x\n"}', '1:7: this string has no closing quote on its line'],
    ['{"a": "\\q"}', '1:7: this string has an unknown escape or a control character'],
    ['{} {}', '1:4: unexpected "{" behind the end'],
  ])('refuses %j', (text, message) => expect(() => read(text)).toThrow(`${message}`));

  it('keeps its bounds', () => {
    expect(() => read(`{"a": ${'['.repeat(100_000)}`)).toThrow('a.json:1:39: nested deeper than 32 levels');
  });

  it('is detected by the caller, or by its first character', () => {
    expect(() => parseConfig('a = 1', { name: 'f', syntax: 'json' })).toThrow('f:1:1: expected {, found "a"');
    expect(() => parseConfig('{}', { name: 'f', syntax: 'hcl' })).toThrow('f:1:1: expected the name');
    expect(read('\uFEFF\n {}')).toEqual({});
  });
});
