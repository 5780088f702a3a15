import { fitsInt64 } from './go-number.js';
import { classOf } from './object-class.js';

/**
 * The kinds that operators distinguish. Data without a schema has the first nine; `uint`, `float32`, `time`, `array` and `struct`
 * exist only if a schema declares them, `pointer` is a pointer to a pointer.
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
  | 'invalid date'
  | 'uint'
  | 'float32'
  | 'time'
  | 'array'
  | 'struct'
  | 'pointer';

/**
 * The kind of a JavaScript value without a schema: a number is a float64, a bigint an int (a float64 outside 64 bits), a plain
 * object or a Map a map, an array or a Set a list, a Date its string, null nil. Functions, symbols and bytes (typed arrays,
 * ArrayBuffer, DataView) are `unsupported`, and so is an `invalid date`. `undefined` is absent; if one is read all the same it
 * counts as nil.
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
      return Array.isArray(value) ? 'list' : kindsOfObjects[classOf(value)];
    default:
      return 'unsupported';
  }
}

const kindsOfObjects = {
  record: 'map',
  Map: 'map',
  Set: 'list',
  Date: 'string',
  'invalid Date': 'invalid date',
  odd: 'unsupported',
} as const;

/** Whether a value is a map whose entries are its properties: an object other than an array, Map, Set, Date or bytes. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && classOf(value) === 'record';
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

/** Go's name for a kind, as used in error messages. */
export function goKindName(kind: ValueKind): string {
  return goNames[kind] ?? kind;
}
