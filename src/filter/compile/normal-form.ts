import { formOf, operatorForms, type MatchOperator } from '../../language/operators/operators.js';
import { isOrdering, negatedOrderings } from '../../language/values/ordering.js';
import type { Expression } from '../../language/syntax/ast.js';

/**
 * Returns the tree for `unresolved: 'deny'`, in which only matches are negated. In this tree a match that is unknown counts as
 * false, because `and`, `or`, `any` and `all` of fewer true parts are never more often true. Returns the tree itself if it has no
 * `not`. Spans stay those of the source.
 */
export function normalForm(node: Expression, isNegated = false): Expression {
  switch (node.kind) {
    case 'not':
      return normalForm(node.operand, !isNegated);
    case 'match':
      return isNegated ? { ...node, operator: negationOf(node.operator) } : node;
    case 'and':
    case 'or': {
      const operands = node.operands.map((operand) => normalForm(operand, isNegated));
      if (isNegated) return { ...node, kind: node.kind === 'and' ? 'or' : 'and', operands };
      return operands.every((operand, at) => operand === node.operands[at]) ? node : { ...node, operands };
    }
    default: {
      const body = normalForm(node.body, isNegated);
      if (isNegated) return { ...node, kind: node.kind === 'any' ? 'all' : 'any', body };
      return body === node.body ? node : { ...node, body };
    }
  }
}

/** Returns the operator that a value of the right kind satisfies if and only if it does not satisfy the given one. */
export function negationOf(name: MatchOperator): MatchOperator {
  if (isOrdering(name)) return negatedOrderings[name];
  const { operator, negated } = formOf(name);
  const form = operatorForms().find((each) => each.operator === operator && each.negated !== negated);
  if (form === undefined) throw new TypeError(`${name} has no negation: add it here`);
  return form.name;
}
