/** A number without rounding: `top / bottom`, with a positive `bottom`. */
export interface Exact {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** A decimal such as `-1.50`; null for anything else. */
export function exactDecimal(text: string): Exact | null {
  const found = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/.exec(text);
  if (found === null) return null;
  const [, sign = '', whole = '', fraction = ''] = found;
  if (whole + fraction === '') return null;
  const top = BigInt(whole + fraction);
  return { top: sign === '-' ? -top : top, bottom: 10n ** BigInt(fraction.length) };
}

/** A finite number, which is a fraction of a power of two. */
function exactNumber(value: number | bigint): Exact {
  if (typeof value === 'bigint') return { top: value, bottom: 1n };
  let top = value;
  let bottom = 1n;
  while (!Number.isInteger(top)) {
    top *= 2;
    bottom *= 2n;
  }
  return { top: BigInt(top), bottom };
}

/** Negative, zero or positive. */
export function compareExact(a: Exact, b: Exact): number {
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Two numbers of any kind; null where one is NaN, which is in no order. */
export function compareNumbers(a: number | bigint | Exact, b: number | bigint | Exact): number | null {
  if (Number.isNaN(a) || Number.isNaN(b)) return null;
  // An infinite number is all that counts: nothing else reaches it.
  if (isInfinite(a) || isInfinite(b))
    return Math.sign((isInfinite(a) ? a : 0) - (isInfinite(b) ? b : 0)) || 0;
  return compareExact(typeof a === 'object' ? a : exactNumber(a), typeof b === 'object' ? b : exactNumber(b));
}

function isInfinite(value: number | bigint | Exact): value is number {
  return value === Infinity || value === -Infinity;
}

export function times({ top, bottom }: Exact, factor: bigint): Exact {
  return { top: top * factor, bottom };
}
