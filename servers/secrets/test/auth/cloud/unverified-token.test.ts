import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStrictObject } from '../../../src/base/strict-json.js';
import { parseToken } from '../../../src/auth/cloud/unverified-token.js';

const encode = (text: string): string => Buffer.from(text).toString('base64url');

describe('strict objects', () => {
  it('are read as any JSON is, however they are written', () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 }));
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(readStrictObject(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('reject duplicate names in one object, at any depth', () => {
    const key = fc.string({ unit: 'grapheme' });
    const wrap = fc.constantFrom(
      (inner: string) => inner,
      (inner: string) => `{"a":${inner}}`,
      (inner: string) => `{"a":[1,${inner}]}`,
      (inner: string) => `{"a":{"b":[[${inner}]]},"c":"}"}`,
    );
    const escaped = (text: string): string =>
      `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
    fc.assert(
      fc.property(key, wrap, fc.boolean(), (name, around, escape) => {
        const again = escape ? escaped(name) : JSON.stringify(name);
        expect(readStrictObject(around(`{${JSON.stringify(name)}:1,${again}:2}`))).toBeNull();
      }),
    );
  });

  it('may use one name in several objects, and look like one in a text', () => {
    expect(
      readStrictObject('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}],"c":"{\\"a\\":1,\\"a\\":2}"}'),
    ).not.toBeNull();
  });

  it('are never half read, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n\tabu01') }), (text) => {
        let parsed: unknown = null;
        try {
          parsed = JSON.parse(text);
        } catch {
          expect(readStrictObject(text)).toBeNull();
          return;
        }
        const read = readStrictObject(text);
        if (read !== null) expect(read).toEqual(parsed);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    '',
    '1',
    'null',
    '[]',
    '"a"',
    '{',
    '{"a":1',
    '{"a":1}}',
    '{"a":1} {}',
    '\ufeff{}',
    "{'a':1}",
    '{a:1}',
  ])('are not %j', (text) => {
    expect(readStrictObject(text)).toBeNull();
  });

  it('are at most 32 levels deep', () => {
    const nest = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(readStrictObject(nest(32))).not.toBeNull();
    expect(readStrictObject(nest(33))).toBeNull();
  });
});

describe('tokens', () => {
  it('are taken apart', () => {
    const text = `${encode('{"alg":"RS256"}')}.${encode('{"oid":"ö"}')}.${encode('signature')}`;
    expect(parseToken(text)).toEqual({ text, header: { alg: 'RS256' }, claims: { oid: 'ö' } });
  });

  it.each([
    'a',
    'a.b',
    'a.b.c.d',
    '..',
    `${encode('{}')}.${encode('{}')}`,
    `${encode('{}')}.${encode('{}')}.a.b`,
    `${encode('{}')}.${encode('[]')}.`,
    `${encode('{}')}.${encode('{}')}.a=`,
    ` ${encode('{}')}.${encode('{}')}.`,
    `${encode('{}')}.${encode('{}')}.a b`,
    `${encode('{}')}.${encode('{}')}.a\n`,
  ])('are not %j', (text) => {
    expect(parseToken(text)).toBeNull();
  });
});
