import { formOf } from '../../language/operators/operators.js';
import { elementTypeOf, type Type } from '../../language/schema/type.js';
import { coercibleKindOf, valueKindOf } from '../../language/schema/value-kind.js';
import { literalOf, type MatchExpression, type Value } from '../../language/syntax/ast.js';
import type { ValueKind } from '../../language/values/kind.js';
import { coerceBool, coerceNumber, type CoercibleKind } from '../../language/values/operand.js';
import type { ComparedLiteral } from './explanation.js';
import { quoteText, type ObservedValue } from './observed-value.js';
import { instanceLiteral } from './relation.js';

/**
 * Returns the literal of a match as it is compared with the value; null if none exists or nothing was compared. `type` is the
 * declared type of the value, or null.
 */
export function comparedLiteral(
  match: MatchExpression,
  observed: ObservedValue,
  type: Type | null,
  isIndex: boolean,
): ComparedLiteral | null {
  const value = literalOf(match);
  if (value === null || observed.kind === 'absent') return null;
  const { ignoreCase } = value;
  const { operand, equates } = formOf(match.operator).operator;
  if (operand.language !== null) return { kind: operand.language, text: quoteText(value.text), ignoreCase };
  if (observed.kind === 'list' || observed.kind === 'array') {
    const of = elementTypeOf(type);
    return of === null || of.kind === 'any'
      ? { kind: 'any', text: quoteText(value.text), ignoreCase }
      : (asInstance(value, of) ?? inKind(value, valueKindOf(of)));
  }
  const instance = type === null || equates !== 'value' ? null : asInstance(value, type);
  if (instance !== null) return instance;
  if (observed.kind === 'map') return { kind: 'string', text: quoteText(value.text), ignoreCase };
  return inKind(value, isIndex && observed.kind === 'float64' ? 'int' : observed.kind);
}

/**
 * Returns the instance that a literal denotes. Null for a plain integer if rows contain integers, because these are compared as
 * integers.
 */
function asInstance(value: Value, type: Type): ComparedLiteral | null {
  const isPlain = valueKindOf(type) === 'int' && typeof coerceNumber(value, 'int') !== 'string';
  return isPlain ? null : instanceLiteral(value, type);
}

function inKind(value: Value, kind: ValueKind): ComparedLiteral | null {
  if (kind === 'string' || kind === 'time')
    return { kind, text: quoteText(value.text), ignoreCase: value.ignoreCase };
  const coercible = coercibleKindOf(kind);
  const text = coercible === null ? null : coercedText(value, coercible);
  return coercible === null || text === null ? null : { kind: coercible, text, ignoreCase: false };
}

/** Returns the literal converted to the kind: `70` for `0x46`; null if it cannot be converted. */
function coercedText(value: Value, kind: CoercibleKind): string | null {
  if (kind === 'bool') {
    const bool = coerceBool(value);
    return typeof bool === 'boolean' ? String(bool) : null;
  }
  const number = coerceNumber(value, kind);
  return typeof number === 'string' ? null : String(number.integer ?? number.double);
}
