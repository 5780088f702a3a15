import {
  assertNever,
  type CollectionBinding,
  type Expression,
  literalOf,
  type Selector,
} from '../../src/syntax/ast.js';
import type { VectorSelector, VectorTree } from './vector.js';

/** Our tree in the form of the vectors: `a or b or c` unfolds to the right. */
export function toVectorTree(expression: Expression): VectorTree {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const { kind: type, operands } = expression;
      return operands.map(toVectorTree).reduceRight((right, left) => ({ type, left, right }));
    }
    case 'not':
      return { type: 'not', operand: toVectorTree(expression.operand) };
    case 'match': {
      const { operator } = expression;
      const value = literalOf(expression);
      const match = { type: 'match', operator, selector: toVectorSelector(expression.selector) } as const;
      return value === null ? match : { ...match, value: value.text };
    }
    case 'any':
    case 'all':
      return {
        type: expression.kind,
        selector: toVectorSelector(expression.selector),
        bindings: toVectorBindings(expression.binding),
        body: toVectorTree(expression.body),
      };
    default:
      return assertNever(expression);
  }
}

function toVectorSelector({ form, path }: Selector): VectorSelector {
  return { kind: form, path };
}

function toVectorBindings(binding: CollectionBinding): Readonly<Record<string, string>> {
  const bindings: Record<string, string> = {};
  for (const role of ['default', 'index', 'value'] as const) {
    const name = binding[role];
    if (name !== null) bindings[role] = name.text;
  }
  return bindings;
}
