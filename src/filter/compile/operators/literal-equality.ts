import { coercibleKindOf } from '../../../language/schema/value-kind.js';
import type { ValueKind } from '../../../language/values/kind.js';
import {
  coerceBool,
  coerceNumber,
  type CoercibleKind,
  type NumberOperand,
  type Operand,
} from '../../../language/values/operand.js';

/**
 * Creates a comparison with a coerced literal. It returns undefined for a value of another kind. The literal must be coercible to
 * the kind.
 */
export function createEquality(operand: Operand, kind: ValueKind): (value: unknown) => boolean | undefined {
  const coercible = coercibleKindOf(kind);
  if (coercible === null) return () => undefined;
  if (coercible === 'bool') return createBoolEquality(coerceBool(operand) === true);
  const coerced = coerceNumber(operand, coercible);
  if (typeof coerced === 'string') return () => undefined;
  return createNumberEquality(coerced, coercible);
}

function createBoolEquality(expected: boolean): (value: unknown) => boolean | undefined {
  return (value) => {
    if (typeof value === 'boolean') return value === expected;
    return value === null || value === undefined ? !expected : undefined;
  };
}

function createNumberEquality(
  { double, integer }: NumberOperand,
  kind: Exclude<CoercibleKind, 'bool'>,
): (value: unknown) => boolean | undefined {
  const isFloat = kind === 'float64' || kind === 'float32';
  const round = kind === 'float32' ? Math.fround : (value: number): number => value;
  return (value) => {
    if (typeof value === 'number') return round(value) === double;
    if (typeof value === 'bigint') return isFloat ? round(Number(value)) === double : value === integer;
    return value === null || value === undefined ? double === 0 : undefined;
  };
}
