import type { Phrase, OperandRule } from '../../language/operators/operator.js';
import { formOf, writtenForms, type WrittenForm } from '../../language/operators/operators.js';
import { isComparableElement, operandRuleFor } from '../../language/schema/operand-rule.js';
import { elementTypeOf, type Type } from '../../language/schema/type.js';
import type { MatchOperator } from '../../language/syntax/ast.js';

/** Returns the operators that follow a selector, in the order of suggestion. */
export function writtenOperators(): readonly WrittenForm[] {
  return writtenForms().filter(({ position }) => position !== 'reversed');
}

/** Returns the operators between a value and a selector. */
export function reversedOperators(): readonly WrittenForm[] {
  return writtenForms().filter(({ position }) => position === 'reversed');
}

/** Returns how an operator treats a value of the type; null if only the row can determine that, `refuse` if it always fails. */
export function treatmentFor(name: MatchOperator, type: Type): OperandRule | null {
  if (type.kind === 'any') return null;
  const treatment = operandRuleFor(formOf(name).operator, type);
  if (treatment === 'coerce-then-refuse') return 'refuse';
  const element = elementTypeOf(type);
  if (treatment === 'elements')
    return element !== null && isComparableElement(element) ? treatment : 'refuse';
  if (treatment === 'keys' && type.kind === 'map' && !type.textKeys) return 'refuse';
  return treatment;
}

/** Whether any row can satisfy the operator on a value of the type. */
export function fits(operator: MatchOperator, type: Type): boolean {
  return treatmentFor(operator, type) !== 'refuse';
}

/** Describes an operator in a few words that follow the field's name. */
export function describeOperator(name: MatchOperator, type: Type | null): string {
  const treatment = type === null ? null : treatmentFor(name, type);
  if (treatment === 'refuse') return 'never applies to this kind';
  const { operator, negated } = formOf(name);
  const { phrases } = operator;
  return choose((treatment === null ? undefined : phrases[treatment]) ?? phrases.default, negated);
}

/** Describes an operator that follows the value, in words that follow the value. */
export function describeReversed(name: MatchOperator): string {
  const { operator, negated } = formOf(name);
  return choose(operator.phrases.reversed ?? operator.phrases.default, negated);
}

function choose([plain, negation]: Phrase, negated: boolean): string {
  return negated ? negation : plain;
}
