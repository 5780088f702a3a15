import type { Type } from '../../../language/schema/type.js';

/**
 * Gives values of an array type their declared length: what a row leaves out are zero elements. Values of other types,
 * and rows that hold the whole array, pass as they are.
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
