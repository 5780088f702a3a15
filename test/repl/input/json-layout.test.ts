import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactJson, indentJson } from '../../../src/command/input/json-layout.js';

describe('compactJson', () => {
  it.each([
    ['{ "a" : 1 ,\r\n\t"b" : [ 1 , 2 ] }', '{"a":1,"b":[1,2]}'],
    ['{"a b": "c  d"}', '{"a b":"c  d"}'],
    [String.raw`{"a\" b": "\\" }`, String.raw`{"a\" b":"\\"}`],
    ['[ 1.0, 1E+2, 1645230445788556001 ]', '[1.0,1E+2,1645230445788556001]'],
    ['{"é": "字 \u{1f600}" }', '{"é":"字 \u{1f600}"}'],
    [' null ', 'null'],
  ])('%s', (text, expected) => {
    expect(compactJson(Buffer.from(text)).toString()).toBe(expected);
  });

  it('undoes the layout of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(compactJson(Buffer.from(text)).toString()).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('indentJson', () => {
  it('lays out like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(indentJson(Buffer.from(text)).toString()).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('keeps spellings', () => {
    expect(indentJson(Buffer.from('{"a":1.0,"b":1645230445788556001,"b":[ ]}')).toString()).toBe(
      '{\n  "a": 1.0,\n  "b": 1645230445788556001,\n  "b": []\n}',
    );
  });

  it('grows in proportion to deep nesting', () => {
    const depth = 20_000;
    const text = '['.repeat(depth) + ']'.repeat(depth);
    expect(indentJson(Buffer.from(text)).length).toBeLessThan(depth * 2 * 210);
  });
});
