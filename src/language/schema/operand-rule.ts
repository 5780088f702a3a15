import { operandRuleOf, type Operator, type OperandRule } from '../operators/operator.js';
import type { Type } from './type.js';
import { coercibleKindOf, valueKindOf } from './value-kind.js';

/** What an operator does with a value of the type. */
export function operandRuleFor(operator: Operator, type: Type): OperandRule {
  // A nullable value may still be nil, which `is nil` supports for every kind.
  if (operator.takes.nil === 'nil' && type.nullDepth > 0) return 'nil';
  return operandRuleOf(operator, valueKindOf(type));
}

/** Whether a literal can equal an element of the type. */
export function isComparableElement(of: Type): boolean {
  const kind = valueKindOf(of);
  return of.kind === 'any' || kind === 'string' || kind === 'time' || coercibleKindOf(kind) !== null;
}
