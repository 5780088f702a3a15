import { fitsInt64 } from '../go-number.js';
import { timeUnits, type InstanceKind, type TimeUnit } from './instance.js';
import {
  boundIn,
  compareQuantities,
  exactProduct,
  exactSum,
  parseInteger,
  readInteger,
  type Integer,
} from './quantity.js';

/** A duration in nanoseconds. */
export type Duration = Integer;

/** The units of Go's `time.ParseDuration`, in nanoseconds, including both micro signs. */
const goUnits: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['\u00b5s', 1e3],
  ['\u03bcs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** Units that only filters can use. */
const literalUnits: ReadonlyMap<string, number> = new Map([
  ...goUnits,
  ['d', 24 * 3600e9],
  ['w', 7 * 24 * 3600e9],
]);

/** Maximum number of significant decimals, as in Go: a 19th digit would not fit in an int64. */
const maxDecimals = 18;
/** Maximum length of a duration string. Limits leading zeros and superfluous decimals. */
const maxDurationLength = 256;

/** Parses the duration of a literal: `1h30m`, `-1.5h`, `2w3d`. A number without a unit is not a duration. */
export function parseDuration(text: string): Duration | null {
  return /^[-+]?0+$/.test(text) ? null : sumOfParts(text, literalUnits);
}

/**
 * Reads the duration of a row: strings that Go's `Duration.String` writes and `time.ParseDuration` accepts, up to 292 years.
 * Fractions of a nanosecond are dropped.
 */
function readDuration(value: unknown): Duration | null {
  return typeof value === 'string' ? sumOfParts(value, goUnits) : null;
}

function sumOfParts(text: string, units: ReadonlyMap<string, number>): Duration | null {
  if (text.length > maxDurationLength) return null;
  const first = text.charCodeAt(0);
  const isNegative = first === minus;
  let at = isNegative || first === plus ? 1 : 0;
  if (at === text.length) return null;
  if (text.length === at + 1 && text.charCodeAt(at) === zero) return 0;
  let sum: Integer = 0;
  while (at < text.length) {
    const endOfWhole = skipDigits(text, at);
    const startOfDecimals = text.charCodeAt(endOfWhole) === point ? endOfWhole + 1 : endOfWhole;
    const endOfDecimals = skipDigits(text, startOfDecimals);
    if (endOfWhole === at && endOfDecimals === startOfDecimals) return null;
    const endOfUnit = skipUnit(text, endOfDecimals);
    const unit = units.get(text.slice(endOfDecimals, endOfUnit));
    if (unit === undefined) return null;
    sum = exactSum(sum, exactProduct(digits(text, at, endOfWhole), unit));
    if (endOfDecimals > startOfDecimals)
      sum = exactSum(sum, decimals(text, startOfDecimals, endOfDecimals, unit));
    at = endOfUnit;
  }
  const signed = isNegative ? exactProduct(sum, -1) : sum;
  return typeof signed === 'number' || fitsInt64(signed) ? signed : null;
}

const zero = 0x30;
const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;

function isDigit(code: number): boolean {
  return code >= zero && code <= 0x39;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function skipUnit(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== point && !isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function digits(text: string, from: number, to: number): Integer {
  // 15 digits always fit in a safe integer.
  if (to - from > 15) return BigInt(text.slice(from, to));
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 10 + text.charCodeAt(at) - zero;
  return value;
}

/** Returns the value of the decimals after a point, in nanoseconds. */
function decimals(text: string, from: number, to: number, unit: number): Integer {
  const end = Math.min(to, from + maxDecimals);
  const counted = digits(text, from, end);
  const product = Number(counted) * unit;
  // The floor of this quotient is exact: a quotient of such numbers is never closer to an integer than a double can represent.
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / 10 ** (end - from));
  return Number((BigInt(counted) * BigInt(unit)) / 10n ** BigInt(end - from));
}

const common = {
  name: 'duration',
  noun: 'duration',
  examples: ['30s', '5m', '1h30m', '7d'],
  zero: 0,
  compare: compareQuantities,
  sort: compareQuantities,
  blocks: null,
} as const;

/** A Go duration string. */
export const durationKind: InstanceKind<Duration> = Object.freeze({
  ...common,
  isText: true,
  zeroText: '0s',
  position: { isInteger: true as const, of: (duration: Duration) => duration },
  readWeight: 6,
  expected: 'a duration such as 1h30m or 7d',
  parse: parseDuration,
  read: readDuration,
  inUnit: () => null,
});

/** Returns the kind of durations stored as integers in a unit. Integers without a unit in filters have that unit too. */
export function durationKindIn(unit: TimeUnit): InstanceKind<Duration> {
  const size = timeUnits[unit];
  const toDuration = (integer: Integer | null): Duration | null =>
    integer === null ? null : exactProduct(integer, size);
  return Object.freeze({
    ...common,
    isText: false,
    zeroText: null,
    position: null,
    readWeight: 30,
    expected: `a duration such as 1h30m or 7d, or an integer (in ${unit})`,
    parse: (text: string) => toDuration(parseInteger(text)) ?? parseDuration(text),
    read: (value: unknown) => toDuration(readInteger(value)),
    inUnit: (duration: Duration) => boundIn(duration, size),
  });
}
