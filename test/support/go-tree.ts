import { type Expression, literalOf } from '../../src/language/syntax/ast.js';
import type { GoTree } from './go-grammar.js';

/** A tree of ours in go-bexpr's shape, whose `and` and `or` have two sides and lean to the right. */
export function asGoTree(node: Expression): GoTree {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const sides = node.operands.map(asGoTree);
      return sides.reduceRight((right, left) => ({ type: node.kind, left, right }));
    }
    case 'not':
      return { type: 'not', operand: asGoTree(node.operand) };
    case 'match': {
      const selector = { kind: node.selector.form, path: [...node.selector.path] };
      const match = { type: 'match' as const, operator: node.operator, selector };
      const value = literalOf(node);
      return value === null ? match : { ...match, value: value.text };
    }
    case 'any':
    case 'all': {
      const bindings: Record<string, string> = {};
      for (const key of ['default', 'index', 'value'] as const) {
        const name = node.binding[key];
        if (name !== null) bindings[key] = name.text;
      }
      const selector = { kind: node.selector.form, path: [...node.selector.path] };
      return { type: node.kind, selector, bindings, body: asGoTree(node.body) };
    }
  }
}
