import type { Type } from '../../language/schema/type.js';
import { anyType, intType } from '../../language/schema/type.js';
import { valueKindOf } from '../../language/schema/value-kind.js';
import { countCodePoints } from '../../language/values/code-points.js';
import { isMap, sizeOfMap } from '../../language/values/data.js';
import { goKindName, kindOf } from '../../language/values/kind.js';
import { chargeKeys, chargeOwnText, freeText } from './frame/cost-model.js';
import { lengthDiagnostic } from '../../language/schema/form-diagnostics.js';
import { hasNoZero } from './frame/scale.js';
import {
  mismatch,
  refuseValue,
  throwMatchError,
  type Refuse,
  type TestContext,
  type ValueTest,
} from './frame/test-context.js';
import { createTypedTest } from './value-test.js';

/** Creates the test of a length for values of a type. */
export function createLengthTest(context: TestContext, type: Type): ValueTest {
  const measure = createMeasure(context, type);
  const test = createTypedTest(context, intType);
  return (value) => {
    const length = measure(value);
    return typeof length === 'number' ? test(length) : length;
  };
}

/** Returns the length of a value. For a value without a length, returns the result of the match. */
export type Measure = (value: unknown) => number | boolean;

/** Creates the function for `len(...)`: elements of a list, keys of a map, code points of a string. */
export function createMeasure(context: TestContext, type: Type | null): Measure {
  const chargeKeysOf = chargeKeys(context.match, context.compileContext);
  const chargeText = createTextCost(context);
  const refuse: Refuse =
    type === null || type.kind === 'any'
      ? (diagnostic, kind) => refuseValue(context, diagnostic, kind)
      : (diagnostic, kind) => throwMatchError(context, diagnostic, kind);
  const declared = type ?? anyType;
  const kind = valueKindOf(declared);
  const isDynamic = declared.kind === 'any';
  const hasLength = isDynamic || measured.has(kind);
  if (!hasLength) return () => refuse(lengthDiagnostic(context.match, goKindName(kind)), kind);
  // An absent list is empty. Null is absent if the value is nullable.
  const ofNil =
    isDynamic || declared.nullDepth > 0 || hasNoZero(declared)
      ? context.operator.whenAbsent
      : lengthOfNil(declared);
  return (value) => {
    if (value === null || value === undefined) return ofNil;
    const own = kindOf(value);
    if (!isDynamic && !fits(own, kind)) return mismatch(context, value);
    if (declared.kind === 'array') return declared.length;
    if (typeof value === 'string') {
      chargeText(value.length);
      return countCodePoints(value);
    }
    if (Array.isArray(value)) return value.length;
    if (!isMap(value)) return refuse(lengthDiagnostic(context.match, goKindName(own)), own);
    const { size, keys } = sizeOfMap(value);
    chargeKeysOf(keys);
    return size;
  };
}

const measured: ReadonlySet<string> = new Set(['string', 'time', 'list', 'array', 'map']);

function fits(own: string, declared: string): boolean {
  if (declared === 'time') return own === 'string';
  return own === (declared === 'array' ? 'list' : declared);
}

function lengthOfNil(type: Type): number {
  return type.kind === 'array' ? type.length : 0;
}

function createTextCost({ match, compileContext }: TestContext): (length: number) => void {
  const { meter, loopVariables } = compileContext;
  if (loopVariables.length > 0) return meter.chargeOf(match).text;
  const chargeOwn = chargeOwnText(meter, match);
  return (length) => {
    if (length > freeText) chargeOwn(length);
  };
}
