/**
 * Reason why a literal is not a value of a numeric or boolean kind. Go's `strconv` parsers, implemented here, decide this.
 * `syntax`: not a number of that kind; `range`: does not fit in 64 bits.
 */
export type CoercionFailure = 'syntax' | 'range';

const maxUint64 = 2n ** 64n - 1n;
const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** Whether an exact integer fits Go's int64. */
export function fitsInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

/** Whether an integer fits in 64 bits, signed or unsigned. */
export function fitsIn64Bits(value: bigint): boolean {
  return value >= minInt64 && value <= maxUint64;
}

/** `strconv.ParseInt(text, 0, 64)`: `5 -5 +5 0x10 0o17 017 0b101 1_000`. */
export function parseGoInt(text: string): bigint | CoercionFailure {
  const negative = text.startsWith('-');
  const magnitude = parseGoUint(negative || text.startsWith('+') ? text.slice(1) : text);
  if (typeof magnitude === 'string') return magnitude;
  const value = negative ? -magnitude : magnitude;
  return fitsInt64(value) ? value : 'range';
}

/** `strconv.ParseUint(text, 0, 64)`: like {@link parseGoInt} without a sign. */
export function parseGoUint(text: string): bigint | CoercionFailure {
  if (text === '') return 'syntax';
  const { base, digits } = splitBase(text);
  let value = 0n;
  let sawUnderscore = false;
  for (const character of digits) {
    if (character === '_') {
      sawUnderscore = true;
      continue;
    }
    const digit = digitValue(character);
    if (digit >= base) return 'syntax';
    value = value * BigInt(base) + BigInt(digit);
    // Like Go, stops at the first digit that overflows and ignores the rest.
    if (value > maxUint64) return 'range';
  }
  return sawUnderscore && !underscoresAllowed(text) ? 'syntax' : value;
}

function splitBase(text: string): { base: number; digits: string } {
  if (!text.startsWith('0')) return { base: 10, digits: text };
  const base = text.length < 3 ? undefined : prefixBases.get(text.charAt(1).toLowerCase());
  return base === undefined ? { base: 8, digits: text.slice(1) } : { base, digits: text.slice(2) };
}

const prefixBases = new Map([
  ['b', 2],
  ['o', 8],
  ['x', 16],
]);

/** Returns the value of a digit in any base up to 36; Infinity for other characters. */
function digitValue(character: string): number {
  const code = character.charCodeAt(0);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return character.length === 1 && lower >= 0x61 && lower <= 0x7a ? lower - 0x61 + 10 : Infinity;
}

/** Whether underscores follow Go's rule: only between digits; a base prefix counts as a digit. */
function underscoresAllowed(text: string): boolean {
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  const prefix = /^0[box]/i.test(unsigned);
  const isDigit = /^0x/i.test(unsigned) ? /[0-9a-f]/i : /[0-9]/;
  let last = prefix ? 'digit' : 'start';
  for (const character of unsigned.slice(prefix ? 2 : 0)) {
    if (isDigit.test(character)) last = 'digit';
    else if (character === '_') {
      if (last !== 'digit') return false;
      last = 'underscore';
    } else {
      if (last === 'underscore') return false;
      last = 'other';
    }
  }
  return last !== 'underscore';
}

/** `strconv.ParseBool`. */
export function parseGoBool(text: string): boolean | CoercionFailure {
  return boolSpellings.get(text) ?? 'syntax';
}

const boolSpellings = new Map<string, boolean>([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Matches the first character of a number. A quick test that excludes most words. */
const numberStart = /^[-+.0-9in]/i;
const specialFloat = /^(?:[+-]?inf(?:inity)?|nan)$/i;
const decimalFloat = /^[+-]?(?:[0-9_]+\.?[0-9_]*|\.[0-9_]+)(?:e[+-]?[0-9][0-9_]*)?$/i;
const hexFloat = /^([+-]?)0x([0-9a-f_]*)(?:\.([0-9a-f_]*))?p([+-]?[0-9][0-9_]*)$/i;

/** `strconv.ParseFloat(text, 64)`: `1e3 .5 5. 0x1p-2 1_0 inf nan`. */
export function parseGoFloat64(text: string): number | CoercionFailure {
  if (!numberStart.test(text)) return 'syntax';
  if (specialFloat.test(text)) return parseSpecial(text);
  if (text.includes('_') && !underscoresAllowed(text)) return 'syntax';
  const plain = text.replaceAll('_', '');
  const hex = hexFloat.exec(text);
  const value = hex === null ? parseDecimal(text, plain) : parseHex(plain);
  return typeof value === 'number' && !Number.isFinite(value) ? 'range' : value;
}

/** `strconv.ParseFloat(text, 32)`: rounded once, to the nearest float32. */
export function parseGoFloat32(text: string): number | CoercionFailure {
  if (specialFloat.test(text)) return parseSpecial(text);
  const wide = parseGoFloat64(text);
  if (typeof wide === 'string') return wide;
  const rounded = roundToFloat32(wide, text.replaceAll('_', ''));
  return Number.isFinite(rounded) ? rounded : 'range';
}

function parseSpecial(text: string): number {
  if (/^nan$/i.test(text)) return NaN;
  return text.startsWith('-') ? -Infinity : Infinity;
}

function parseDecimal(text: string, plain: string): number | CoercionFailure {
  return decimalFloat.test(text) && /[0-9]/.test(plain.replace(/e.*$/i, '')) ? Number(plain) : 'syntax';
}

function parseHex(plain: string): number | CoercionFailure {
  const parts = hexFloat.exec(plain);
  const whole = parts?.[2] ?? '';
  const fraction = parts?.[3] ?? '';
  if (parts === null || whole + fraction === '') return 'syntax';
  const mantissa = BigInt(`0x${whole}${fraction}`);
  // Beyond this, no mantissa of a permitted length can bring the value back into range.
  const exponent = Math.max(-1e6, Math.min(1e6, Number(parts[4]))) - 4 * fraction.length;
  const magnitude = mantissa === 0n ? 0 : scaleByPowerOfTwo(mantissa, exponent);
  return parts[1] === '-' ? -magnitude : magnitude;
}

/** Returns `mantissa * 2 ** exponent`, rounded once, to the nearest float64, ties to even. */
function scaleByPowerOfTwo(mantissa: bigint, exponent: number): number {
  const bits = mantissa.toString(16).length * 4;
  if (bits + exponent < -1100) return 0;
  if (exponent >= 0) return bits + exponent > 1100 ? Infinity : Number(mantissa << BigInt(exponent));
  // Number() rounds a bigint correctly. For subnormal numbers, the cut must be made at the smallest step.
  const cut = -1074 - exponent;
  if (bits + exponent > -1010 || cut <= 0) return divideByPowerOfTwo(mantissa, -exponent, bits);
  return roundedShift(mantissa, BigInt(cut)) * 2 ** -1074;
}

function divideByPowerOfTwo(mantissa: bigint, power: number, bits: number): number {
  const surplus = Math.max(0, bits - 68);
  const head = mantissa >> BigInt(surplus);
  const isSticky = head << BigInt(surplus) !== mantissa;
  const leading = Number((head << 1n) | (isSticky ? 1n : 0n));
  const shift = surplus - power - 1;
  return leading * 2 ** Math.trunc(shift / 2) * 2 ** (shift - Math.trunc(shift / 2));
}

function roundedShift(value: bigint, cut: bigint): number {
  const quotient = value >> cut;
  const remainder = value - (quotient << cut);
  const half = 1n << (cut - 1n);
  const roundsUp = remainder > half || (remainder === half && (quotient & 1n) === 1n);
  return Number(roundsUp ? quotient + 1n : quotient);
}

/**
 * Rounds a string to float32. Rounding it to float64 first would be wrong if that float64 lies exactly between two float32 values
 * but the string does not. The string itself then decides.
 */
function roundToFloat32(wide: number, text: string): number {
  const nearest = Math.fround(wide);
  if (nearest === wide || !Number.isFinite(wide) || /^[+-]?0x/i.test(text)) return nearest;
  const other = nextFloat32(nearest, wide > nearest);
  const isTie = Math.abs(wide - nearest) === Math.abs(other - wide);
  if (!isTie) return nearest;
  const side = compareDecimalTo(text, wide);
  if (side === 0) return nearest;
  return side > 0 === other > nearest ? other : nearest;
}

function nextFloat32(value: number, up: boolean): number {
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, value);
  const away = up === value > 0 || value === 0;
  bits.setInt32(0, bits.getInt32(0) + (away ? 1 : -1));
  return bits.getFloat32(0);
}

/** Returns the sign of `decimal string - value`, computed exactly. */
function compareDecimalTo(text: string, value: number): number {
  const parts = /^([+-]?)([0-9]*)\.?([0-9]*)(?:e([+-]?[0-9]+))?$/i.exec(text);
  if (parts === null) return 0;
  const digits = BigInt((parts[2] ?? '') + (parts[3] ?? ''));
  const exponent = Number(parts[4] ?? 0) - (parts[3] ?? '').length;
  const { mantissa, power } = decompose(Math.abs(value));
  let left = exponent >= 0 ? digits * 10n ** BigInt(exponent) : digits;
  let right = exponent >= 0 ? mantissa : mantissa * 10n ** BigInt(-exponent);
  if (power >= 0) right <<= BigInt(power);
  else left <<= BigInt(-power);
  const magnitude = left > right ? 1 : left < right ? -1 : 0;
  return parts[1] === '-' ? -magnitude : magnitude;
}

function decompose(value: number): { mantissa: bigint; power: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponent = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & (2n ** 52n - 1n);
  return exponent === 0
    ? { mantissa: fraction, power: -1074 }
    : { mantissa: fraction | (2n ** 52n), power: exponent - 1075 };
}
