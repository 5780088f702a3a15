import { classOf } from '../object-class.js';
import type { Duration } from './duration.js';
import { timeUnits, type InstanceKind, type TimeUnit } from './instance.js';
import {
  boundIn,
  exactProduct,
  exactSum,
  floorDivision,
  parseInteger,
  readInteger,
  type Integer,
} from './quantity.js';

/**
 * A point in time since 1970 in UTC, without leap seconds. It is a number if it is a safe integer of whole milliseconds, as
 * nearly all are; otherwise a {@link FineInstant}. No instant has both forms.
 */
export type Instant = number | FineInstant;

export interface FineInstant {
  readonly millis: Integer;
  /** Nanoseconds to add, 0 to 999,999. */
  readonly nanos: number;
}

function instantOf(millis: Integer, nanos: number): Instant {
  return nanos === 0 && typeof millis === 'number' ? millis : { millis, nanos };
}

function compareInstants(a: Instant, b: Instant): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [millisOf(a), millisOf(b)];
  if (left !== right) return left < right ? -1 : 1;
  return nanosOf(a) - nanosOf(b);
}

function millisOf(instant: Instant): Integer {
  return typeof instant === 'number' ? instant : instant.millis;
}

function nanosOf(instant: Instant): number {
  return typeof instant === 'number' ? 0 : instant.nanos;
}

function inNanoseconds(instant: Instant): Integer {
  return exactSum(exactProduct(millisOf(instant), 1e6), nanosOf(instant));
}

function fromNanoseconds(nanoseconds: Integer): Instant {
  const { quotient, rest } = floorDivision(nanoseconds, 1e6);
  return instantOf(quotient, rest);
}

/** Returns an instant moved by a duration, which may be negative: `now - 7d`. */
export function shiftInstant(instant: Instant, by: Duration): Instant {
  return fromNanoseconds(exactSum(inNanoseconds(instant), by));
}

const minuteMillis = 60_000;
const dayMillis = 24 * 60 * minuteMillis;

/**
 * Parses an RFC 3339 string as whole milliseconds; NaN if it is invalid or has a fraction of a millisecond. Allocates nothing,
 * because it is called in loops over many rows. {@link timeKind} parses every valid string.
 */
export function readMillis(text: string): number {
  const seconds = readToSeconds(text);
  if (Number.isNaN(seconds)) return NaN;
  const code = text.charCodeAt(19);
  if (text.length === 20) return code === upperZ || code === lowerZ ? seconds : NaN;
  if (code !== point) return seconds + readOffset(text, 19);
  const end = skipDigits(text, 20);
  if (end === 20 || end > 23) return NaN;
  let millis = 0;
  for (let at = 20; at < 23; at += 1) millis = millis * 10 + (at < end ? text.charCodeAt(at) - zero : 0);
  return seconds + millis + readOffset(text, end);
}

/** Like {@link readMillis}, but also parses up to nine digits of a fraction; further digits are dropped. */
function parseTimestamp(text: string): Instant | null {
  const whole = readMillis(text);
  if (!Number.isNaN(whole)) return whole;
  const seconds = readToSeconds(text);
  if (Number.isNaN(seconds) || text.charCodeAt(19) !== point) return null;
  const end = skipDigits(text, 20);
  const millis = seconds + readOffset(text, end);
  if (end === 20 || Number.isNaN(millis)) return null;
  const nanos = Number(text.slice(20, Math.min(end, 29)).padEnd(9, '0'));
  return instantOf(millis + Math.floor(nanos / 1e6), nanos % 1e6);
}

/** Parses `2026-11-01T08:00:00` at the start of a string, in milliseconds as if it were in UTC; NaN for anything else. */
function readToSeconds(text: string): number {
  const separator = text.charCodeAt(10);
  if (separator !== upperT && separator !== lowerT) return NaN;
  if (text.charCodeAt(13) !== colon || text.charCodeAt(16) !== colon) return NaN;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (hour > 23 || minute > 59 || second > 59) return NaN;
  return readDate(text) + ((hour * 60 + minute) * 60 + second) * 1000;
}

/** Parses `2026-11-01` at the start of a string, as midnight in milliseconds; NaN for anything else, including invalid dates. */
function readDate(text: string): number {
  if (text.charCodeAt(4) !== minus || text.charCodeAt(7) !== minus) return NaN;
  const century = twoDigits(text, 0);
  const yearWithin = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century > 99 || yearWithin > 99 || month < 1 || month > 12 || day < 1) return NaN;
  const year = century * 100 + yearWithin;
  if (day > 28 && day > daysIn(year, month)) return NaN;
  return dayNumber(year, month, day) * dayMillis;
}

/** Parses `Z` or `+01:00` between an index and the end. Returns the milliseconds to add; NaN if it is invalid. */
function readOffset(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  if (text.length === at + 1 && (sign === upperZ || sign === lowerZ)) return 0;
  if (text.length !== at + 6 || text.charCodeAt(at + 3) !== colon) return NaN;
  const hours = twoDigits(text, at + 1);
  const minutes = twoDigits(text, at + 4);
  if (hours > 23 || minutes > 59 || (sign !== plus && sign !== minus)) return NaN;
  const offset = (hours * 60 + minutes) * minuteMillis;
  return sign === plus ? -offset : offset;
}

const space = 0x20;
const zero = 0x30;
const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;
const colon = 0x3a;
const upperT = 0x54;
const lowerT = 0x74;
const upperZ = 0x5a;
const lowerZ = 0x7a;

/** Returns a two-digit number; more than 99 if the digits are missing. Not NaN, which would slow down every sum. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero;
  const ones = text.charCodeAt(at + 1) - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1000;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) >= zero && text.charCodeAt(at) <= zero + 9) at += 1;
  return at;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Returns the number of days since 1970-01-01 in the Gregorian calendar. Years begin in March, so that a leap day is the last day
 * of its year. They are shifted by 400, so that none is negative and `| 0` equals the floor.
 */
function dayNumber(year: number, month: number, day: number): number {
  const marchYear = (month <= 2 ? year - 1 : year) + 400;
  const marchMonth = month <= 2 ? month + 9 : month - 3;
  const leapDays = ((marchYear / 4) | 0) - ((marchYear / 100) | 0) + ((marchYear / 400) | 0);
  return marchYear * 365 + leapDays + (((153 * marchMonth + 2) / 5) | 0) + day - 1 - daysBefore;
}

/** Days from 1 March of the year -400 to 1970-01-01. */
const daysBefore = 719_468 + 400 * 365 + 97;

/** Returns the instant of a literal: an RFC 3339 timestamp, or a date, which denotes its midnight in UTC. */
export function parseTime(text: string): Instant | null {
  if (text.length !== 10) return parseTimestamp(text);
  const midnight = readDate(text);
  return !Number.isNaN(midnight) ? midnight : null;
}

/** Reads a string as written, or a Date (also one of another realm) as its instant. */
function readTime(value: unknown): Instant | null {
  if (typeof value === 'string') return parseTimestamp(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || classOf(value) !== 'Date')
    return null;
  return Date.prototype.getTime.call(value);
}

/** Go's `time.Time{}`. */
const firstInstant = '0001-01-01T00:00:00Z';

const common = {
  name: 'time',
  noun: 'time',
  examples: [],
  compare: compareInstants,
  sort: compareInstants,
  blocks: null,
} as const;

/** RFC 3339 timestamps or Dates. An absent one is Go's `time.Time{}`. Leap seconds (`:60`) are invalid. */
export const timeKind: InstanceKind<Instant> = Object.freeze({
  ...common,
  isText: true,
  readWeight: 2,
  expected: 'an instant such as 2026-11-01T08:00:00Z, or a date',
  zero: readMillis(firstInstant),
  zeroText: firstInstant,
  position: { isInteger: true as const, of: inNanoseconds },
  parse: parseTime,
  read: readTime,
  inUnit: () => null,
});

/** Like {@link timeKind}, but accepts strings without a zone, dates, and a space before the time. These are in UTC. */
export const utcTimeKind: InstanceKind<Instant> = Object.freeze({
  ...timeKind,
  read: (value: unknown) => readTime(value) ?? (typeof value === 'string' ? readLocal(value) : null),
});

function readLocal(text: string): Instant | null {
  if (text.length === 10) return parseTime(text);
  const separated = text.charCodeAt(10) === space ? `${text.slice(0, 10)}T${text.slice(11)}` : text;
  return parseTimestamp(separated) ?? parseTimestamp(`${separated}Z`);
}

/**
 * Returns the kind of instants stored as integers since 1970 in a unit. Integers without a unit in filters have that unit too.
 */
export function timeKindIn(unit: TimeUnit): InstanceKind<Instant> {
  const size = timeUnits[unit];
  const toInstant = (integer: Integer | null): Instant | null => {
    if (integer === null) return null;
    return size >= 1e6
      ? instantOf(exactProduct(integer, size / 1e6), 0)
      : fromNanoseconds(exactProduct(integer, size));
  };
  return Object.freeze({
    ...common,
    isText: false,
    readWeight: 30,
    expected: `an instant such as 2026-11-01T08:00:00Z, a date, or an integer (in ${unit} since 1970)`,
    zero: 0,
    zeroText: null,
    position: null,
    parse: (text: string) => toInstant(parseInteger(text)) ?? parseTime(text),
    read: (value: unknown) => toInstant(readInteger(value)),
    inUnit: (instant: Instant) => boundIn(inNanoseconds(instant), size),
  });
}
