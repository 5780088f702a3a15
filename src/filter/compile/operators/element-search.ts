import { coercionDiagnostic, elementDiagnostic } from '../../../language/schema/semantic-diagnostics.js';
import { elementTypeOf, anyType, type Type } from '../../../language/schema/type.js';
import { coercibleKindOf, valueKindOf } from '../../../language/schema/value-kind.js';
import { asData } from '../../../language/values/data.js';
import { kindOf, type ValueKind } from '../../../language/values/kind.js';
import { coercionFailure } from '../../../language/values/operand.js';
import { instanceKindOf } from '../../../language/values/instance/index.js';
import { createEqualityTest } from './equality.js';
import { createEquality } from './literal-equality.js';
import { createChargedElementEquality, searchCost } from '../frame/cost-model.js';
import { hasNoZero } from '../frame/scale.js';
import { isUnknownValue } from '../frame/sentinels.js';
import { stringLiteralOf } from './text-test.js';
import { createFixedArray } from '../frame/fixed-array.js';
import {
  coercionFailureOf,
  refuseValue,
  takesNull,
  type Refuse,
  type TestContext,
  type ValueTest,
} from '../frame/test-context.js';

/** Go's string for a nil pointer. A nil element of a list of nullable strings equals it. */
const nilText = '<invalid Value>';

/** Creates the test for `in` a list: whether one of its elements equals the literal. The first equal element ends the search. */
export function createElementSearch(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const search = createSearch(context, elementTypeOf(type) ?? anyType, refuse);
  if (type.kind !== 'array') return search;
  const fix = createFixedArray(type);
  return (value) => search(fix(value));
}

function createSearch(context: TestContext, of: Type, refuse: Refuse): ValueTest {
  const kind = valueKindOf(of);
  if (of.kind === 'any') return searchWith(context, createDynamicEquality(context));
  if (kind !== 'pointer' && instanceKindOf(of) !== null)
    return searchWith(context, createKindEquality(context, of, refuse));
  if (kind === 'string') return searchWith(context, createTextEquality(context, of.nullDepth > 0));
  if (coercibleKindOf(kind) === null) {
    const diagnostic = elementDiagnostic(context.match, kind);
    return () => refuse(diagnostic, kind);
  }
  // The literal is coerced before the list is read, so that an invalid literal also fails for an empty list.
  const failure = coercionFailureOf(context, kind);
  if (failure !== null) return () => refuse(failure, kind);
  return searchWith(context, createScalarEquality(context, kind, of.nullDepth > 0));
}

/** Whether an element equals the literal. */
type ElementEquality = (element: unknown) => boolean;

function searchWith(context: TestContext, ofElement: ElementEquality): ValueTest {
  const { resultIfUnknown } = context;
  const equals: ElementEquality =
    resultIfUnknown === null
      ? ofElement
      : (element) => (isUnknownValue(element) ? resultIfUnknown : ofElement(element));
  const { budget, element } = searchCost(context.match, context.compileContext);
  return (value) => {
    if (value === null || value === undefined) return false;
    if (!Array.isArray(value)) return refuseElement(context, kindOf(value));
    const list: readonly unknown[] = value;
    const { length } = list;
    const outer = budget.open();
    try {
      for (let index = 0; index < length; index += 1) {
        element(index);
        if (equals(asData(list[index]))) return true;
      }
      return false;
    } finally {
      budget.close(outer);
    }
  };
}

function refuseElement(context: TestContext, kind: ValueKind): boolean {
  return refuseValue(context, elementDiagnostic(context.match, kind), kind);
}

function createTextEquality(context: TestContext, isNullable: boolean): ElementEquality {
  const { text, wellFormed } = context.operand;
  const nil = isNullable ? nilText : '';
  const equals = createChargedElementEquality(
    stringLiteralOf(context.match),
    context.match,
    context.compileContext,
  );
  return (element) => {
    if (typeof element === 'string') return wellFormed && equals(element);
    return element === null || element === undefined ? nil === text : refuseElement(context, kindOf(element));
  };
}

/** Creates the comparison of elements that represent instances. They are compared as by `==`, even absent ones. */
function createKindEquality(context: TestContext, of: Type, refuse: Refuse): ElementEquality {
  const equals = createEqualityTest(context, of, refuse, true);
  if (of.nullDepth === 0 && !hasNoZero(of)) return equals;
  const isMistake = of.nullDepth > 0 && !takesNull(context);
  return (element) => {
    if (element !== null && element !== undefined) return equals(element);
    return isMistake && refuseElement(context, 'nil');
  };
}

function createScalarEquality(context: TestContext, kind: ValueKind, isNullable: boolean): ElementEquality {
  const equals = createEquality(context.operand, kind);
  return (element) => {
    if (isNullable && (element === null || element === undefined)) return refuseElement(context, 'nil');
    return equals(element) ?? refuseElement(context, kindOf(element));
  };
}

/**
 * Creates the comparison for elements of mixed kinds. Each is compared in its own kind, and skipped if the literal cannot be
 * coerced to that kind.
 */
function createDynamicEquality(context: TestContext): ElementEquality {
  const { wellFormed } = context.operand;
  const equals = createChargedElementEquality(
    stringLiteralOf(context.match),
    context.match,
    context.compileContext,
  );
  const asBool = createDynamicScalarEquality(context, 'bool');
  const asInt = createDynamicScalarEquality(context, 'int');
  const asFloat = createDynamicScalarEquality(context, 'float64');
  return (element) => {
    const kind = kindOf(element);
    switch (kind) {
      case 'string':
        return wellFormed && equals(element as string);
      case 'bool':
        return asBool(element);
      case 'int':
        return asInt(element);
      case 'float64':
        return asFloat(element);
      default:
        return refuseValue(context, elementDiagnostic(context.match, kind, ' in interface slice'), kind);
    }
  };
}

function createDynamicScalarEquality(
  context: TestContext,
  kind: 'bool' | 'int' | 'float64',
): ElementEquality {
  const failure = coercionFailure(context.operand, kind);
  // Only strings can be compared ignoring case.
  if (failure === 'syntax' || stringLiteralOf(context.match).ignoreCase) return () => false;
  if (failure === 'range') {
    const diagnostic = coercionDiagnostic(context.match, kind, failure, 'coerce-range-any-list');
    return () => refuseValue(context, diagnostic, kind);
  }
  const equals = createEquality(context.operand, kind);
  return (element) => equals(element) === true;
}
