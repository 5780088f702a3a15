import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteOffsetAt, positionAt } from '../../src/language/diagnostics/source.js';

describe('positionAt', () => {
  it.each<[text: string, offset: number, line: number, column: number]>([
    ['', 0, 1, 1],
    ['abc', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['abc', 3, 1, 4],
    ['abc', 99, 1, 4],
    ['abc', -1, 1, 1],
    ['a\nb', 1, 1, 2],
    ['a\nb', 2, 2, 1],
    ['a\n', 2, 2, 1],
    ['\n\n', 1, 2, 1],
    ['a\r\nb', 3, 2, 1],
    ['a\rb', 2, 1, 3],
    ['é x', 2, 1, 3],
    ['e\u0301x', 2, 1, 3],
    ['😀x', 2, 1, 2],
    ['😀x', 1, 1, 2],
    ['\ud800x', 1, 1, 2],
    ['\udc00\udc00x', 2, 1, 3],
    ['a\n😀😀', 6, 2, 3],
  ])('of %j at %i is %i:%i', (text, offset, line, column) => {
    expect(positionAt(text, offset)).toEqual({ line, column });
  });

  it('counts lines and code points', () => {
    const property = fc.property(
      fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'é') }),
      fc.nat(40),
      (text, at) => {
        const before = [...text].slice(0, at).join('');
        const lines = before.split('\n');
        expect(positionAt(text, before.length)).toEqual({
          line: lines.length,
          column: [...(lines.at(-1) ?? '')].length + 1,
        });
      },
    );
    fc.assert(property);
  });
});

describe('byteOffsetAt', () => {
  it.each<[text: string, offset: number, bytes: number]>([
    ['abc', 2, 2],
    ['é', 1, 2],
    ['€', 1, 3],
    ['😀', 2, 4],
    ['\ud800', 1, 3],
    ['aé€😀', 5, 10],
    ['abc', 99, 3],
  ])('of %j at %i is %i', (text, offset, bytes) => {
    expect(byteOffsetAt(text, offset)).toBe(bytes);
  });

  it('agrees with an encoder', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(byteOffsetAt(text, text.length)).toBe(new TextEncoder().encode(text).length);
    });
    fc.assert(property);
  });
});
