import { formOf } from '../../../language/operators/operators.js';
import type { Type } from '../../../language/schema/type.js';
import { literalOf, literalsOf, type MatchExpression } from '../../../language/syntax/ast.js';
import { noOperand } from '../../../language/values/operand.js';
import { isLongComparison } from '../frame/meter.js';
import { behaviours } from './behaviours.js';
import { chooseLengthCheck } from './length-check.js';
import type { CompileContext } from '../frame/compile-context.js';
import type { QuickCheck } from '../quick/check.js';

/** Returns the check of a match for the most common kind of its values; null if none exists for this operator and type. */
export function chooseCheck(node: MatchExpression, type: Type, context: CompileContext): QuickCheck | null {
  const { value } = node;
  const literals = literalsOf(node);
  if (type.nullDepth > 1 || value?.kind === 'reference' || literals.some((each) => !each.wellFormed))
    return null;
  // The body of a walk is evaluated a few hundred times without charge, so its checks must be cheap.
  const isRepeated = context.loopVariables.length > 0;
  if (isRepeated && literals.some(isLongComparison)) return null;
  const request = { node, operand: literalOf(node) ?? noOperand, type, compileContext: context, isRepeated };
  if (node.aspect === 'length') return chooseLengthCheck(request);
  const { chooseCheck: choose } = behaviours[formOf(node.operator).operator.name];
  return choose(request);
}
