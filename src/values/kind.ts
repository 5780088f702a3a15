import { fitsInt64 } from './go-number.js';

/**
 * The kinds that operators tell apart. Data without a schema has the first eight; `uint`, `float32`, `time`, `array`
 * and `struct` exist only where a schema declares them, `pointer` is what a pointer to a pointer looks like.
 */
export type ValueKind =
  | 'nil'
  | 'string'
  | 'bool'
  | 'int'
  | 'float64'
  | 'list'
  | 'map'
  | 'unsupported'
  | 'uint'
  | 'float32'
  | 'time'
  | 'array'
  | 'struct'
  | 'pointer';

/**
 * What a JavaScript value counts as without a schema: a number is a float64, a bigint an int (a float64 outside 64
 * bits), a plain object a map, an array a list, null nil. Functions and symbols are `unsupported`. `undefined` is
 * absent; where one turns up all the same it counts as nil.
 */
export function kindOf(value: unknown): ValueKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return fitsInt64(value) ? 'int' : 'float64';
    case 'undefined':
      return 'nil';
    case 'object':
      if (value === null) return 'nil';
      return Array.isArray(value) ? 'list' : 'map';
    default:
      return 'unsupported';
  }
}

const goNames: Readonly<Partial<Record<ValueKind, string>>> = {
  nil: 'invalid',
  int: 'int64',
  uint: 'uint64',
  list: 'slice',
  time: 'string',
  pointer: 'ptr',
  unsupported: 'func',
};

/** Go's word for a kind, as it stands in error texts. */
export function goKindName(kind: ValueKind): string {
  return goNames[kind] ?? kind;
}
