const second = 1_000;
const units: readonly (readonly [name: string, milliseconds: number])[] = [
  ['d', 86_400 * second],
  ['h', 3_600 * second],
  ['m', 60 * second],
  ['s', second],
];

/** Formats a duration in ms in its two largest units: `1h5m`, `12s`. */
export function formatSpan(milliseconds: number): string {
  if (milliseconds < second) return `${Math.max(0, Math.round(milliseconds))}ms`;
  const at = units.findIndex(([, size]) => milliseconds >= size);
  const [name = 's', size = second] = units[at] ?? [];
  const whole = Math.floor(milliseconds / size);
  const [smaller, part = 1] = units[at + 1] ?? [];
  const rest = smaller === undefined ? 0 : Math.floor((milliseconds - whole * size) / part);
  return `${whole}${name}${rest > 0 ? `${rest}${smaller}` : ''}`;
}

/** Formats how long ago something happened: `3m2s ago`; empty for the zero time. @param now in ms since 1970. */
export function formatAge(milliseconds: number, now: number): string {
  if (!Number.isFinite(milliseconds) || milliseconds <= 0) return '';
  const age = now - milliseconds;
  return age < 0 ? `in ${formatSpan(-age)}` : age < second ? 'now' : `${formatSpan(age)} ago`;
}

/** Converts a timestamp in ns, which may exceed the safe integers, to ms since 1970. */
export function millisecondsOf(nanoseconds: number | bigint): number {
  return Number(nanoseconds) / 1_000_000;
}
