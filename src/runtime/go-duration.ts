const unitNanoseconds: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const maxDuration = 2n ** 63n - 1n;
/** Maximum length of a duration, in characters. No duration that fits in 64 bits needs more, and parsing takes quadratic time. */
const maxTextLength = 100;
const part = /([0-9]*)(?:\.([0-9]*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/**
 * Parses a duration like Go's `time.ParseDuration`: `300ms`, `1m30s`, `-1.5h`, `0`. A number without a unit is invalid.
 *
 * @returns nanoseconds within 64 bits, or null when the text is no duration.
 */
export function parseGoDuration(text: string): bigint | null {
  if (text.length > maxTextLength) return null;
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') return null;

  let total = 0n;
  for (let at = 0; at < body.length;) {
    part.lastIndex = at;
    const match = part.exec(body);
    if (match === null) return null;
    const [whole, integer = '', fraction = '', unit = ''] = match;
    if (integer === '' && fraction === '') return null;
    total += partNanoseconds(integer, fraction, unitNanoseconds.get(unit) ?? 0n);
    at += whole.length;
  }
  if (total > maxDuration) return null;
  return negative ? -total : total;
}

/** Fractions of a nanosecond are truncated, as in Go. */
function partNanoseconds(integer: string, fraction: string, unit: bigint): bigint {
  const scale = 10n ** BigInt(fraction.length);
  return BigInt(integer || '0') * unit + (BigInt(fraction || '0') * unit) / scale;
}
