import { isText, valueKindOf } from '../../../language/schema/value-kind.js';
import type { Type } from '../../../language/schema/type.js';
import { literalOf, type MatchExpression, type Value } from '../../../language/syntax/ast.js';
import { instanceKindOf } from '../../../language/values/instance/index.js';
import { foldText, hasFoldedAt } from '../../../language/values/case-fold.js';
import { internText } from '../../../language/values/intern.js';
import {
  coerceBool,
  coerceNumber,
  type NumberOperand,
  type Operand,
} from '../../../language/values/operand.js';
import { createChargedElementEquality, createChargedEquality } from '../frame/cost-model.js';
import { ABSENT } from '../frame/sentinels.js';
import {
  boolEquality,
  numberEquality,
  sameLengthTest,
  scalarEquality,
  textEquality,
  type QuickCheck,
} from '../quick/check.js';
import {
  coercionFailureOf,
  mismatch,
  type Refuse,
  type TestContext,
  type ValueTest,
} from '../frame/test-context.js';
import type { CheckRequest, OperatorBehaviour } from './behaviour.js';
import { takesText } from './affix.js';
import { keysOfAny, pointsOfAny } from './index-keys.js';
import { createEquality } from './literal-equality.js';
import { chooseOrder } from './order-check.js';
import { readerOf, refuseOdd, scaleOf } from '../frame/scale.js';
import { createLiteralTest } from './text-test.js';

/** `==`. */
export const equality: OperatorBehaviour = {
  createTest: (context, type, refuse) => createEqualityTest(context, type, refuse, false),
  chooseCheck,
  indexKeys: keysOfAny,
  indexRanges: pointsOfAny,
};

/**
 * Creates the test whether a value equals the literal. `isRepeated`: a row may have many such values, so the cost must be
 * charged.
 */
export function createEqualityTest(
  context: TestContext,
  type: Type,
  refuse: Refuse,
  isRepeated: boolean,
): ValueTest {
  const ofInstances = createInstanceTest(context, type, isRepeated);
  if (ofInstances !== null) return ofInstances;
  if (!isText(type)) return createCoercedTest(context, type, refuse);
  return createLiteralTest(context, isRepeated ? createChargedElementEquality : createChargedEquality);
}

/**
 * Returns the instance of the literal, if values of the type represent instances; null if strings or plain integers are compared.
 */
function instanceOf(type: Type, literal: Value | null): unknown {
  const kind = instanceKindOf(type);
  if (kind === null || literal === null || literal.ignoreCase) return null;
  if (!kind.isText && typeof coerceNumber(literal, 'int') !== 'string') return null;
  return kind.parse(literal.text);
}

function createInstanceTest(context: TestContext, type: Type, isRepeated: boolean): ValueTest | null {
  const instance = instanceOf(type, literalOf(context.match));
  const scale = scaleOf(type);
  if (instance === null || scale === null) return null;
  const read = readerOf(scale, context, isRepeated);
  return (value) => {
    const position = read(value);
    if (position === undefined) return refuseOdd(context, scale, value);
    return position !== ABSENT && scale.compare(position, instance) === 0;
  };
}

function createCoercedTest(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const kind = valueKindOf(type);
  const failure = coercionFailureOf(context, kind);
  if (failure !== null) return () => refuse(failure, kind);
  const test = createEquality(context.operand, kind);
  return (value) => test(value) ?? mismatch(context, value);
}

/** Whether `==` on this type with this literal compares only strings. */
export function comparesText(type: Type, node: MatchExpression): boolean {
  const literal = literalOf(node);
  if (literal === null || !isPlain(node) || type.nullDepth > 1) return false;
  const operand: Operand = literal;
  if (type.kind === 'any')
    return !isNumber(coerceNumber(operand, 'float64')) && typeof coerceBool(operand) !== 'boolean';
  return isText(type) && instanceOf(type, literal) === null;
}

/** Whether a match compares the value itself, not its length, with a literal verbatim. */
function isPlain({ aspect, value }: MatchExpression): boolean {
  return (
    aspect === 'value' &&
    value?.kind === 'value' &&
    value.wellFormed &&
    !value.ignoreCase &&
    value.form !== 'typed' &&
    value.form !== 'now'
  );
}

function chooseCheck(request: CheckRequest): QuickCheck | null {
  const { type, operand, node } = request;
  const { text } = operand;
  if (comparesText(type, node)) return { template: textEquality, operands: [internText(text)] };
  if (literalOf(node)?.ignoreCase === true)
    return takesText(type, literalOf(node)) ? chooseFolded(text) : null;
  if (instanceOf(type, literalOf(node)) !== null) return chooseOrder(request, '===');
  if (!isPlain(node)) return null;
  const kind = type.kind === 'any' ? 'any' : valueKindOf(type);
  switch (kind) {
    case 'any': {
      const number = coerceNumber(operand, 'float64');
      return isNumber(number)
        ? { template: scalarEquality, operands: [internText(text), number.double] }
        : chooseBool(operand);
    }
    case 'bool':
      return chooseBool(operand);
    case 'int':
    case 'uint':
    case 'float64': {
      const number = coerceNumber(operand, kind);
      // If no number equals the operand, no quick check is needed.
      if (!isNumber(number) || Number.isNaN(number.double)) return null;
      return { template: numberEquality, operands: [number.double] };
    }
    default:
      return null;
  }
}

/** Returns a case-insensitive check. Strings of different lengths are never equal, even ignoring case. */
function chooseFolded(text: string): QuickCheck {
  const folded = foldText(text);
  return {
    template: sameLengthTest,
    operands: [(value: string) => hasFoldedAt(value, folded, 0), folded.length],
  };
}

function chooseBool(operand: Operand): QuickCheck | null {
  const expected = coerceBool(operand);
  return typeof expected === 'boolean' ? { template: boolEquality, operands: [expected] } : null;
}

function isNumber(coerced: NumberOperand | string): coerced is NumberOperand {
  return typeof coerced === 'object';
}
