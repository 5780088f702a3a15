import type { IndexKey } from '../../filter/compile/frame/key-range.js';
import type { Type } from '../../language/schema/type.js';
import { asData } from '../../language/values/data.js';
import { fitsIn64Bits } from '../../language/values/go-number.js';
import { instanceKindOf, type InstanceKind } from '../../language/values/instance/index.js';
import { compareBytewise } from '../../language/values/utf8-order.js';
import { integerText, stringPositionOf } from './text-order.js';

/**
 * The order of the values of a type, used by every list. Values are compared by their positions: integers, or strings by their
 * UTF-8 bytes. Null, missing and unreadable values share the last position. NaN is after all numbers.
 */
export type ValueOrder = IntegerOrder | TextOrder;

export interface IntegerOrder extends Positions<number | bigint> {
  readonly isNumbered: true;
}

export interface TextOrder extends Positions<string> {
  readonly isNumbered: false;
}

interface Positions<P> {
  /** Returns the position of a row's value. */
  readonly positionOf: (value: unknown) => P;
  /** Returns the position of a key of an ordered index of the type. */
  readonly positionOfKey: (key: IndexKey) => P;
  /** The position of null. */
  readonly last: P;
  /** The position after all keys that an index can have: that of NaN if there is one, otherwise that of null. */
  readonly end: P;
}

/** The position of NaN. A constant, because the bits of a NaN vary. */
const positionOfNaN = 'ffff';

/** The position of null among integers: greater than 64-bit integers and instants of the year 9999 in nanoseconds. */
const lastInteger = 10n ** 21n;

/** The position of null among strings. It begins with the unit that sorts last. */
const lastText = '\udfff1';

/** Returns the order of the values of a type; null if they have none. */
export function valueOrder(type: Type): ValueOrder | null {
  const { kind, nullDepth } = type;
  if (nullDepth > 1) return null;
  if ('unit' in type && type.unit !== undefined) return integers;
  const instances = instanceKindOf(type);
  if (instances !== null) return instanceOrder(instances);
  switch (kind) {
    case 'string':
      return strings;
    case 'bool':
      return bools;
    case 'int':
    case 'uint':
      return integers;
    case 'float64':
      return floats;
    case 'float32':
      return roundedFloats;
    case 'any':
      return anyOrder;
    default:
      return null;
  }
}

/** Compares two positions of one order: negative, zero or positive. */
export function comparePositions(a: number | bigint | string, b: number | bigint | string): number {
  if (typeof a === 'string' || typeof b === 'string') return compareBytewise(String(a), String(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns an order by integers. @param read the value of a row; undefined if it has none */
function integerOrder<K>(
  read: (value: unknown) => K | undefined,
  encode: (key: K) => number | bigint,
): IntegerOrder {
  return { isNumbered: true, ...positions(read, encode, lastInteger) };
}

/** Returns an order by strings; otherwise like {@link integerOrder}. */
function textOrder<K>(read: (value: unknown) => K | undefined, encode: (key: K) => string): TextOrder {
  return { isNumbered: false, ...positions(read, encode, lastText) };
}

function positions<K, P>(
  read: (value: unknown) => K | undefined,
  encode: (key: K) => P,
  last: P,
): Positions<P> {
  return {
    positionOf(value) {
      const key = read(value);
      return key === undefined ? last : encode(key);
    },
    positionOfKey: encode as object as Positions<P>['positionOfKey'],
    last,
    end: last,
  };
}

const bools = integerOrder((value) => (typeof value === 'boolean' ? value : undefined), Number);

const integers = integerOrder(readInteger, (value) => value);

function readInteger(value: unknown): number | bigint | undefined {
  if (typeof value === 'bigint') return fitsIn64Bits(value) ? value : undefined;
  // Adding 0 turns -0 into 0.
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 64
    ? value + 0
    : undefined;
}

const strings = textOrder((value) => {
  const text = readData(value);
  return typeof text === 'string' ? text : undefined;
}, textPosition);

/** Escapes a string that would otherwise sort after null. */
function textPosition(text: string): string {
  return text.startsWith('\udfff') ? `\udfff0${text.slice(1)}` : text;
}

/** Returns the string at a position. */
export function textAtPosition(position: string): string {
  return position.startsWith('\udfff0') ? `\udfff${position.slice(2)}` : position;
}

const floats: TextOrder = { ...textOrder(readNumber, numberPosition), end: positionOfNaN };

const roundedFloats: TextOrder = {
  ...floats,
  positionOf(value) {
    const number = readNumber(value);
    return number === undefined ? lastText : numberPosition(Math.fround(Number(number)));
  },
};

function readNumber(value: unknown): number | bigint | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

/** The order of values of undeclared type: numbers, then strings, then booleans. */
export const anyOrder = textOrder(
  (value) => {
    const data = readData(value);
    if (typeof data === 'string') return `1${data}`;
    if (typeof data === 'boolean') return data ? '2t' : '2f';
    const number = readNumber(data);
    return number === undefined ? undefined : `0${numberPosition(number)}`;
  },
  (key) => key,
);

const signBit = 1n << 63n;
const allBits = (1n << 64n) - 1n;
const view = new DataView(new ArrayBuffer(8));

/**
 * Encodes a number as a string with the same order: the bits of a double, followed by digits for an integer between two doubles.
 * A bigint beyond the doubles counts as infinite, so that a million digits are not written.
 */
function numberPosition(value: number | bigint): string {
  if (Number.isNaN(value)) return positionOfNaN;
  const nearest = Number(value);
  // Adding 0 turns -0 into 0.
  view.setFloat64(0, nearest + 0);
  const bits = view.getBigUint64(0);
  const ordered = bits < signBit ? bits + signBit : allBits - bits;
  const isBetween = Number.isFinite(nearest) && (nearest < value || nearest > value);
  const below = isBetween && nearest > value ? ordered - 1n : ordered;
  return `${below.toString(16).padStart(16, '0')}${isBetween ? integerText(value) : ''}`;
}

/** Returns the double at a position; null if none exists. */
export function doubleAtPosition(position: string): number | null {
  if (position === positionOfNaN) return NaN;
  if (!/^[0-9a-f]{16}$/.test(position)) return null;
  const ordered = BigInt(`0x${position}`);
  view.setBigUint64(0, ordered < signBit ? allBits - ordered : ordered - signBit);
  const double = view.getFloat64(0);
  return Number.isNaN(double) ? null : double;
}

function instanceOrder({ read, position }: InstanceKind): ValueOrder {
  if (position === null) return integers;
  const readInstance = (value: unknown): NonNullable<unknown> | undefined => {
    const instance = read(value) ?? undefined;
    return Number.isNaN(instance) ? undefined : instance;
  };
  if (position.isInteger) return integerOrder(readInstance, position.of);
  return textOrder(readInstance, (instance) =>
    position
      .of(instance)
      .map((part) => (typeof part === 'string' ? stringPositionOf(part) : `${integerText(part)}.`))
      .join(''),
  );
}

/** Returns a value as filters see it; undefined for an invalid Date. */
function readData(value: unknown): unknown {
  try {
    return asData(value);
  } catch {
    return undefined;
  }
}
