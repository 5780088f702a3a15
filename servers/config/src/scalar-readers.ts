import { parseGoBool, parseGoDuration } from '@tamis/http';
import { describeKind } from './config-tree.js';
import { checked, onlyOccurrence, type GivenValue, type Reader } from './reader.js';
import { suggestName } from './suggest.js';

/** Returns a reader of single values. `convert` returns `undefined` for invalid values. */
function scalar<T>(
  expected: string,
  convert: (value: GivenValue) => T | undefined,
  describe: (value: GivenValue) => string = found,
): Reader<T> {
  return {
    form: 'text',
    read(given, report) {
      const only = onlyOccurrence(given, report);
      if (only === undefined) return undefined;
      const { value } = only;
      const read = convert(value);
      if (read === undefined) {
        report.mistake(value.at, given.path, `expected ${expected}, found ${describe(value)}`);
      }
      return read;
    },
  };
}

/** Describes a value for messages: short, and without control characters. */
function found(value: GivenValue): string {
  if (value.kind === 'number') return value.text.slice(0, maxQuotedLength);
  if (value.kind !== 'text') return describeKind(value);
  const displayDefault =
    value.value.length > maxQuotedLength ? `${value.value.slice(0, maxQuotedLength)}…` : value.value;
  return JSON.stringify(displayDefault);
}

const maxQuotedLength = 40;

export interface TextOptions {
  /** Whether numbers and booleans are accepted, as strings in the form in which they were written. */
  readonly scalars?: boolean;
}

/** Returns a reader of a string. Messages do not show other values, which may be a password without quotes. */
export function text({ scalars = false }: TextOptions = {}): Reader<string> {
  return scalar(
    'a string',
    (value) => {
      if (value.kind === 'text') return value.value;
      if (!scalars) return undefined;
      if (value.kind === 'number') return value.text;
      return value.kind === 'bool' ? String(value.value) : undefined;
    },
    describeKind,
  );
}

/** Returns a reader of a non-empty string. */
export function someText(): Reader<string> {
  return checked(text(), (value) => value !== '', 'must not be empty');
}

export interface ChoiceOptions {
  /** Whether the case is ignored. */
  readonly ignoreCase?: boolean;
}

/** Returns a reader that accepts one of the given strings. */
export function choice<const T extends string>(
  words: readonly T[],
  { ignoreCase = false }: ChoiceOptions = {},
): Reader<T> {
  const fold = (word: string): string => (ignoreCase ? word.toLowerCase() : word);
  return {
    form: 'text',
    read(given, report) {
      const only = onlyOccurrence(given, report);
      if (only === undefined) return undefined;
      const { value } = only;
      const word =
        value.kind === 'text' ? words.find((candidate) => fold(candidate) === fold(value.value)) : undefined;
      if (word !== undefined) return word;
      const near = value.kind === 'text' ? suggestName(value.value, words) : null;
      const hint = near === null ? '' : `: did you mean ${JSON.stringify(near)}?`;
      const expected = words.map((candidate) => JSON.stringify(candidate)).join(', ');
      report.mistake(value.at, given.path, `expected one of ${expected}, found ${found(value)}${hint}`);
      return undefined;
    },
  };
}

/** Returns a reader of a boolean: `true`, `"true"`, `1` and the other forms of Go's `strconv.ParseBool`. */
export function bool(): Reader<boolean> {
  const reader = scalar('true or false', (value) => {
    if (value.kind === 'bool') return value.value;
    if (value.kind === 'text') return parseGoBool(value.value) ?? undefined;
    return value.kind === 'number' ? (parseGoBool(value.text) ?? undefined) : undefined;
  });
  return { ...reader, form: 'switch' };
}

export interface IntOptions {
  readonly min?: number;
  readonly max?: number;
}

/** Returns a reader of an integer, also as a string of digits. */
export function int({
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
}: IntOptions = {}): Reader<number> {
  return scalar(describeRange(min, max), (value) => {
    const number =
      value.kind === 'text' ? readDigits(value.value) : value.kind === 'number' ? value.value : NaN;
    return Number.isSafeInteger(number) && number >= min && number <= max ? number : undefined;
  });
}

function readDigits(digits: string): number {
  return /^[+-]?\d{1,20}$/.test(digits) ? Number(digits) : NaN;
}

function describeRange(min: number, max: number): string {
  if (max !== Number.MAX_SAFE_INTEGER) {
    return min === Number.MIN_SAFE_INTEGER
      ? `a whole number of at most ${max}`
      : `a whole number from ${min} to ${max}`;
  }
  return min === Number.MIN_SAFE_INTEGER ? 'a whole number' : `a whole number of at least ${min}`;
}

export interface DurationOptions {
  /** Whether numbers and strings of digits are accepted, as seconds. */
  readonly seconds?: boolean;
  /** Whether whole days are accepted, such as `"2d"`. */
  readonly days?: boolean;
  /** Minimum, in ns. */
  readonly min?: bigint;
  readonly max?: bigint;
}

const nanosecondsPerSecond = 1_000_000_000n;
const nanosecondsPerDay = 86_400n * nanosecondsPerSecond;

/** Returns a reader of a duration in ns, such as `"30s"` or `"1h30m"`, as in Go's `time.ParseDuration`. */
export function duration({ seconds = false, days = false, min, max }: DurationOptions = {}): Reader<bigint> {
  const bounds = [
    ...(min === undefined ? [] : [`at least ${describeDuration(min)}`]),
    ...(max === undefined ? [] : [`at most ${describeDuration(max)}`]),
  ].join(' and ');
  return scalar(
    `a duration such as "1m30s"${days ? ' or "2d"' : ''}${bounds === '' ? '' : ` of ${bounds}`}`,
    (value) => {
      const written = value.kind === 'text' ? value.value : value.kind === 'number' ? value.text : '';
      const nanoseconds =
        value.kind === 'text' && parseGoDuration(written) !== null
          ? parseGoDuration(written)
          : seconds && /^\d{1,10}$/.test(written)
            ? BigInt(written) * nanosecondsPerSecond
            : days && /^\d{1,5}d$/.test(written)
              ? BigInt(written.slice(0, -1)) * nanosecondsPerDay
              : null;
      if (nanoseconds === null) return undefined;
      if (min !== undefined && nanoseconds < min) return undefined;
      return max !== undefined && nanoseconds > max ? undefined : nanoseconds;
    },
  );
}

/** Returns a duration in the largest unit that divides it. */
function describeDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const [unit = 'ns', size = 1n] = units.find(([, each]) => nanoseconds % each === 0n) ?? [];
  return `${nanoseconds / size}${unit}`;
}

const units: readonly (readonly [unit: string, nanoseconds: bigint])[] = [
  ['h', 3_600n * nanosecondsPerSecond],
  ['m', 60n * nanosecondsPerSecond],
  ['s', nanosecondsPerSecond],
  ['ms', 1_000_000n],
];
