import { formOf } from '../../../language/operators/operators.js';
import { literalOf } from '../../../language/syntax/ast.js';
import { intType } from '../../../language/schema/type.js';
import { valueKindOf } from '../../../language/schema/value-kind.js';
import { countCodePoints } from '../../../language/values/code-points.js';
import { freeText } from '../frame/cost-model.js';
import type { QuickCheck } from '../quick/check.js';
import { codePointOrder, listOrder } from '../quick/length-check.js';
import { boundOf, type Comparator } from '../quick/order-check.js';
import type { CheckRequest } from './behaviour.js';
import { testContextOf } from './order-check.js';
import { placeLiteral } from '../frame/scale.js';

const comparators: Readonly<Partial<Record<string, Comparator>>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '==': '===',
};

/** Returns the check for the length of a list or a string. */
export function chooseLengthCheck(request: CheckRequest): QuickCheck | null {
  const { node, type, isRepeated } = request;
  const literal = literalOf(node);
  const sign = comparators[formOf(node.operator).operator.name];
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
