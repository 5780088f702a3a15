const counts = new Intl.NumberFormat('en');
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** Formats a count with thousands separators. */
export function countText(count: number): string {
  return counts.format(count);
}

/** Formats a count with its noun: `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
];

/** Formats a duration in its largest unit: `3m`, `2d`. */
export function lengthText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const [size, unit] = steps.find(([min]) => seconds >= min) ?? [1, 's'];
  return `${countText(Math.floor(seconds / size))}${unit}`;
}

/** Formats a duration given in ns: `0.4 ms`, `1.2 s`. */
export function durationText(nanoseconds: number): string {
  const milliseconds = nanoseconds / 1e6;
  return milliseconds < 1_000
    ? `${milliseconds.toLocaleString('en', { maximumSignificantDigits: 2 })} ms`
    : `${(milliseconds / 1_000).toLocaleString('en', { maximumSignificantDigits: 3 })} s`;
}

/** Formats a complete time, for titles; empty for none. */
export function instantText(milliseconds: number): string {
  return milliseconds > 0 ? dates.format(milliseconds) : '';
}

/** Returns the first part of a UUID, which is enough for users to identify it. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id) ? id.slice(0, 8) : id;
}
