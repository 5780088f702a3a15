import { literalOf } from '../../../language/syntax/ast.js';
import type { Type } from '../../../language/schema/type.js';
import { formOf } from '../../../language/operators/operators.js';
import { instanceKindOf, type InstanceKind } from '../../../language/values/instance/index.js';
import { readMillis, type Instant } from '../../../language/values/instance/time.js';
import {
  boundOf,
  comparatorOf,
  integerBound,
  integerOrder,
  numberOrder,
  readOrder,
  textOrder,
  sampleOf,
  type Bound,
  type Comparator,
} from '../quick/order-check.js';
import type { QuickCheck } from '../quick/check.js';
import { ABSENT } from '../frame/sentinels.js';
import { freeInstance } from '../frame/cost-model.js';
import { createTestContext, type TestContext } from '../frame/test-context.js';
import type { CheckRequest } from './behaviour.js';
import { placeLiteral, scaleOf, type Scale } from '../frame/scale.js';

/** Maximum length of a time that quick checks parse. Times with an offset and a fraction are shorter. */
const maxTimeLength = 40;
/** Matches characters for which UTF-16 order differs from byte order. */
const high = /[\ud800-\uffff]/;

export function testContextOf({ node, compileContext }: CheckRequest): TestContext {
  return createTestContext(node, formOf(node.operator).operator, null, compileContext);
}

/** Returns the check of an ordering, or of `==` with an instance. */
export function chooseOrder(request: CheckRequest, sign: Comparator): QuickCheck | null {
  const { node, type } = request;
  const literal = literalOf(node);
  if (literal === null) return null;
  const declared = type.kind === 'any' ? openTypeOf(literal.form === 'number') : type;
  const placed = placeLiteral(
    { ...testContextOf(request), isDynamic: type.kind === 'any' },
    declared,
    literal,
  );
  if ('fault' in placed || placed.position === ABSENT) return null;
  const { position } = placed;
  const kind = instanceKindOf(declared);
  if (kind !== null) return chooseInstanceOrder(request, kind, position, sign);
  if (typeof position === 'string')
    return high.test(position) ? null : { template: textOrder[sign], operands: [position] };
  const bound = declared.kind === 'float32' ? null : boundOf(sign, position as number | bigint);
  return bound === null ? null : { template: numberOrder[bound.sign], operands: [bound.double] };
}

function openTypeOf(isNumber: boolean): Type {
  return { kind: isNumber ? 'float64' : 'string', nullDepth: 0 };
}

function chooseInstanceOrder(
  { type, isRepeated }: CheckRequest,
  kind: InstanceKind,
  instance: unknown,
  sign: Comparator,
): QuickCheck | null {
  if (!kind.isText) {
    const unitBound = kind.inUnit(instance);
    const bound = unitBound === null ? null : integerBound(sign, unitBound);
    return bound === null ? null : { template: integerOrder[bound.sign], operands: [bound.double] };
  }
  // In a body, parsing a string as an instance is charged.
  if (isRepeated) return null;
  if (kind.name === 'time') {
    const bound = millisBound(sign, instance as Instant);
    return bound === null
      ? null
      : { template: readOrder[bound.sign], operands: [bound.double, readMillis, maxTimeLength] };
  }
  const scale = scaleOf(type);
  return scale === null ? null : sampleOf(createTrial(scale, sign, instance));
}

/** Returns the bound for strings that are parsed as whole milliseconds. */
function millisBound(sign: Comparator, instant: Instant): Bound | null {
  return integerBound(
    sign,
    typeof instant === 'number'
      ? { floor: instant, isExact: true }
      : { floor: instant.millis, isExact: instant.nanos === 0 },
  );
}

/** Returns a test of strings that represent values of the kind. */
function createTrial(
  scale: Scale,
  sign: Comparator,
  instance: unknown,
): (value: unknown) => boolean | undefined {
  const matches = comparatorOf<number>(sign);
  return sampleOn(scale, (position) => matches(scale.compare(position, instance), 0));
}

/**
 * Converts a test of values of a kind to a test of the strings that represent them. Long strings are left to the closures, which
 * charge.
 */
export function sampleOn(
  scale: Scale,
  matches: (position: unknown) => boolean,
): (value: unknown) => boolean | undefined {
  return (value) => {
    const position =
      typeof value === 'string' && value.length <= freeInstance ? scale.read(value) : undefined;
    return position === undefined ? undefined : matches(position);
  };
}
