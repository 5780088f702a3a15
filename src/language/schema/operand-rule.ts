import { operandRuleOf, type Operator, type OperandRule } from '../operators/operator.js';
import type { Analysis, WithPath } from './analysis.js';
import type { Type } from './type.js';
import { coercibleKindOf, valueKindOf } from './value-kind.js';

/** Returns how an operator treats a value of the type, as far as the type determines it. */
export function operandRuleFor(operator: Operator, type: Type): OperandRule {
  // A nullable value may still be nil, which `is nil` supports for every kind.
  if (operator.takes.nil === 'nil' && type.nullDepth > 0) return 'nil';
  return operandRuleOf(operator, valueKindOf(type), 0);
}

/** Whether the schema declares a scalar or an array that is never null or missing, which makes a test for null pointless. */
export function isNeverNull(selector: WithPath, analysis: Analysis): boolean {
  const { type, steps } = analysis.resolve(selector);
  const isReached = steps.every((step) => step.kind === 'field' && step.parent.nullDepth === 0);
  return isReached && type !== null && type.nullDepth === 0 && (isScalar(type) || type.kind === 'array');
}

function isScalar(type: Type): boolean {
  const kind = valueKindOf(type);
  return kind === 'string' || kind === 'time' || coercibleKindOf(kind) !== null;
}

/** Whether a literal can equal an element of the type. */
export function isComparableElement(of: Type): boolean {
  return of.kind === 'any' || isScalar(of);
}
