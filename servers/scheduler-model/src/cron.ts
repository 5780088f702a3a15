import { quote } from './quote.js';

// The croner library is not used: it runs jobs skipped by the spring gap after the gap, expects seconds first in six fields, and
// its messages name no field. Clients would notice all three.

/** The times that a cron expression selects in a time zone. */
export interface Timetable {
  /** Returns the first time after `after`, in ms since 1970; null if none exists within the next years. */
  next(after: number): number | null;
}

/** An invalid cron expression or time zone. The message names the mistake. */
export class CronError extends Error {
  override readonly name = 'CronError';
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly words: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields = {
  second: { name: 'seconds', min: 0, max: 59, words: [] },
  minute: { name: 'minutes', min: 0, max: 59, words: [] },
  hour: { name: 'hours', min: 0, max: 23, words: [] },
  day: { name: 'days of the month', min: 1, max: 31, words: [] },
  month: { name: 'months', min: 1, max: 12, words: months },
  /** Both 0 and 7 are Sunday. */
  weekday: { name: 'days of the week', min: 0, max: 7, words: days },
  year: { name: 'years', min: 1970, max: 2099, words: [] },
} as const satisfies Readonly<Record<string, Field>>;

const shorthands: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Maximum length of an expression. Prevents long parsing. */
const maxLength = 256;
/** Maximum number of days to search: February 29th may be eight years away. */
const searchedDays = 366 * 9;

/** Whether a field selects a date. */
type DayTest = (date: Date) => boolean;

interface Times {
  readonly second: readonly number[];
  readonly minute: readonly number[];
  readonly hour: readonly number[];
  readonly month: ReadonlySet<number>;
  readonly year: ReadonlySet<number>;
  readonly isDay: DayTest;
  /** Whether times that occur twice in autumn are selected twice: the seconds, minutes or hours start with `*`. */
  readonly isWildcard: boolean;
}

/**
 * Reads a cron expression: five fields (minute, hour, day of the month, month, day of the week), a sixth for the year, a
 * seventh before them for the second, or a word such as `@daily`. Fields hold `*`, numbers, names, ranges, steps, lists. Days of
 * the month may be `L` (the last), `L-3`, `LW` (the last of Monday to Friday) and `15W` (the nearest of those in the month), days
 * of the week `5L` (the last Friday) and `5#3` (the third).
 *
 * @param zone an IANA time zone; empty for UTC. A time that the clocks skip in spring is skipped. One that they show twice in
 *   autumn comes once, or twice if the seconds, minutes or hours begin with `*`: then it keeps its period.
 * @throws CronError
 */
export function parseCron(expression: string, zone: string): Timetable {
  const clocks = zoneClocks(zone);
  const times = parseTimes(expression);
  return { next: (after) => nextTime(times, after, clocks) };
}

function parseTimes(expression: string): Times {
  if (expression.length > maxLength) throw new CronError(`is longer than ${maxLength} characters`);
  const text = expression.trim().toLowerCase();
  const parts = (shorthands.get(text) ?? text).split(/\s+/);
  if (text.startsWith('@') && !shorthands.has(text)) throw new CronError(`unknown word ${quote(text)}`);
  if (parts.length < 5 || parts.length > 7) {
    throw new CronError(`expected 5 to 7 fields, found ${text === '' ? 0 : parts.length}`);
  }
  const [second = '0', minute = '', hour = '', day = '', month = '', weekday = '', year = '*'] =
    parts.length === 7 ? parts : ['0', ...parts];
  const byDay = parseDays(day, fields.day, (date) => date.getUTCDate(), readMonthDay);
  const byWeekday = parseDays(weekday, fields.weekday, (date) => date.getUTCDay(), readWeekday);
  // If both kinds of days are restricted, either may match.
  const isEither = !isAny(day) && !isAny(weekday);
  return {
    second: parseField(second, fields.second),
    minute: parseField(minute, fields.minute),
    hour: parseField(hour, fields.hour),
    month: new Set(parseField(month, fields.month)),
    year: new Set(parseField(year, fields.year)),
    isDay: (date) => (isEither ? byDay(date) || byWeekday(date) : byDay(date) && byWeekday(date)),
    isWildcard: [second, minute, hour].some((field) => field.startsWith('*')),
  };
}

function isAny(text: string): boolean {
  return text.split(',').some((part) => part === '*' || part === '?');
}

/** Parses a field of days, which may contain values and special days. */
function parseDays(
  text: string,
  field: Field,
  valueOf: (date: Date) => number,
  readSpecial: (part: string) => DayTest | null,
): DayTest {
  const tests: DayTest[] = [];
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const special = readSpecial(part);
    if (special !== null) tests.push(special);
    else
      for (const value of parseField(part, field)) values.add(field === fields.weekday ? value % 7 : value);
  }
  return (date) => values.has(valueOf(date)) || tests.some((test) => test(date));
}

/** Parses `L`, `L-3`, `LW`, `15W`; null for other parts. */
function readMonthDay(part: string): DayTest | null {
  if (part === 'lw') return (date) => date.getUTCDate() === workdayNear(date, lastOfMonth(date));
  const [last, before = '0'] = /^l(?:-(\d{1,2}))?$/.exec(part) ?? [];
  if (last !== undefined) {
    return (date) => date.getUTCDate() === Math.max(1, lastOfMonth(date) - Number(before));
  }
  const day = /^(\d{1,2})w$/.exec(part)?.[1];
  if (day === undefined) return null;
  const target = parseValue(day, fields.day);
  return (date) => target <= lastOfMonth(date) && date.getUTCDate() === workdayNear(date, target);
}

/** Parses `5L`, `5#3`; null for other parts. */
function readWeekday(part: string): DayTest | null {
  const [, day, week] = /^([a-z0-9]+)(?:l|#([1-5]))$/.exec(part) ?? [];
  if (day === undefined) return null;
  const weekday = parseValue(day, fields.weekday) % 7;
  const isInWeek = (date: Date): boolean =>
    week === undefined
      ? date.getUTCDate() > lastOfMonth(date) - 7
      : Math.ceil(date.getUTCDate() / 7) === Number(week);
  return (date) => date.getUTCDay() === weekday && isInWeek(date);
}

function lastOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** Returns the day from Monday to Friday nearest to a day, in the same month. */
function workdayNear(date: Date, day: number): number {
  const weekday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay();
  if (weekday === 6) return day > 1 ? day - 1 : day + 2;
  if (weekday === 0) return day < lastOfMonth(date) ? day + 1 : day - 2;
  return day;
}

/** Returns the values of a field, ascending. */
function parseField(text: string, field: Field): number[] {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\*|\?|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,4}))?$/.exec(part);
    if (match === null) throw new CronError(`cannot read ${quote(part)} in the ${field.name}`);
    const [, from = '', to, step] = match;
    const isWhole = isAny(from);
    const first = isWhole ? field.min : parseValue(from, field);
    const isSunday = field === fields.weekday && /^sun/.test(to ?? '') && first > 0;
    const last = isSunday
      ? 7
      : to !== undefined
        ? parseValue(to, field)
        : isWhole || step !== undefined
          ? field.max
          : first;
    const width = Number(step ?? 1);
    if (last < first || width === 0 || (isWhole && to !== undefined)) {
      throw new CronError(`${quote(part)} in the ${field.name} is empty`);
    }
    for (let value = first; value <= last; value += width) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

function parseValue(text: string, { name, min, max, words }: Field): number {
  const word = words.indexOf(text.slice(0, 3));
  const isWord = word !== -1 && /^[a-z]+$/.test(text);
  const value = isWord ? word + min : /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new CronError(`${quote(text)} is none of the ${name}, ${min} to ${max}`);
}

/** A local date and time, encoded like UTC in ms since 1970. */
type Wall = number;

/** Returns the local time of a zone. @throws CronError for an unknown zone. */
function wallClock(zone: string): (time: number) => Wall {
  if (zone === '' || zone === 'UTC') return (time) => time;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      ...{
        timeZone: zone,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
      },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  } catch {
    throw new CronError(`unknown time zone ${quote(zone)}`);
  }
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const get = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
  };
}

const dayLength = 86_400_000;

function nextTime(times: Times, after: number, clocks: ZoneClocks): number | null {
  const start = Math.floor(after / 1000) * 1000 + 1000;
  const today = Math.floor(clocks.toWall(start) / dayLength) * dayLength;
  // Local time may go back to the previous day.
  for (let count = -1; count < searchedDays; count += 1) {
    const date = today + count * dayLength;
    if (!isDay(times, new Date(date))) continue;
    const found = firstOnDay(times, date, start, clocks);
    if (found !== null) return found;
  }
  return null;
}

function isDay({ month, year, isDay: isNamed }: Times, date: Date): boolean {
  return month.has(date.getUTCMonth() + 1) && year.has(date.getUTCFullYear()) && isNamed(date);
}

/** Returns the first time at or after `start` whose local date is this one. */
function firstOnDay(times: Times, date: Wall, start: number, { offsetsOn }: ZoneClocks): number | null {
  const { before, after, change } = offsetsOn(date);
  const earlier = start < change ? firstWall(times, date, start + before) : null;
  if (earlier !== null && earlier - before < change) return earlier - before;
  if (before === after) return null;
  const from = Math.max(start, change) + after;
  const later = firstWall(times, date, times.isWildcard ? from : Math.max(from, change + before));
  return later === null ? null : later - after;
}

/** Offsets of a zone from UTC on a date, in ms, before and after its clock change. */
interface DayOffsets {
  readonly before: number;
  readonly after: number;
  /** Infinity if they do not change. */
  readonly change: number;
}

/** Maximum number of dates with cached offsets. */
const maxKnownDates = 8;

type ZoneClocks = ReturnType<typeof zoneClocks>;

/** @throws CronError for an unknown zone. */
function zoneClocks(zone: string) {
  const toWall = wallClock(zone);
  const offsetAt = (time: number): number => toWall(time) - time;
  /** Caches the last dates, because most calls are about the same ones. */
  const known = new Map<Wall, DayOffsets>();

  function findOffsets(date: Wall): DayOffsets {
    // No zone is more than 14 hours from UTC.
    const [from, to] = [date - dayLength, date + 2 * dayLength];
    const [before, after] = [offsetAt(from), offsetAt(to)];
    if (before === after) return { before, after, change: Infinity };
    return { before, after, change: findChange(from, to, (time) => offsetAt(time) === before) };
  }

  return {
    toWall,
    offsetsOn: (date: Wall): DayOffsets => {
      const offsets = known.get(date) ?? findOffsets(date);
      if (known.size >= maxKnownDates) known.clear();
      known.set(date, offsets);
      return offsets;
    },
  };
}

/** Returns the first time between two times at which a condition no longer holds. */
function findChange(from: number, to: number, isSo: (time: number) => boolean): number {
  let [low, high] = [from, to];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (isSo(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Returns the first selected local time of a date at or after `from`; null if none exists. */
function firstWall({ hour, minute, second }: Times, date: Wall, from: Wall): Wall | null {
  for (const h of hour) {
    if (date + (h + 1) * 3_600_000 <= from) continue;
    for (const m of minute) {
      for (const s of second) {
        const wall = date + ((h * 60 + m) * 60 + s) * 1000;
        if (wall >= from) return wall;
      }
    }
  }
  return null;
}
