import type { ValueKind } from '../values/kind.js';
import type { CoercibleKind } from '../values/operand.js';
import type { Type } from './type.js';

/** The kind that operators see in a present value of this type. A value of type `any` shows it only in the row. */
export function valueKindOf(type: Type): ValueKind {
  if (type.nullDepth > 1) return 'pointer';
  return type.kind === 'any' ? 'unsupported' : type.kind;
}

/** The kind that a literal is coerced to, null for kinds that take it as text or not at all. */
export function coercibleKindOf(kind: ValueKind): CoercibleKind | null {
  switch (kind) {
    case 'int':
    case 'uint':
    case 'float32':
    case 'float64':
    case 'bool':
      return kind;
    default:
      return null;
  }
}
