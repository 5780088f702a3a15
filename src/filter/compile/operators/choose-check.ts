import { formOf } from '../../../language/operators/operators.js';
import { type Type, intType } from '../../../language/schema/type.js';
import { literalOf, literalsOf, type MatchExpression } from '../../../language/syntax/ast.js';
import { noOperand } from '../../../language/values/operand.js';
import { isLongComparison } from '../frame/meter.js';
import { behaviours } from './behaviours.js';
import type { CompileContext } from '../frame/compile-context.js';
import type { QuickCheck } from '../quick/check.js';
import { valueKindOf } from '../../../language/schema/value-kind.js';
import { countCodePoints } from '../../../language/values/code-points.js';
import { freeText } from '../frame/cost-model.js';
import { codePointOrder, comparatorNames, listOrder, boundOf } from '../quick/order-check.js';
import type { CheckRequest } from './behaviour.js';
import { testContextOf } from './order-check.js';
import { placeLiteral } from '../frame/scale.js';

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

/** Returns the check for the length of a list or a string. */
function chooseLengthCheck(request: CheckRequest): QuickCheck | null {
  const { node, type, isRepeated } = request;
  const literal = literalOf(node);
  const sign = comparatorNames[formOf(node.operator).operator.name];
  if (literal === null || sign === undefined || literal.ignoreCase) return null;
  const placed = placeLiteral(testContextOf(request), intType, literal);
  const bound = 'fault' in placed ? null : boundOf(sign, placed.position as number | bigint);
  if (bound === null) return null;
  const { sign: own, double } = bound;
  if (type.kind === 'list') return { template: listOrder[own], operands: [double] };
  const kind = valueKindOf(type);
  if (isRepeated || (kind !== 'string' && kind !== 'time')) return null;
  return { template: codePointOrder[own], operands: [double, countCodePoints, freeText, 2 * double] };
}
