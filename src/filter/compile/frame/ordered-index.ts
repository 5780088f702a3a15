import { describeType, type Field, type Type } from '../../../language/schema/type.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { OperandShape } from '../../../language/operators/operand-shape.js';
import type { Value } from '../../../language/syntax/ast.js';
import { asData } from '../../../language/values/data.js';
import { fitsInt64 } from '../../../language/values/go-number.js';
import { instanceKindOf } from '../../../language/values/instance/index.js';
import { coerceNumber } from '../../../language/values/operand.js';
import { compareBytewise } from '../../../language/values/utf8-order.js';
import { isClock } from '../../../language/schema/clock-literal.js';
import { readClock } from './clock.js';
import { indexedField, propertyReader } from './indexed-field.js';
import type { CompareKeys, IndexKey } from './key-range.js';
import { scaleOf } from './scale.js';
import { withArticle } from '../../../language/syntax/wording.js';

/**
 * A field by whose values rows are sorted. Whoever keeps rows keeps them once more in the order of these keys (rows with one
 * key in any order), and is told by `planFilter` which stretches of it answer a filter.
 */
export interface OrderedIndex<T = unknown> {
  /** The field as filters name it. */
  readonly field: string;
  readonly isOrdered: true;
  /**
   * The key of a row, the only element: a number or bigint for numbers and for kinds with a unit, a text for a text, else
   * an object or number that `compare` knows. Empty for a row that no range holds: one without an address or a version, and
   * NaN. Null for a row that does not fit the schema here, or has no one place in the order (where a float64 is declared, a
   * bigint that is none): while there is one, an index cannot tell what a scan would find.
   */
  readonly keysOf: (row: T) => readonly IndexKey[] | null;
  /** The order of keys: negative, zero or positive. Texts stand in that of their UTF-8 bytes. */
  readonly compare: CompareKeys;
}

/** A literal among keys: at one, or right behind it and before the next. */
export interface KeyBound {
  readonly key: IndexKey;
  readonly isExact: boolean;
}

/** Where a literal stands: undefined where nothing compares with it, null where the index cannot tell. */
export type BoundOfLiteral = (
  literal: Value,
  operand: OperandShape,
  now: number | null,
) => KeyBound | undefined | null;

/** What `planFilter` needs to know of an ordered index. */
export interface OrderTraits {
  readonly schema: Schema;
  /** Whether keys are the texts of rows. */
  readonly isText: boolean;
  readonly boundOf: BoundOfLiteral;
}

const traits = new WeakMap<OrderedIndex, OrderTraits>();

/**
 * Declares a field by whose values rows are sorted: a text, a number, a time, a duration, a size, an address without a
 * port or a version, that is a field of the row itself and not nullable. It answers the orderings, `==`, `in [..]` and, on
 * texts, `starts with`.
 *
 * @throws TypeError for a field that the schema lacks or hides, or whose values have no order that indexes can keep.
 */
export function orderedIndex<T = unknown>(schema: Schema, field: string): OrderedIndex<T> {
  const declared = indexedField('orderedIndex', schema, field);
  const index = findOrderedIndex<T>(schema, declared);
  if (index !== null) return index;
  throw new TypeError(
    `orderedIndex: ${field} is ${withArticle(describeType(declared.type))}, no text, number, time, duration, size, address without a port or version`,
  );
}

/** The same for a field of the schema; null for one whose values have no order that indexes can keep. */
export function findOrderedIndex<T = unknown>(
  schema: Schema,
  { name, type, property }: Field,
): OrderedIndex<T> | null {
  const keyOfValue = keyReaderOf(type);
  if (keyOfValue === null) return null;
  const read = propertyReader(property);
  const index: OrderedIndex<T> = Object.freeze({
    field: name,
    isOrdered: true,
    keysOf: (row: T) => keyOfValue(asData(read(row))),
    compare: comparisonOf(type),
  });
  const isText = type.kind === 'string';
  traits.set(index as OrderedIndex, { schema, isText, boundOf: createBoundOf(type) });
  return index;
}

/** Null for what does not come from `orderedIndex`. */
export function orderTraitsOf(index: OrderedIndex): OrderTraits | null {
  return traits.get(index) ?? null;
}

type KeyReader = (value: unknown) => readonly IndexKey[] | null;

const noKeys: readonly never[] = Object.freeze([]);

function keyReaderOf(type: Type): KeyReader | null {
  if (type.nullDepth > 0 || (type.kind === 'ip' && type.port === true)) return null;
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

/** Whether rows hold integers, those of a unit too. */
function isInteger({ kind, ...type }: Type): boolean {
  return kind === 'int' || kind === 'uint' || ('unit' in type && type.unit !== undefined);
}

function integerKey(value: unknown): readonly IndexKey[] | null {
  // Adding zero makes zero of -0.
  if (typeof value === 'number') return Number.isInteger(value) ? [value + 0] : null;
  if (typeof value === 'bigint') return fitsInt64(value) || value > 0n ? [value] : null;
  return value === null || value === undefined ? [0] : null;
}

/** None for a bigint that is no float64: `==` and `in [..]` round it, orderings do not, so it has no one place. */
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

/** Numbers and bigints compare exactly in JavaScript. NaN is no key. */
function compareNumbers(a: IndexKey, b: IndexKey): number {
  const [left, right] = [a as number | bigint, b as number | bigint];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** What finds the place of a literal among the values of a type. */
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
