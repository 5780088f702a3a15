// Units as people write them behind a number.

/** Words for units, whatever their case, and the unit that each is; the exact names are found before. */
const units: readonly (readonly [words: string, unit: string])[] = [
  ['ns|nanos(?:econds?)?', 'ns'],
  ['us|µs|micros(?:econds?)?', 'us'],
  ['ms|msecs?|millis(?:econds?)?', 'ms'],
  ['s|secs?|seconds?', 's'],
  ['m|mins?|minutes?', 'm'],
  ['h|hrs?|hours?', 'h'],
  ['d|days?', 'd'],
  ['w|wks?|weeks?', 'w'],
  ['b|bytes?', 'B'],
  ['kb|kilobytes?', 'kB'],
  ['mb|megabytes?', 'MB'],
  ['gb|gigabytes?', 'GB'],
  ['kib|kibibytes?', 'KiB'],
  ['mib|mebibytes?', 'MiB'],
  ['gib|gibibytes?', 'GiB'],
];

/** A pattern that finds them where case does not count. The longest comes first. */
export const unitPattern = units
  .map(([words]) => words)
  .reverse()
  .join('|');

/** The unit of the language that a word stands for. */
export function shortUnit(word: string): string {
  const known = units.find(([words]) => new RegExp(`^(?:${words})$`, 'i').test(word));
  return known?.[1] ?? word;
}
