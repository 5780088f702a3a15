import { fitsInt64 } from '../values/go-number.js';
import { instanceKindOf } from '../values/instance/index.js';
import type { ValueKind } from '../values/kind.js';
import type { ScalarType } from './type.js';
import { valueKindOf } from './value-kind.js';

const maxUint64 = 2n ** 64n - 1n;

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';

/**
 * The guard for values of scalar types. A string of a kind introduced with level 1 must be valid; one of level 0, such as a time,
 * may be any string.
 */
export function scalarGuard(type: ScalarType): (value: unknown) => boolean {
  const instances = type.kind === 'time' ? null : instanceKindOf(type);
  if (instances?.isText === true) return (value) => instances.read(value) !== null;
  const kind = valueKindOf(type);
  if (type.safe === true)
    return (value) => Number.isSafeInteger(value) && (kind === 'int' || Number(value) >= 0);
  return kind in scalarGuards ? scalarGuards[kind as keyof typeof scalarGuards] : () => false;
}

const scalarGuards = {
  string: isText,
  time: isText,
  bool: (value) => typeof value === 'boolean',
  int: (value) => (typeof value === 'bigint' ? fitsInt64(value) : Number.isSafeInteger(value)),
  uint: (value) =>
    typeof value === 'bigint'
      ? value >= 0n && value <= maxUint64
      : Number.isSafeInteger(value) && Number(value) >= 0,
  float32: isNumber,
  float64: isNumber,
} as const satisfies Partial<Record<ValueKind, (value: unknown) => boolean>>;
