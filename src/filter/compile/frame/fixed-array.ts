import type { Type } from '../../../language/schema/type.js';

/**
 * Returns a function that pads array values to their declared length with zero elements. Complete arrays and values of other
 * types are unchanged.
 */
export function createFixedArray(type: Type): (value: unknown) => unknown {
  if (type.kind !== 'array') return (value) => value;
  const { length } = type;
  const zeros: readonly unknown[] = Object.freeze(Array.from({ length }, () => undefined));
  return (value) => {
    if (value === null || value === undefined) return zeros;
    if (!Array.isArray(value) || value.length >= length) return value;
    return [...(value as unknown[]), ...zeros.slice(value.length)];
  };
}
