import { parseGoDuration } from '@tamis/http';

/** Maximum seconds in a 64-bit count of nanoseconds. Prevents sums of lifetimes from losing precision. */
const maxSeconds = 9_223_372_036;
const wholeNumber = /^[+-]?\d{1,18}$/;
const wholeDays = /^([+-]?\d{1,18})d$/;

/**
 * Reads a duration: whole seconds as a number or a string, whole days (`2d`), or units of hours and below (`1h30m`, `500ms`).
 * Fractions of a second are dropped; an empty string is 0. Implemented directly, because packages read a bare number as
 * milliseconds.
 *
 * @returns seconds, possibly negative, or null if the value is not a duration.
 */
export function readSeconds(value: unknown): number | null {
  const seconds = typeof value === 'string' ? textSeconds(value.trim()) : value;
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds)) return null;
  return Math.abs(seconds) <= maxSeconds ? seconds : null;
}

function textSeconds(text: string): number | null {
  if (text === '') return 0;
  if (wholeNumber.test(text)) return Number(text);
  const days = wholeDays.exec(text)?.[1];
  if (days !== undefined) return Number(days) * 86_400;
  const nanoseconds = parseGoDuration(text);
  return nanoseconds === null ? null : Number(nanoseconds / 1_000_000_000n);
}
