/**
 * Go's strconv, written a second time for the tests: slowly, on whole numbers and exact fractions, so that the
 * engine's own version is compared with something that shares no code and no trick with it.
 */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: 'syntax' | 'range' };

const syntax = { ok: false, why: 'syntax' } as const;
const range = { ok: false, why: 'range' } as const;

/** `ParseInt(text, 0, 64)`. */
export function goInt(text: string): Parsed<bigint> {
  const negative = text.startsWith('-');
  const magnitude = goUint(negative || text.startsWith('+') ? text.slice(1) : text, text);
  if (!magnitude.ok) return magnitude;
  const value = negative ? -magnitude.value : magnitude.value;
  return value < -(2n ** 63n) || value >= 2n ** 63n ? range : { ok: true, value };
}

/** `ParseUint(text, 0, 64)`. `whole` is the text with the sign that `ParseInt` took off. */
export function goUint(text: string, whole: string = text): Parsed<bigint> {
  if (text === '') return syntax;
  const { base, digits } = splitBase(text);
  let value = 0n;
  for (const digit of digits) {
    if (digit === '_') continue;
    const worth = digitWorth(digit);
    if (worth >= base) return syntax;
    value = value * BigInt(base) + BigInt(worth);
    // Go stops here, before it looks at what follows.
    if (value >= 2n ** 64n) return range;
  }
  return digits.includes('_') && !underscoresSeparateDigits(whole) ? syntax : { ok: true, value };
}

function splitBase(text: string): { readonly base: number; readonly digits: string } {
  const prefixes: readonly (readonly [string, number])[] = [
    ['0b', 2],
    ['0o', 8],
    ['0x', 16],
  ];
  for (const [prefix, base] of prefixes) {
    if (text.length > 2 && text.toLowerCase().startsWith(prefix)) return { base, digits: text.slice(2) };
  }
  return text.startsWith('0') ? { base: 8, digits: text.slice(1) } : { base: 10, digits: text };
}

/** The worth of a digit or letter; Infinity for anything else. */
function digitWorth(character: string): number {
  const at = '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(
    /^[A-Z]$/.test(character) ? character.toLowerCase() : character,
  );
  return at === -1 ? Infinity : at;
}

/** Each underscore is between two digits, or between a base prefix and a digit. */
function underscoresSeparateDigits(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  const prefix = /^0[box]/i.exec(unsigned)?.[0] ?? '';
  const digit = prefix.toLowerCase() === '0x' ? /[0-9a-f]/i : /[0-9]/;
  // The prefix counts as a digit.
  const body = (prefix === '' ? '' : '0') + unsigned.slice(prefix.length);
  return [...body].every((character, at) => {
    if (character !== '_') return true;
    return digit.test(body[at - 1] ?? '') && digit.test(body[at + 1] ?? '');
  });
}

/** `ParseBool(text)`. */
export function goBool(text: string): Parsed<boolean> {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return { ok: true, value: true };
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return { ok: true, value: false };
  return syntax;
}

const decimalForm = /^([+-]?)([0-9_]*)(?:\.([0-9_]*))?(?:e([+-]?)([0-9][0-9_]*))?$/i;
const hexForm = /^([+-]?)0x([0-9a-f_]*)(?:\.([0-9a-f_]*))?p([+-]?)([0-9][0-9_]*)$/i;

/** `ParseFloat(text, 64)`. */
export function goFloat64(text: string): Parsed<number> {
  return goFloat(text, { precision: 53, lowest: -1074, highest: 1024 });
}

/** `ParseFloat(text, 32)`. */
export function goFloat32(text: string): Parsed<number> {
  return goFloat(text, { precision: 24, lowest: -149, highest: 128 });
}

/** A binary format: bits of precision, exponent of its smallest number, and the power of two it cannot reach. */
interface FloatFormat {
  readonly precision: number;
  readonly lowest: number;
  readonly highest: number;
}

function goFloat(text: string, format: FloatFormat): Parsed<number> {
  const special = /^(?:nan|([+-]?)inf(?:inity)?)$/i.exec(text);
  if (special !== null) {
    if (/nan/i.test(text)) return { ok: true, value: NaN };
    return { ok: true, value: special[1] === '-' ? -Infinity : Infinity };
  }
  const hex = hexForm.exec(text);
  const match = hex ?? decimalForm.exec(text);
  if (match === null) return syntax;
  const [, sign = '', whole = '', fraction = '', exponentSign = '', exponentDigits = '0'] = match;
  const digits = plain(whole) + plain(fraction);
  if (digits === '') return syntax;
  if (text.includes('_') && !underscoresSeparateDigits(text)) return syntax;
  const mantissa = BigInt((hex === null ? '' : '0x') + digits);
  const written = Number(`${exponentSign}${plain(exponentDigits)}`);
  const exponent = written - plain(fraction).length * (hex === null ? 1 : 4);
  const value = round(mantissa, hex === null ? 10n : 2n, exponent, digits.length, format);
  return value === Infinity ? range : { ok: true, value: sign === '-' ? -value : value };
}

function plain(digits: string): string {
  return digits.replaceAll('_', '');
}

/** `mantissa * base ** exponent` rounded to the nearest number of the format, ties to even. */
function round(
  mantissa: bigint,
  base: bigint,
  exponent: number,
  length: number,
  format: FloatFormat,
): number {
  if (mantissa === 0n) return 0;
  // Far outside the formats, and powers too large to compute.
  if (exponent > 5_000) return Infinity;
  if (exponent < -5_000 - 4 * length) return 0;
  const power = base ** BigInt(Math.abs(exponent));
  const numerator = exponent >= 0 ? mantissa * power : mantissa;
  const denominator = exponent >= 0 ? 1n : power;

  // The unit of the last place: as small as the precision requires, but not below the smallest number.
  let unit = bitLength(numerator) - bitLength(denominator) - format.precision;
  unit = Math.max(unit, format.lowest);
  let steps = roundedQuotient(numerator, denominator, unit);
  if (steps >= 2n ** BigInt(format.precision)) {
    unit += 1;
    steps = roundedQuotient(numerator, denominator, unit);
  }
  if (steps >= 2n ** BigInt(format.precision)) {
    // Rounding up reached the next power of two.
    unit += 1;
    steps /= 2n;
  }
  if (bitLength(steps) + unit > format.highest) return Infinity;
  return Number(steps) * 2 ** Math.max(unit, -1000) * 2 ** Math.min(unit + 1000, 0);
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

/** `numerator / denominator / 2 ** unit`, to the nearest whole number, ties to even. */
function roundedQuotient(numerator: bigint, denominator: bigint, unit: number): bigint {
  const top = unit < 0 ? numerator * 2n ** BigInt(-unit) : numerator;
  const bottom = unit < 0 ? denominator : denominator * 2n ** BigInt(unit);
  const quotient = top / bottom;
  const twiceRest = 2n * (top % bottom);
  if (twiceRest > bottom || (twiceRest === bottom && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}
