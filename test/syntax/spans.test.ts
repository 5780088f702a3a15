import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/language/diagnostics/span.js';
import type { Expression, Selector } from '../../src/language/syntax/ast.js';
import { parse, type ParsedFilter } from '../../src/language/parse.js';
import { childrenOf } from '../../src/language/syntax/visit.js';
import { sentences } from '../support/filter-text.js';
import { unlimited } from '../support/unlimited.js';

/** The source of every span in a tree, in the order of the walk. */
function pieces({ source, ast }: ParsedFilter): string[] {
  const cut = ({ start, end }: Span): string => source.slice(start, end);
  const selector = (node: Selector): string[] => [cut(node.span), ...node.partSpans.map(cut)];
  const visit = (node: Expression): string[] => {
    const own = [`${node.kind}: ${cut(node.span)}`];
    if (node.kind === 'match') {
      own.push(...selector(node.selector), cut(node.operatorSpan));
      if (node.value !== null) own.push(cut(node.value.span));
    } else if (node.kind === 'any' || node.kind === 'all') {
      const { binding } = node;
      own.push(...selector(node.selector), cut(binding.span));
      for (const name of [binding.default, binding.index, binding.value])
        if (name !== null) own.push(cut(name.span));
    }
    return [...own, ...childrenOf(node).flatMap(visit)];
  };
  return visit(ast);
}

const rows: readonly (readonly [text: string, ...pieces: string[]])[] = [
  [' a == 1 ', 'match: a == 1', 'a', 'a', '==', '1'],
  ['a.b["c d"].0 == "x"', 'match: a.b["c d"].0 == "x"', 'a.b["c d"].0', 'a', 'b', '"c d"', '0', '==', '"x"'],
  ['a [ `k` ] . 7!=`x`', 'match: a [ `k` ] . 7!=`x`', 'a [ `k` ] . 7', 'a', '`k`', '7', '!=', '`x`'],
  ['"/a~1b/c" is not  empty', 'match: "/a~1b/c" is not  empty', '"/a~1b/c"', 'a~1b', 'c', 'is not  empty'],
  ['"" is nil', 'match: "" is nil', '""', '', 'is nil'],
  ['x.y not in a.b', 'match: x.y not in a.b', 'a.b', 'a', 'b', 'not in', 'x.y'],
  ['a not contains x . y', 'match: a not contains x . y', 'a', 'a', 'not contains', 'x . y'],
  ['(a is nil)', 'match: a is nil', 'a', 'a', 'is nil'],
  [
    '(a is nil) and ( not (b is nil) )',
    'and: (a is nil) and ( not (b is nil) )',
    'match: a is nil',
    'a',
    'a',
    'is nil',
    'not: not (b is nil)',
    'match: b is nil',
    'b',
    'b',
    'is nil',
  ],
  [
    'a is nil or (b is nil or (c is nil))',
    'or: a is nil or (b is nil or (c is nil))',
    ...['match: a is nil', 'a', 'a', 'is nil'],
    ...['match: b is nil', 'b', 'b', 'is nil'],
    ...['match: c is nil', 'c', 'c', 'is nil'],
  ],
  ['not not not a is nil', 'not: not not not a is nil', 'match: a is nil', 'a', 'a', 'is nil'],
  ['not (not a is nil)', 'match: a is nil', 'a', 'a', 'is nil'],
  [
    'any a.b as i , _ { (x is nil) }',
    'any: any a.b as i , _ { (x is nil) }',
    ...['a.b', 'a', 'b', 'i , _', 'i'],
    ...['match: x is nil', 'x', 'x', 'is nil'],
  ],
  [
    'a == "😀" or b is nil',
    'or: a == "😀" or b is nil',
    ...['match: a == "😀"', 'a', 'a', '==', '"😀"'],
    ...['match: b is nil', 'b', 'b', 'is nil'],
  ],
];

describe('spans', () => {
  it.each(rows.map(([text, ...expected]) => ({ text, expected })))('of $text', ({ text, expected }) => {
    expect(pieces(parse(text))).toEqual(expected);
  });

  it('lie within those of their parents, in source order', () => {
    const property = fc.property(sentences('standard'), (text) => {
      let ast: Expression;
      try {
        ast = parse(text, { limits: unlimited }).ast;
      } catch {
        return;
      }
      const visit = (node: Expression, outer: Span): void => {
        expect(node.span.start).toBeGreaterThanOrEqual(outer.start);
        expect(node.span.end).toBeLessThanOrEqual(outer.end);
        let previous = node.span.start;
        for (const child of childrenOf(node)) {
          expect(child.span.start).toBeGreaterThanOrEqual(previous);
          previous = child.span.end;
          visit(child, node.span);
        }
      };
      visit(ast, { start: 0, end: text.length });
    });
    fc.assert(property, { numRuns: 500 });
  });
});
