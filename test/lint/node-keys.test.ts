import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse, print } from '../../src/index.js';
import { lint } from '../../src/entries/lint.js';
import { NodeKeys } from '../../src/tools/lint/node-keys.js';
import type { Expression } from '../../src/index.js';

const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a == 1', 'a == "1"', 'a.b is nil', 'not a == 1', 'x in [1, 2]', 'a matches "x"'),
    fc
      .tuple(tie('node'), fc.constantFrom('and', 'or'), tie('node'))
      .map(([left, word, right]) => `(${left} ${word} ${right})`),
    tie('node').map((inner) => `not (${inner})`),
    fc
      .tuple(fc.constantFrom('any', 'all'), fc.constantFrom('x', 'y', '_, x', 'x, y'), tie('node'))
      .map(([kind, names, body]) => `(${kind} L as ${names} { ${body} })`),
  ),
}));

function read(text: string): Expression {
  return parse(text).ast;
}

it('numbers are equal for expressions that print alike, and for no others', () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 2, maxLength: 8 }), (texts) => {
      const keys = new NodeKeys();
      const trees = texts.map(read);
      for (const one of trees) {
        for (const other of trees) expect(keys.of(one) === keys.of(other)).toBe(print(one) === print(other));
      }
    }),
  );
});

it('a long text with a hundred findings has corrections for the first ones, and all of them for a short one', () => {
  const clauses = (count: number): string =>
    Array.from({ length: count }, (_, at) => `not Name != "w${at}"`).join(' or ');
  const corrected = (text: string): boolean[] => lint(text).map(({ suggestions }) => suggestions.length > 0);
  const [first, ...others] = corrected(clauses(1_900));
  expect(first).toBe(true);
  expect(others).toHaveLength(99);
  expect(others.at(-1)).toBe(false);
  expect(corrected(clauses(60))).toEqual(Array.from({ length: 60 }, () => true));
});
