import { valueKindOf } from '../../schema/value-kind.js';
import type { Type } from '../../schema/type.js';
import { internText } from '../../values/intern.js';
import { coerceBool, coerceNumber, type NumberOperand, type Operand } from '../../values/operand.js';
import { createPaidEquality } from '../fare.js';
import {
  boolEquality,
  numberEquality,
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
} from '../test-context.js';
import type { CheckRequest, OperatorBehaviour } from './behaviour.js';
import { createEquality } from './literal-equality.js';
import { createLiteralTest } from './text-test.js';

/** `==`. */
export const equality: OperatorBehaviour = {
  createTest(context, type, refuse) {
    return isText(type)
      ? createLiteralTest(context, createPaidEquality)
      : createCoercedTest(context, type, refuse);
  },
  chooseCheck,
  indexKeys: ({ value, isMultiple, keyOf }) =>
    isMultiple ? null : [keyOf(value)].filter((key) => key !== null),
};

function isText({ kind }: Type): boolean {
  return kind === 'string' || kind === 'time';
}

function createCoercedTest(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const kind = valueKindOf(type);
  const failure = coercionFailureOf(context, kind);
  if (failure !== null) return () => refuse(failure, kind);
  const test = createEquality(context.operand, kind);
  return (value) => test(value) ?? mismatch(context, value);
}

/** Whether `==` on this type with this literal compares texts and nothing else. */
export function comparesText(type: Type, operand: Operand): boolean {
  if (!operand.wellFormed || type.nullDepth > 1) return false;
  if (type.kind === 'any')
    return !isNumber(coerceNumber(operand, 'float64')) && typeof coerceBool(operand) !== 'boolean';
  return isText(type);
}

function chooseCheck({ type, operand }: CheckRequest): QuickCheck | null {
  const text = internText(operand.text);
  if (comparesText(type, operand)) return { template: textEquality, operands: [text] };
  switch (type.kind) {
    case 'any': {
      const number = coerceNumber(operand, 'float64');
      return isNumber(number)
        ? { template: scalarEquality, operands: [text, number.double] }
        : chooseBool(operand);
    }
    case 'bool':
      return chooseBool(operand);
    case 'int':
    case 'uint':
    case 'float64': {
      const number = coerceNumber(operand, type.kind);
      // An operand that no number equals leaves nothing to be quick about.
      if (!isNumber(number) || Number.isNaN(number.double)) return null;
      return { template: numberEquality, operands: [number.double] };
    }
    default:
      return null;
  }
}

function chooseBool(operand: Operand): QuickCheck | null {
  const wanted = coerceBool(operand);
  return typeof wanted === 'boolean' ? { template: boolEquality, operands: [wanted] } : null;
}

function isNumber(coerced: NumberOperand | string): coerced is NumberOperand {
  return typeof coerced === 'object';
}
