// Units in common spellings, as written after a number, in any case.

type Words = readonly (readonly [words: string, unit: string])[];

/** Units of durations. */
export const durationWords: Words = [
  ['ns|nanos(?:econds?)?', 'ns'],
  ['us|µs|micros(?:econds?)?', 'us'],
  ['milliseconds?|millis|msecs?|ms', 'ms'],
  ['seconds?|secs?|s', 's'],
  ['minutes?|mins?|m', 'm'],
  ['hours?|hrs?|h', 'h'],
  ['days?|d', 'd'],
  ['weeks?|w', 'w'],
];

const units: Words = [
  ...durationWords,
  ['bytes?|b', 'B'],
  ['kilobytes?|kb', 'kB'],
  ['megabytes?|mb', 'MB'],
  ['gigabytes?|gb', 'GB'],
  ['kibibytes?|kib', 'KiB'],
  ['mebibytes?|mib', 'MiB'],
  ['gibibytes?|gib', 'GiB'],
];

/** Pattern for all unit words. The pattern after it must check that the word ends there. */
export const unitPattern = units.map(([words]) => words).join('|');

/** Returns the unit symbol for a word. */
export function shortUnit(word: string): string {
  return units.find(([words]) => new RegExp(`^(?:${words})$`, 'i').test(word))?.[1] ?? word;
}
