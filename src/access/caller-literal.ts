import { scalarGuard } from '../language/schema/scalar-guard.js';
import type { ScalarType, Type } from '../language/schema/type.js';
import type { MatchOperator, Value } from '../language/syntax/ast.js';
import { instanceKindOf, type InstanceKind } from '../language/values/instance/index.js';
import type { Duration } from '../language/values/instance/duration.js';
import type { Instant } from '../language/values/instance/time.js';
import { instantText } from '../filter/explain/instance-text.js';
import { isOrdering } from '../language/values/ordering.js';
import {
  createMatch,
  createMembership,
  numberLiteral,
  presence,
  textLiteral,
  type Residual,
  type Subject,
} from './terms.js';

/** The position of a caller's value among the values of a field: at a literal, or between the two nearest literals. */
export type Placement =
  | { readonly at: Value }
  /** Null if no value of the field's kind is below or above. */
  | { readonly below: Value | null; readonly above: Value | null };

/**
 * Returns where a caller's value is among the values of a field, exactly: kinds and units of the two may differ. Null if the value
 * is missing, of the wrong kind, or an instance that no literal denotes (a time outside the years 0 to 9999).
 */
export function place(field: Type, declared: Type, value: unknown): Placement | null {
  const type = declared.kind === 'any' ? dynamicType(value) : declared;
  if (type === null || !isValid(type, value)) return null;
  const instances = instanceKindOf(type);
  if (instances !== null) {
    const text = instanceText(instances, value);
    const own = instanceKindOf(field);
    return own?.name === instances.name && own.parse(text) !== null ? { at: textLiteral(text) } : null;
  }
  if (type.kind === 'string') return field.kind === 'string' ? { at: textLiteral(String(value)) } : null;
  if (type.kind === 'bool') return field.kind === 'bool' ? { at: textLiteral(String(value)) } : null;
  const number = type.kind === 'float32' ? Math.fround(Number(value)) : (value as number | bigint);
  return placeNumber(field.kind, number);
}

/** Returns the raw string of a caller's value for operators that compare strings; null if it is not one. */
export function stringOf(own: Type, value: unknown): string | null {
  return typeof value === 'string' && (own.kind === 'any' || isValid(own, value)) ? value : null;
}

/** Whether a value is of its declared kind. NaN is not: it has no position in the order of numbers. */
function isValid(type: Type, value: unknown): boolean {
  return !Number.isNaN(value) && scalarGuard(type as ScalarType)(value);
}

function dynamicType(value: unknown): Type | null {
  switch (typeof value) {
    case 'string':
      return { kind: 'string', nullDepth: 0 };
    case 'boolean':
      return { kind: 'bool', nullDepth: 0 };
    case 'number':
    case 'bigint':
      return { kind: typeof value === 'bigint' ? 'int' : 'float64', nullDepth: 0 };
    default:
      return null;
  }
}

/** Returns a literal that denotes the instance in every unit; an empty string if there is none. */
function instanceText(kind: InstanceKind, value: unknown): string {
  const instance = kind.read(value);
  if (instance === null) return '';
  switch (kind.name) {
    case 'time':
      return instantText(instance as Instant);
    case 'duration':
      return `${instance as Duration}ns`;
    case 'bytes':
      return `${String(instance)}B`;
    default:
      return String(value);
  }
}

function placeNumber(kind: Type['kind'], value: number | bigint): Placement | null {
  switch (kind) {
    case 'int':
      return placeInteger(value, -(2n ** 63n), 2n ** 63n - 1n);
    case 'uint':
      return placeInteger(value, 0n, 2n ** 64n - 1n);
    case 'float32':
      return placeFloat(value, Math.fround, nextFloat32);
    case 'float64':
      return placeFloat(value, (near) => near, nextFloat64);
    default:
      return null;
  }
}

function placeInteger(value: number | bigint, min: bigint, max: bigint): Placement {
  if (value < min) return { below: null, above: numberLiteral(min) };
  if (value > max) return { below: numberLiteral(max), above: null };
  const floor = typeof value === 'bigint' ? value : BigInt(Math.floor(value));
  if (typeof value === 'bigint' || Number.isInteger(value)) return { at: numberLiteral(floor) };
  return {
    below: floor < min ? null : numberLiteral(floor),
    above: floor + 1n > max ? null : numberLiteral(floor + 1n),
  };
}

function placeFloat(
  value: number | bigint,
  round: (value: number) => number,
  next: (value: number, step: 1 | -1) => number,
): Placement {
  const near = round(Number(value));
  if (near > value) return { below: numberLiteral(next(near, -1)), above: numberLiteral(near) };
  if (near < value) return { below: numberLiteral(near), above: numberLiteral(next(near, 1)) };
  return { at: numberLiteral(near) };
}

/** Returns the next larger (1) or smaller (-1) float64. */
function nextFloat64(value: number, step: 1 | -1): number {
  if (value === 0) return step * Number.MIN_VALUE;
  const bits = new BigInt64Array(1);
  const floats = new Float64Array(bits.buffer);
  floats[0] = value;
  bits[0] = (bits[0] ?? 0n) + BigInt(value > 0 ? step : -step);
  return floats[0] ?? NaN;
}

/** Returns the next larger (1) or smaller (-1) float32. */
function nextFloat32(value: number, step: 1 | -1): number {
  if (value === 0) return step * 2 ** -149;
  const bits = new Int32Array(1);
  const floats = new Float32Array(bits.buffer);
  floats[0] = value;
  bits[0] = (bits[0] ?? 0) + (value > 0 ? step : -step);
  return floats[0] ?? NaN;
}

/** Returns the comparison of a field with a caller's value. */
export function compareWith(subject: Subject, operator: MatchOperator, placement: Placement): Residual {
  if ('at' in placement) {
    if (isOrdering(operator)) return createMatch(subject, operator, placement.at);
    return createMembership(subject, [placement.at], operator === '==');
  }
  if (!isOrdering(operator)) return operator === '!=' && presence(subject);
  const isBelow = operator === '<' || operator === '<=';
  const [bound, other] = isBelow ? [placement.below, placement.above] : [placement.above, placement.below];
  if (bound === null) return false;
  return other === null ? presence(subject) : createMatch(subject, isBelow ? '<=' : '>=', bound);
}
