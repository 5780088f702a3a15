import { coercibleKindOf, valueKindOf } from '../schema/value-kind.js';
import type { Type } from '../schema/type.js';
import type { Value } from '../syntax/ast.js';
import { coerceBool, coerceNumber, type CoercibleKind } from '../values/operand.js';

const coercibleKinds: readonly CoercibleKind[] = ['bool', 'int', 'uint', 'float32', 'float64'];

/** Whether one value could equal both literals: `1` and `"0x1"` are the same integer, `1` and `true` the same boolean. */
export function mayBothEqual(a: Value, b: Value, type: Type | null): boolean {
  if (a.text === b.text) return true;
  if (type === null || type.kind === 'any') return coercibleKinds.some((kind) => areEqual(a, b, kind));
  const kind = coercibleKindOf(valueKindOf(type));
  return kind !== null && areEqual(a, b, kind);
}

function areEqual(a: Value, b: Value, kind: CoercibleKind): boolean {
  if (kind === 'bool') {
    const first = coerceBool(a);
    return typeof first === 'boolean' && first === coerceBool(b);
  }
  const first = coerceNumber(a, kind);
  const second = coerceNumber(b, kind);
  if (typeof first === 'string' || typeof second === 'string') return false;
  return first.integer === null || second.integer === null
    ? first.double === second.double
    : first.integer === second.integer;
}
