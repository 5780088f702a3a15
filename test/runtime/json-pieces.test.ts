import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPieces, writeJson } from '../../src/entries/internal.js';

const value = fc.anything({ withBigInt: true, withNullPrototype: true, maxDepth: 7 });

it('pieces of JSON are what is written at once', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 4), fc.nat({ max: 3 }), (any, indent, depth) => {
      expect([...jsonPieces(any, indent, depth)].join('')).toBe(writeJson(any, indent, depth));
    }),
  );
});

it('pieces are short, and a list may be made while it is written', () => {
  const made: number[] = [];
  function* items(): Generator<object> {
    for (let at = 0; at < 100; at += 1) {
      made.push(at);
      yield { text: 'x'.repeat(1_000) };
    }
  }
  const pieces = jsonPieces({ list: items(), map: Object.fromEntries(made.entries()) });
  expect(pieces.next().value?.length).toBeLessThan(8_192);
  expect(made.length).toBeLessThan(10);
  const rest = [...pieces];
  expect(Math.max(...rest.map((piece) => piece.length))).toBeLessThan(8_192);
  expect(made).toHaveLength(100);
});
