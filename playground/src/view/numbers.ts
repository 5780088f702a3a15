const counts = new Intl.NumberFormat('en');

/** A count with separators: 12,345. */
export function countText(count: number): string {
  return counts.format(count);
}

/** A count and its noun: 1 row, 2 rows. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Milliseconds as people read them: 0.04 ms, 8.2 ms, 1.25 s. */
export function timeText(millis: number): string {
  if (millis >= 1_000) return `${(millis / 1_000).toFixed(2)} s`;
  return `${millis >= 1 ? millis.toFixed(1) : millis.toFixed(2)} ms`;
}
