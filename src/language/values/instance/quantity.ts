import { parseGoInt } from '../go-number.js';
import type { UnitBound } from './instance.js';

/**
 * An exact amount of a smallest unit, such as nanoseconds or bytes. An integer is a number if it is a safe integer, otherwise a
 * bigint. A fraction is its floor and its decimals without trailing zeros: -0.5 is -1 and `5`.
 */
export type Quantity = Integer | Decimal;
export type Integer = number | bigint;
export interface Decimal {
  readonly floor: Integer;
  readonly decimals: string;
}

/** Compares two quantities: negative, zero or positive. Numbers and bigints compare exactly in JavaScript. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [floorOf(a), floorOf(b)];
  if (left !== right) return left < right ? -1 : 1;
  const [more, less] = [decimalsOf(a), decimalsOf(b)];
  return more < less ? -1 : more > less ? 1 : 0;
}

export function floorOf(quantity: Quantity): Integer {
  return typeof quantity === 'object' ? quantity.floor : quantity;
}

function decimalsOf(quantity: Quantity): string {
  return typeof quantity === 'object' ? quantity.decimals : '';
}

/** Returns a row's value as an integer, if it is a bigint or a number without a fraction; otherwise null. */
export function readInteger(value: unknown): Integer | null {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    return Number.isInteger(value) ? BigInt(value) : null;
  }
  return typeof value === 'bigint' ? toInteger(value) : null;
}

/** Maximum number of bits of an integer that is processed without charge. All integers in filters are shorter. */
const shortBits = 256;
const shortLimit = 1n << BigInt(shortBits - 1);

/** Whether an integer has a practical number of digits. */
export function isShort(value: bigint): boolean {
  return value < shortLimit && value >= -shortLimit;
}

/**
 * Returns the approximate number of digits of a long integer, at most twice the real number. Takes time proportional to that
 * number.
 */
export function digitsOf(value: bigint): number {
  let bits = shortBits;
  while (BigInt.asIntN(bits, value) !== value) bits *= 2;
  return Math.ceil(bits * Math.LOG10E * Math.LN2);
}

/** Returns the digits of an integer. If it is long, returns a note instead, because printing a million digits takes a second. */
export function integerText(value: number | bigint): string {
  return typeof value === 'number' || isShort(value) ? String(value) : 'an integer of more than 76 digits';
}

/** Returns a number if the value is a safe integer, else the bigint. */
export function toInteger(value: bigint): Integer {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

export function exactProduct(a: Integer, b: Integer): Integer {
  const near = typeof a === 'number' && typeof b === 'number' ? a * b : NaN;
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(near) ? near + 0 : toInteger(BigInt(a) * BigInt(b));
}

export function exactSum(a: Integer, b: Integer): Integer {
  const near = typeof a === 'number' && typeof b === 'number' ? a + b : NaN;
  return Number.isSafeInteger(near) ? near : toInteger(BigInt(a) + BigInt(b));
}

/** Returns the greatest integer not above `a / b`, and the remainder, which is from 0 to less than `b`. `b` must be positive. */
export function floorDivision(a: Integer, b: number): { readonly quotient: Integer; readonly rest: number } {
  if (typeof a === 'number') {
    const rest = a % b;
    const quotient = (a - rest) / b;
    // Adding 0 turns -0 into 0.
    return rest < 0 ? { quotient: quotient - 1, rest: rest + b } : { quotient: quotient + 0, rest: rest + 0 };
  }
  const divisor = BigInt(b);
  const rest = ((a % divisor) + divisor) % divisor;
  return { quotient: toInteger((a - rest) / divisor), rest: Number(rest) };
}

/** Returns a quantity as a bound in units of `unit` smallest units. */
export function boundIn(quantity: Quantity, unit: number): UnitBound {
  const { quotient, rest } = floorDivision(floorOf(quantity), unit);
  return { floor: quotient, isExact: rest === 0 && typeof quantity !== 'object' };
}

/** Maximum length of a literal that denotes a quantity. No quantity within 64 bits needs as many characters. */
export const maxAmountLength = 64;

/** Parses `12`, `0x10` or `1_000` as a 64-bit integer, like level 0; null for anything else. */
export function parseInteger(text: string): Integer | null {
  if (text.length > maxAmountLength) return null;
  const integer = parseGoInt(text);
  return typeof integer === 'bigint' ? toInteger(integer) : null;
}
