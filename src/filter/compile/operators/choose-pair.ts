import { formOf } from '../../../language/operators/operators.js';
import type { Type } from '../../../language/schema/type.js';
import { compareBytewise } from '../../../language/values/utf8-order.js';
import { freeInstance, freeText } from '../frame/cost-model.js';
import { longComparison } from '../frame/meter.js';
import { ABSENT } from '../frame/sentinels.js';
import { scaleOf, type Scale } from '../frame/scale.js';
import { comparatorNames, comparatorOf, type Comparator } from '../quick/order-check.js';
import { integerPair, numberPair, textPair, samplePair, type QuickPairCheck } from '../quick/pair-check.js';
import type { MatchExpression } from '../../../language/syntax/ast.js';

/**
 * Returns the check of a match between two values of declared types; null if none exists. `isRepeated`: the check may run many
 * times per row.
 */
export function choosePair(
  { operator: name, aspect }: Pick<MatchExpression, 'operator' | 'aspect'>,
  own: Type,
  of: Type,
  isRepeated: boolean,
): QuickPairCheck | null {
  const { operator } = formOf(name);
  const sign = comparatorNames[operator.name];
  const [scale, otherScale] = [scaleOf(own), scaleOf(of)];
  if (sign === undefined || aspect !== 'value' || scale === null || otherScale === null) return null;
  if (scale.family !== otherScale.family) return null;
  if (scale.family === 'number') {
    const isRounded = own.kind === 'float32' || of.kind === 'float32';
    return isRounded ? null : { template: numberPair[sign], operands: [] };
  }
  if (scale.family === 'bool') return null;
  // Comparisons of longer strings are charged.
  if (scale.family === 'string') return chooseTexts(sign, isRepeated ? longComparison : freeText);
  // Parsing instances is charged if it happens for each element.
  if (isRepeated) return null;
  if (scale.kind?.isText === false && otherScale.kind === scale.kind)
    return { template: integerPair[sign], operands: [] };
  return { template: samplePair, operands: [createTrial(scale, otherScale, sign)] };
}

function chooseTexts(sign: Comparator, maxLength: number): QuickPairCheck {
  if (sign === '===') return { template: textPair, operands: [maxLength] };
  const matches = comparatorOf<number>(sign);
  const result = (value: unknown, other: unknown): boolean | undefined =>
    typeof value === 'string' && typeof other === 'string' && value.length <= maxLength
      ? matches(compareBytewise(value, other), 0)
      : undefined;
  return { template: samplePair, operands: [result] };
}

/** Whether reading the value must be charged. */
function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > freeInstance;
}

/** Creates a comparison of two values; undefined leaves absent values and invalid instances to the closures. */
function createTrial(
  scale: Scale,
  otherScale: Scale,
  sign: Comparator,
): (value: unknown, other: unknown) => boolean | undefined {
  const matches = comparatorOf<number>(sign);
  return (value, other) => {
    if (value === null || value === undefined || other === null || other === undefined) return undefined;
    if (typeof value === 'object' || typeof other === 'object' || isLong(value) || isLong(other))
      return undefined;
    const position = scale.read(value);
    const operand = otherScale.read(other);
    if (position === undefined || operand === undefined || position === ABSENT || operand === ABSENT)
      return undefined;
    return matches(scale.sort(position, operand), 0);
  };
}
