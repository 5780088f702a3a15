import { exactDecimal } from './oracle-exact.js';

/** Nanoseconds in a unit of integer fields. */
export const nanosecondsOf: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
};

const minute = 60_000_000_000n;
const hour = 60n * minute;

/** RFC 3339, in nanoseconds since 1970; null for anything else. What is finer than a nanosecond does not count. */
export function instantOf(text: string): bigint | null {
  const form = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
  const found = form.exec(text);
  if (found === null) return null;
  const [, year, month, day, hours, minutes, seconds, fraction = '', sign = '+', offHours = '0', off = '0'] =
    found;
  const start = midnightOf(`${year}-${month}-${day}`);
  if (start === null || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  if (Number(offHours) > 23 || Number(off) > 59) return null;
  const offset = (BigInt(offHours) * 60n + BigInt(off)) * minute * (sign === '-' ? -1n : 1n);
  const clock =
    BigInt(hours ?? 0) * hour + BigInt(minutes ?? 0) * minute + BigInt(seconds ?? 0) * 1_000_000_000n;
  return start + clock + BigInt(fraction.slice(0, 9).padEnd(9, '0')) - offset;
}

/** A day as `2026-11-01`: its midnight in UTC. */
export function midnightOf(text: string): bigint | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (found === null) return null;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const date = new Date(0);
  // The year by itself: the constructor takes those below 100 for others.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null;
  return BigInt(date.getTime()) * 1_000_000n;
}

export function instantOfDate(date: Date): bigint | null {
  return Number.isNaN(date.getTime()) ? null : BigInt(date.getTime()) * 1_000_000n;
}

const goUnits: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: minute,
  h: hour,
};
const literalUnits: Readonly<Record<string, bigint>> = { ...goUnits, d: 24n * hour, w: 168n * hour };

/** A length of time in nanoseconds, as Go's `time.ParseDuration` reads it; null for anything else. */
export function goDuration(text: string): bigint | null {
  return lengthOf(text, goUnits);
}

/** As {@link goDuration}; days and weeks too. */
export function literalDuration(text: string): bigint | null {
  return lengthOf(text, literalUnits);
}

function lengthOf(text: string, units: Readonly<Record<string, bigint>>): bigint | null {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0n;
  const parts = unsigned.match(/[0-9.]+[^0-9.]+/g) ?? [];
  if (unsigned === '' || parts.join('') !== unsigned) return null;
  let sum = 0n;
  for (const part of parts) {
    const [, number = '', unit = ''] = /^([0-9.]+)(.+)$/.exec(part) ?? [];
    const amount = exactDecimal(number);
    const worth = Object.hasOwn(units, unit) ? units[unit] : undefined;
    if (amount === null || worth === undefined) return null;
    // What is finer than a nanosecond does not count, part by part.
    sum += (amount.top * worth) / amount.bottom;
  }
  const length = text.startsWith('-') ? -sum : sum;
  return length < -(2n ** 63n) || length >= 2n ** 63n ? null : length;
}
