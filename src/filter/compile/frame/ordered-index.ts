import { sharedWeakMap } from '../../../runtime/shared-identity.js';
import type { RowField } from '../../../language/schema/field-path.js';
import { describeType, type Type } from '../../../language/schema/type.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { OperandShape } from '../../../language/operators/operand-shape.js';
import type { Value } from '../../../language/syntax/ast.js';
import { fitsInt64 } from '../../../language/values/go-number.js';
import { instanceKindOf } from '../../../language/values/instance/index.js';
import { coerceNumber } from '../../../language/values/operand.js';
import { compareBytewise } from '../../../language/values/utf8-order.js';
import { isClock } from '../../../language/schema/clock-literal.js';
import { readClock } from './clock.js';
import type { IndexTraits } from './field-index.js';
import { indexedField, keysAt } from './indexed-field.js';
import type { CompareKeys, IndexKey } from './key-range.js';
import { scaleOf } from './scale.js';
import { withArticle } from '../../../language/syntax/wording.js';

/**
 * A field by whose values rows are sorted. If you maintain indexes, also store the rows in the order of these keys (ties in any
 * order). `planFilter` returns the ranges that can serve a filter.
 */
export interface OrderedIndex<T = unknown> {
  /** The field by its filter name. */
  readonly field: string;
  readonly isOrdered: true;
  /**
   * Returns the key of a row as the only element: a number or bigint for numbers and for kinds with a unit, a string for a
   * string, otherwise an object or number that `compare` accepts. Empty for a row that no range contains: one without an address
   * or a version, and NaN. Null for a row that does not match the schema at this field or has no unique position in the order (a
   * bigint that is not a float64, in a float64 field). While there is such a row, the index cannot replace a scan.
   */
  readonly keysOf: (row: T) => readonly IndexKey[] | null;
  /** Compares keys: negative, zero or positive. Strings are ordered by their UTF-8 bytes. */
  readonly compare: CompareKeys;
}

/** The position of a literal among keys: exactly at a key, or directly after one. */
export interface KeyBound {
  readonly key: IndexKey;
  readonly isExact: boolean;
}

/**
 * Returns the position of a literal. Undefined if it cannot be compared with any key; null if the index cannot determine the
 * position.
 */
export type BoundOfLiteral = (
  literal: Value,
  operand: OperandShape,
  now: number | null,
) => KeyBound | undefined | null;

/** The properties of an ordered index that `planFilter` needs. */
export interface OrderTraits extends Pick<IndexTraits, 'schema' | 'path' | 'isNullable'> {
  /** Whether keys are the strings of rows. */
  readonly isText: boolean;
  readonly boundOf: BoundOfLiteral;
}

const traits = sharedWeakMap<OrderedIndex, OrderTraits>('ordered indexes');

/**
 * Declares an ordered index on a field: a string, a number, a time, a duration, a size, an address without a port or a version,
 * in rows or in structs of them. No range contains null if the field is nullable. It serves the orderings, `==`, `in [..]` and, on strings, `starts with`.
 *
 * @throws TypeError if the schema does not have the field or hides it, or if its values have no order that indexes support.
 */
export function orderedIndex<T = unknown>(schema: Schema, field: string): OrderedIndex<T> {
  const declared = indexedField('orderedIndex', schema, field);
  const index = findOrderedIndex<T>(schema, declared);
  if (index !== null) return index;
  throw new TypeError(
    `orderedIndex: field must be a string, number, time, duration, size, version or address without a port; ${field} is ${withArticle(describeType(declared.type))}`,
  );
}

/** As {@link orderedIndex}, for a field of the schema; null if its values have no order that indexes support. */
export function findOrderedIndex<T = unknown>(schema: Schema, field: RowField): OrderedIndex<T> | null {
  const { name, type, path, isNullable } = field;
  const keyOfValue = keyReaderOf(type);
  if (keyOfValue === null) return null;
  const index: OrderedIndex<T> = Object.freeze({
    field: name,
    isOrdered: true,
    keysOf: keysAt(field, keyOfValue),
    compare: comparisonOf(type),
  });
  const isText = type.kind === 'string';
  traits.set(index as OrderedIndex, { schema, path, isNullable, isText, boundOf: createBoundOf(type) });
  return index;
}

/** Returns the traits of an index; null if it was not created by `orderedIndex`. */
export function orderTraitsOf(index: OrderedIndex): OrderTraits | null {
  return traits.get(index) ?? null;
}

type KeyReader = (value: unknown) => readonly IndexKey[] | null;

const noKeys: readonly never[] = Object.freeze([]);

function keyReaderOf(type: Type): KeyReader | null {
  if (type.nullDepth > 1 || (type.kind === 'ip' && type.port === true)) return null;
  if (isInteger(type)) return integerKey;
  if (type.kind === 'float64') return float64Key;
  const scale = scaleOf(type);
  if (scale === null || type.kind === 'bool') return null;
  return (value) => {
    const position = scale.read(value);
    if (position === undefined) return null;
    return typeof position === 'symbol' || Number.isNaN(position) ? noKeys : [position as IndexKey];
  };
}

/** Whether values of the type are integers, including those with a unit. */
function isInteger({ kind, ...type }: Type): boolean {
  return kind === 'int' || kind === 'uint' || ('unit' in type && type.unit !== undefined);
}

function integerKey(value: unknown): readonly IndexKey[] | null {
  // Adding 0 turns -0 into 0.
  if (typeof value === 'number') return Number.isInteger(value) ? [value + 0] : null;
  if (typeof value === 'bigint') return fitsInt64(value) || value > 0n ? [value] : null;
  return value === null || value === undefined ? [0] : null;
}

/**
 * Returns the key; null for a bigint that no float64 equals. Such a bigint has no single position: `==` and `in [..]` round it,
 * but orderings do not.
 */
function float64Key(value: unknown): readonly IndexKey[] | null {
  if (typeof value === 'number') return Number.isNaN(value) ? noKeys : [value];
  if (typeof value === 'bigint') return compareNumbers(Number(value), value) === 0 ? [value] : null;
  return value === null || value === undefined ? [0] : null;
}

function comparisonOf(type: Type): CompareKeys {
  if (type.kind === 'string') return (a, b) => compareBytewise(a as string, b as string);
  const kind = instanceKindOf(type);
  return kind === null || isInteger(type) ? compareNumbers : kind.sort;
}

/** Numbers and bigints compare exactly in JavaScript. NaN is never a key. */
function compareNumbers(a: IndexKey, b: IndexKey): number {
  const [left, right] = [a as number | bigint, b as number | bigint];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Creates the function that determines the position of a literal among the values of a type. */
export function createBoundOf(type: Type): BoundOfLiteral {
  const kind = instanceKindOf(type);
  if (kind === null) return (literal) => plainBound(type, literal);
  return (literal, operand, now) => {
    if (literal.ignoreCase) return null;
    const clock = isClock(literal, operand, type);
    if (clock && now === null) return null;
    const position = clock ? readClock(literal, now ?? 0) : kind.parse(literal.text);
    if (position === null) return null;
    const inUnit = kind.inUnit(position);
    if (inUnit === null) return { key: position as IndexKey, isExact: true };
    return { key: inUnit.floor, isExact: inUnit.isExact };
  };
}

function plainBound({ kind }: Type, literal: Value): KeyBound | undefined | null {
  if (literal.ignoreCase) return null;
  if (kind === 'string') return literal.wellFormed ? { key: literal.text, isExact: true } : undefined;
  if (kind !== 'int' && kind !== 'uint' && kind !== 'float64' && kind !== 'float32') return null;
  const number = coerceNumber(literal, kind);
  if (typeof number === 'string') return null;
  const { double, integer } = number;
  if (!Number.isNaN(double)) return { key: double, isExact: true };
  return integer === null ? undefined : { key: integer, isExact: true };
}
