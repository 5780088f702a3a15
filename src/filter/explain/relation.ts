import { placeLiteral, scaleOf, type Scale } from '../compile/frame/scale.js';
import { ABSENT } from '../compile/frame/sentinels.js';
import type { TestContext } from '../compile/frame/test-context.js';
import { intType, type Type } from '../../language/schema/type.js';
import { countCodePoints } from '../../language/values/code-points.js';
import { equalsFolded, foldText } from '../../language/values/case-fold.js';
import { isMap, sizeOfMap } from '../../language/values/data.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import type { Instant } from '../../language/values/instance/time.js';
import { kindOf } from '../../language/values/kind.js';
import { literalsOf, type Value } from '../../language/syntax/ast.js';
import { instantText } from './instance-text.js';
import { quoteText } from './observed-value.js';
import type { ComparedLiteral, Precedence } from './explanation.js';

/** Returns the result of `len(...)` for a value that has a length; null for others. */
export function lengthOf(value: unknown, type: Type | null): number | null {
  if (type?.kind === 'array') return type.length;
  if (typeof value === 'string') return countCodePoints(value);
  if (Array.isArray(value)) return value.length;
  return isMap(value) ? sizeOfMap(value).size : null;
}

/**
 * Returns the type as which a value is compared: the declared type, or else that of its own kind. Null for values that cannot be
 * compared.
 */
export function comparedType(value: unknown, declared: Type | null): Type | null {
  if (declared !== null && declared.kind !== 'any') return declared;
  const kind = kindOf(value);
  if (kind === 'int') return intType;
  return kind === 'string' || kind === 'float64' || kind === 'bool' ? { kind, nullDepth: 0 } : null;
}

/** The relation between a value and a literal, and the meaning of the literal. */
export interface LiteralRelation {
  readonly literal: ComparedLiteral;
  readonly order: Precedence | null;
}

/** Returns the relation of a value to the literal; the order is null if nothing was compared. */
export function relateToLiteral(
  context: TestContext,
  literal: Value,
  value: unknown,
  type: Type,
): LiteralRelation | null {
  const scale = scaleOf(type);
  const placed = scale === null ? null : placeLiteral(context, type, literal);
  if (scale === null || placed === null || 'fault' in placed || placed.position === ABSENT) return null;
  const own = scale.read(value);
  const order = own === undefined || own === ABSENT ? null : orderOf(scale.compare(own, placed.position));
  return { literal: describeLiteral(literal, placed.position, scale, type), order };
}

/** Returns the relation between two values of a row. */
export function relateToValue(
  value: unknown,
  type: Type | null,
  other: unknown,
  of: Type | null,
): Precedence | null {
  const [left, right] = [comparedType(value, type ?? null), comparedType(other, of ?? null)];
  if (left === null || right === null) return null;
  const isDynamic = type === null || type.kind === 'any';
  // If it is compared with an instance field, a value of undeclared kind is parsed as an instance.
  const scale = scaleOf(isDynamic && instanceKindOf(right) !== null ? right : left);
  const otherScale = scaleOf(
    (of === null || of.kind === 'any') && instanceKindOf(left) !== null ? left : right,
  );
  if (scale === null || otherScale?.family !== scale.family) return null;
  const [own, operand] = [scale.read(value), otherScale.read(other)];
  if (own === undefined || own === ABSENT || operand === undefined || operand === ABSENT) return null;
  return orderOf(scale.sort(own, operand));
}

/** Returns the index of the list element that a value equals or that contains it; null if none exists. */
export function findElement(context: TestContext, value: unknown, type: Type): number | null {
  const scale = scaleOf(type);
  const own = scale?.read(value);
  if (scale === null || own === undefined || own === ABSENT) return null;
  const index = literalsOf(context.match).findIndex((literal) => {
    const block = scale.kind?.blocks?.parse(literal.text) ?? null;
    if (block !== null) return scale.kind?.blocks?.storedAs(block, own);
    if (literal.ignoreCase) return typeof own === 'string' && equalsFolded(own, foldText(literal.text));
    const placed = placeLiteral(context, type, literal);
    return 'position' in placed && placed.position !== ABSENT && scale.compare(own, placed.position) === 0;
  });
  return index === -1 ? null : index;
}

/** Returns a literal that denotes an instance of the type: an instant for times, the literal as written for other kinds. */
export function instanceLiteral(literal: Value, type: Type): ComparedLiteral | null {
  const kind = instanceKindOf(type);
  const instance = kind === null || literal.ignoreCase ? null : kind.parse(literal.text);
  if (kind === null || instance === null) return null;
  const text = kind.name === 'time' ? instantText(instance as Instant) : literal.text;
  return { kind: kind.name, text, ignoreCase: false };
}

function describeLiteral(literal: Value, position: unknown, { kind }: Scale, type: Type): ComparedLiteral {
  // Orderings are case-sensitive.
  const ignoreCase = false;
  if (kind !== null) {
    const text = kind.name === 'time' ? instantText(position as Instant) : literal.text;
    return { kind: kind.name, text, ignoreCase };
  }
  if (typeof position === 'string') return { kind: 'string', text: quoteText(position), ignoreCase };
  return { kind: type.kind as 'int' | 'uint' | 'float32' | 'float64', text: String(position), ignoreCase };
}

function orderOf(sign: number): Precedence | null {
  if (Number.isNaN(sign)) return null;
  return sign < 0 ? 'less' : sign > 0 ? 'more' : 'equal';
}
