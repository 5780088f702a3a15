import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression, MatchExpression } from '../../src/language/syntax/ast.js';
import { parse } from '../../src/language/parse.js';
import { print } from '../../src/language/syntax/print.js';
import { rewrite, type Rewriter } from '../../src/language/syntax/rewrite.js';
import { walk } from '../../src/language/syntax/visit.js';
import { trees } from '../support/filter-tree.js';

function rewritten(text: string, rewriter: Rewriter): string {
  return print(rewrite(parse(text).ast, rewriter));
}

function named(match: MatchExpression, name: string): boolean {
  return match.selector.path[0] === name;
}

const inverse: Rewriter['match'] = (node) =>
  node.operator === '==' ? { ...node, operator: '!=' } : { ...node, operator: '==' };

describe('rewrite', () => {
  it('gives the very tree back where nothing changes', () => {
    const { ast } = parse('a == 1 or not (b == 2 and any L as x { c == 3 })');
    expect(rewrite(ast, {})).toBe(ast);
    expect(rewrite(ast, { match: (node) => node, and: (node) => node })).toBe(ast);
  });

  it('shares the parts that do not change, and leaves the tree as it was', () => {
    const { ast } = parse('(a == 1 and b == 2) or c == 3');
    const before = JSON.stringify(ast);
    const changed = rewrite(ast, {
      match: (node) => (named(node, 'c') ? { ...node, operator: '!=' } : node),
    });
    if (ast.kind !== 'or' || changed.kind !== 'or') throw new Error('not a disjunction');
    expect(changed.operands[0]).toBe(ast.operands[0]);
    expect(changed.span).toEqual(ast.span);
    expect(Object.isFrozen(changed)).toBe(true);
    expect(JSON.stringify(ast)).toBe(before);
  });

  // One line a case: the text, the rewriter, what comes out.
  it.each<[string, Rewriter, string]>([
    ['a == 1', { match: inverse }, 'a != 1'],
    ['not a == 1', { not: ({ operand }) => operand }, 'a == 1'],
    ['any L as x { x == 1 }', { match: inverse }, 'any L as x { x != 1 }'],
    ['all L as x { x == 1 }', { collection: (node) => ({ ...node, kind: 'any' }) }, 'any L as x { x == 1 }'],
    ['a == 1 and b == 2 and c == 3', { and: ({ operands: [, second] }) => second as Expression }, 'b == 2'],
    ['a == 1 or b == 2', { or: (node) => ({ ...node, kind: 'and' }) }, 'a == 1 and b == 2'],
    // A junction that becomes the last operand of one of its kind is part of it, as in a text.
    [
      'a == 1 and (b == 2 or c == 3)',
      { or: (node) => ({ ...node, kind: 'and' }) },
      'a == 1 and b == 2 and c == 3',
    ],
    // A `not` directly above another one cancels it.
    [
      'not (a == 1 or b == 2)',
      { or: ({ operands: [first] }) => parse(`not ${print(first as Expression)}`).ast },
      'a == 1',
    ],
  ])('%s', (text, rewriter, expected) => {
    expect(rewritten(text, rewriter)).toBe(expected);
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['b == 2', '"b == 2"'],
    [5, '5'],
    [[], 'an array'],
    [parse('b == 2'), 'an object'],
    [{ kind: 'xor' }, 'an object'],
    [{ kind: 'and' }, 'an object'],
    [{ kind: 'or', operands: [undefined, undefined] }, 'an object'],
    [{ kind: 'not' }, 'an object'],
    [{ kind: 'any', body: 5 }, 'an object'],
  ])('rejects %o instead of a node', (other, named) => {
    for (const text of ['a == 1', 'a == 1 and b == 2', 'not any L as x { x == 1 }']) {
      expect(() => rewritten(text, { match: () => other as Expression })).toThrow(
        new TypeError(`rewrite: match must return a node, the one that it is given or another, got ${named}`),
      );
    }
  });

  it('refuses what is no tree', () => {
    for (const other of ['a == 1', parse('a == 1'), undefined, { kind: 'xor' }]) {
      expect(() => rewrite(other as Expression, {})).toThrow(/^rewrite: expected the tree of a filter, not /);
    }
  });

  it('hands on nodes whose children are rewritten', () => {
    const seen: string[] = [];
    rewritten('a == 1 and not any L as x { x == 2 }', {
      match: inverse,
      collection: (node) => (seen.push(print(node)), node),
      not: (node) => (seen.push(print(node)), node),
      and: (node) => (seen.push(print(node)), node),
    });
    expect(seen).toEqual([
      'any L as x { x != 2 }',
      'not (any L as x { x != 2 })',
      'a != 1 and not (any L as x { x != 2 })',
    ]);
  });

  it('follows any depth', () => {
    let tree = parse('a == 1').ast;
    for (let depth = 0; depth < 100_000; depth += 1) {
      tree = { kind: depth % 2 === 0 ? 'and' : 'or', operands: [tree, parse('b == 2').ast], span: tree.span };
    }
    let count = 0;
    rewrite(tree, { match: (node) => ((count += 1), node) });
    expect(count).toBe(100_001);
  });

  it('exchanges and for or and back, and sees each match once', () => {
    const property = fc.property(trees, (tree) => {
      let matches = 0;
      walk(tree, { match: () => void (matches += 1) });
      let seen = 0;
      const flip: Rewriter = {
        and: (node) => ({ ...node, kind: 'or' }),
        or: (node) => ({ ...node, kind: 'and' }),
        match: (node) => ((seen += 1), node),
      };
      expect(print(rewrite(rewrite(tree, flip), flip))).toBe(print(tree));
      expect(seen).toBe(matches * 2);
    });
    fc.assert(property);
  });
});
