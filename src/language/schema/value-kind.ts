import { isScalarKind, scalarKinds, type StorageKind, type ScalarKind } from '../values/instance/index.js';
import { kindOf, type ValueKind } from '../values/kind.js';
import type { CoercibleKind } from '../values/operand.js';
import type { ScalarType, Type } from './type.js';

/** Returns the kind of a present value of this type at level 0. For `any`, only the row shows it. */
export function valueKindOf(type: Type): ValueKind {
  if (type.nullDepth > 1) return 'pointer';
  const kind = storedKindOf(type);
  return kind === 'any' ? 'unsupported' : kind;
}

/** Whether the values of a type are strings. */
export function isText(type: Type): boolean {
  const kind = valueKindOf(type);
  return kind === 'string' || kind === 'time';
}

/** The kinds of stored values at level 0. */
export type StoredKind = StorageKind | Exclude<Type['kind'], ScalarKind>;

/** Returns the stored kind of a type: an integer if it has a unit, a string for an address. */
export function storedKindOf(type: Type): StoredKind {
  if (!isScalar(type)) return type.kind;
  return type.unit === undefined ? scalarKinds[type.kind].storedAs : 'int';
}

/** Whether a value is stored as the type declares: a string for a time without a unit, a number for one with a unit. */
export function isOfKind(value: unknown, type: Type): boolean {
  const kind = broadKinds[kindOf(value)];
  const expected = storedKindOf(type);
  return kind !== undefined && (expected === 'any' || kind === (broadKinds[expected] ?? expected));
}

const broadKinds: Readonly<Partial<Record<ValueKind, 'string' | 'number' | 'bool' | 'list' | 'map'>>> = {
  string: 'string',
  time: 'string',
  bool: 'bool',
  int: 'number',
  uint: 'number',
  float32: 'number',
  float64: 'number',
  list: 'list',
  array: 'list',
  map: 'map',
  struct: 'map',
};

function isScalar(type: Type): type is ScalarType {
  return isScalarKind(type.kind);
}

/** Returns the kind to which a literal is converted; null for kinds that use it as a string or not at all. */
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
