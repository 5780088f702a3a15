import { instanceKindOf, type InstanceKind } from '../../../language/values/instance/index.js';
import { coercionDiagnostic, kindDiagnostic } from '../../../language/schema/semantic-diagnostics.js';
import type { SemanticFault } from '../../../language/diagnostics/errors.js';
import type { Type } from '../../../language/schema/type.js';
import { coercibleKindOf, valueKindOf } from '../../../language/schema/value-kind.js';
import type { Value } from '../../../language/syntax/ast.js';
import { withArticle } from '../../../language/syntax/wording.js';
import { requiresOrder } from '../../../language/operators/operator.js';
import { coerceNumber } from '../../../language/values/operand.js';
import { compareBytewise } from '../../../language/values/utf8-order.js';
import { isClock } from '../../../language/schema/clock-literal.js';
import { readClock } from './clock.js';
import { chargeReading } from './cost-model.js';
import {
  badLiteralDiagnostic,
  ignoreCaseDiagnostic,
  oddInstanceDiagnostic,
} from '../../../language/schema/form-diagnostics.js';
import { ABSENT, isNil } from './sentinels.js';
import { mismatch, refuseValue, type TestContext } from './test-context.js';

/** Converts values of a type to positions that can be compared: numbers, strings, or the instances they represent. */
export interface Scale {
  /** Kind of positions. Values of two types can be compared if their scales have the same family. */
  readonly family: 'number' | 'string' | 'bool' | InstanceKind['name'];
  readonly kind: InstanceKind | null;
  /** Returns the position of a row's value: ABSENT if there is no value, undefined if it does not match the type. */
  readonly read: (value: unknown) => unknown;
  /**
   * Compares a position with an operand: negative, zero or positive; NaN if they have no order. Only the operand may omit parts,
   * such as a port.
   */
  readonly compare: (position: unknown, operand: unknown) => number;
  /** Compares the positions of two values of rows, neither of which omits parts. */
  readonly sort: (position: unknown, other: unknown) => number;
}

/** Returns the scale of a type; null if its values cannot be compared. */
export function scaleOf(type: Type): Scale | null {
  if (type.nullDepth > 1) return null;
  const instances = instanceKindOf(type);
  if (instances !== null) return instanceScale(instances);
  switch (type.kind) {
    case 'string':
      return textScale;
    case 'bool':
      return boolScale;
    case 'int':
    case 'uint':
    case 'float64':
      return exactScale;
    case 'float32':
      return float32Scale;
    default:
      return null;
  }
}

function compareTexts(a: unknown, b: unknown): number {
  return compareBytewise(a as string, b as string);
}

function compareBools(a: unknown, b: unknown): number {
  return Number(a) - Number(b);
}

/** Compares two numbers exactly, including a number with a bigint. */
function compareNumbers(a: unknown, b: unknown): number {
  const [left, right] = [a as number | bigint, b as number | bigint];
  if (left < right) return -1;
  if (left > right) return 1;
  return left <= right ? 0 : NaN;
}

const textScale: Scale = {
  family: 'string',
  kind: null,
  read: (value) => (typeof value === 'string' ? value : isNil(value) ? '' : undefined),
  compare: compareTexts,
  sort: compareTexts,
};

const boolScale: Scale = {
  family: 'bool',
  kind: null,
  read: (value) => (typeof value === 'boolean' ? value : isNil(value) ? false : undefined),
  compare: compareBools,
  sort: compareBools,
};

const exactScale: Scale = {
  family: 'number',
  kind: null,
  read: (value) =>
    typeof value === 'number' || typeof value === 'bigint' ? value : isNil(value) ? 0 : undefined,
  compare: compareNumbers,
  sort: compareNumbers,
};

const float32Scale: Scale = {
  ...exactScale,
  read: (value) =>
    typeof value === 'number' || typeof value === 'bigint'
      ? Math.fround(Number(value))
      : isNil(value)
        ? 0
        : undefined,
};

/** Maximum length of a string that is parsed as an instance. All realistic values are shorter. */
const maxInstanceLength = 256;

function instanceScale(kind: InstanceKind): Scale {
  const zero = kind.zero ?? ABSENT;
  return {
    family: kind.name,
    kind,
    read(value) {
      if (isNil(value)) return zero;
      if (typeof value === 'string' && value.length > maxInstanceLength) return undefined;
      return kind.read(value) ?? undefined;
    },
    compare: kind.compare,
    sort: kind.sort,
  };
}

/**
 * Returns a function that reads values on a scale. Parsing an instance is charged if a row may have many (`isRepeated`, or in the
 * body of a collection). Otherwise only long strings and integers are charged.
 */
export function readerOf(
  { kind, read }: Scale,
  { match, compileContext }: TestContext,
  isRepeated = false,
): Scale['read'] {
  const isOneOfMany = isRepeated || compileContext.loopVariables.length > 0;
  if (kind === null) return read;
  const charge = chargeReading(kind, match, compileContext, isOneOfMany);
  return (value) => {
    if (typeof value !== 'string' || value.length <= maxInstanceLength) charge(value);
    return read(value);
  };
}

/** Whether a missing field of the type is absent, because the type has no zero value. */
export function hasNoZero(type: Type): boolean {
  return instanceKindOf(type)?.zero === null;
}

/** Returns the result of a match for a value without a position on the scale, or throws. */
export function refuseOdd(context: TestContext, scale: Scale | null, value: unknown): boolean {
  const kind = scale?.kind ?? null;
  if (kind === null || (kind.isText ? typeof value !== 'string' : !isNumber(value)))
    return mismatch(context, value);
  const found = typeof value === 'string' ? 'string' : 'float64';
  return refuseValue(context, oddInstanceDiagnostic(context.match.selector, kind), found);
}

export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The position of a literal on a scale (ABSENT for invalid UTF-8), or the reason why the literal does not fit the type. */
export type Placed = { readonly position: unknown } | { readonly fault: SemanticFault };

/** Returns the position of a literal that is compared with values of the type. */
export function placeLiteral(context: TestContext, type: Type, literal: Value): Placed {
  const { match, operator, compileContext, isDynamic } = context;
  const { text, form, ignoreCase, wellFormed } = literal;
  if (ignoreCase && (type.kind !== 'string' || !operator.operand.acceptsIgnoreCase))
    return { fault: ignoreCaseDiagnostic(match, literal) };
  const instances = instanceKindOf(type);
  if (instances !== null) {
    const position = isClock(literal, operator.operand, type)
      ? readClock(literal, compileContext.now ?? 0)
      : instances.parse(text);
    return position === null
      ? { fault: badLiteralDiagnostic(match, literal, instances.expected) }
      : { position };
  }
  const kind = valueKindOf(type);
  if (form === 'typed' || form === 'now')
    return { fault: badLiteralDiagnostic(match, literal, withArticle(kind)) };
  const isText = type.kind === 'string';
  // Without a schema, numbers are compared with numbers and strings with strings.
  if (isDynamic && isText === (form === 'number'))
    return { fault: kindDiagnostic(match, operator.refusal.code, kind) };
  if (isText) return { position: wellFormed ? text : ABSENT };
  const coercible = coercibleKindOf(kind);
  if (coercible === null || coercible === 'bool')
    return { fault: kindDiagnostic(match, operator.refusal.code, kind) };
  // Without a schema, orderings compare integers of any size exactly.
  if (isDynamic && requiresOrder(operator) && !text.includes('.'))
    return { position: smallest(BigInt(text)) };
  const integer = coerceNumber(literal, coercible);
  // Without a schema, a bigint is compared with any number.
  const number = isDynamic && typeof integer === 'string' ? coerceNumber(literal, 'float64') : integer;
  if (typeof number === 'string')
    return { fault: coercionDiagnostic({ ...match, value: literal }, coercible, number) };
  return { position: Number.isNaN(number.double) ? (number.integer ?? NaN) : number.double };
}

/** Returns an integer as a number if it can be represented exactly, else as a bigint. */
function smallest(integer: bigint): number | bigint {
  const double = Number(integer);
  return double <= integer && double >= integer ? double : integer;
}
