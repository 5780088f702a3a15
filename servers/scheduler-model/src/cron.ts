import { quote } from './quote.js';

// Not croner: it runs jobs in the spring gap after it, expects seconds first if there are six fields, and its messages name no
// field. Clients would see all three.

/** A timetable: the times that a cron expression names, in a time zone. */
export interface Timetable {
  /** The first time after `after`; null for none within the next years. Milliseconds since 1970. */
  next(after: number): number | null;
}

/** A cron expression or a time zone that cannot be read. The message says what is wrong with it. */
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
  /** 7 is Sunday once more. */
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

/** Longest expression. Stops texts that are long to take apart. */
const maxLength = 256;
/** Days that are searched: February 29th may be eight years away. */
const searchedDays = 366 * 9;

interface Times {
  readonly second: readonly number[];
  readonly minute: readonly number[];
  readonly hour: readonly number[];
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly weekday: ReadonlySet<number>;
  readonly year: ReadonlySet<number>;
  /** Of two restricted kinds of days either will do; of one, it must. */
  readonly eitherDay: boolean;
}

/**
 * Reads a cron expression: five fields (minute, hour, day of the month, month, day of the week), a sixth for the year, a
 * seventh before them for the second, or a word such as `@daily`. Fields hold `*`, numbers, names, ranges, steps, lists.
 *
 * @param zone an IANA time zone; empty for UTC. A time that the clocks skip in spring is skipped, and one that they
 *   show twice in autumn counts once.
 * @throws CronError
 */
export function parseCron(expression: string, zone: string): Timetable {
  const toWall = wallClock(zone);
  const times = parseTimes(expression);
  return { next: (after) => nextTime(times, after, toWall) };
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
  const weekdays = parseField(weekday, fields.weekday).map((value) => value % 7);
  return {
    second: parseField(second, fields.second),
    minute: parseField(minute, fields.minute),
    hour: parseField(hour, fields.hour),
    day: new Set(parseField(day, fields.day)),
    month: new Set(parseField(month, fields.month)),
    weekday: new Set(weekdays),
    year: new Set(parseField(year, fields.year)),
    eitherDay: !isAny(day) && !isAny(weekday),
  };
}

function isAny(text: string): boolean {
  return text === '*' || text === '?';
}

/** The values of a field, ascending. */
function parseField(text: string, field: Field): number[] {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\*|\?|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,4}))?$/.exec(part);
    if (match === null) throw new CronError(`cannot read ${quote(part)} in the ${field.name}`);
    const [, from = '', to, step] = match;
    const isWhole = isAny(from);
    const first = isWhole ? field.min : parseValue(from, field);
    const last =
      to !== undefined ? parseValue(to, field) : isWhole || step !== undefined ? field.max : first;
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

/** A time of day on a date, as if it were UTC: milliseconds since 1970. */
type Wall = number;

/** The clocks of a zone. @throws CronError for an unknown zone. */
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

function nextTime(times: Times, after: number, toWall: (time: number) => Wall): number | null {
  const start = Math.floor(after / 1000) * 1000 + 1000;
  const today = Math.floor(toWall(start) / dayLength) * dayLength;
  for (let count = 0; count < searchedDays; count += 1) {
    const date = today + count * dayLength;
    if (!isDay(times, new Date(date))) continue;
    const found = firstOnDay(times, date, start, toWall);
    if (found !== null) return found;
  }
  return null;
}

function isDay({ day, month, weekday, year, eitherDay }: Times, date: Date): boolean {
  if (!month.has(date.getUTCMonth() + 1) || !year.has(date.getUTCFullYear())) return false;
  const byDay = day.has(date.getUTCDate());
  const byWeekday = weekday.has(date.getUTCDay());
  return eitherDay ? byDay || byWeekday : byDay && byWeekday;
}

function firstOnDay(
  { hour, minute, second }: Times,
  date: Wall,
  start: number,
  toWall: (time: number) => Wall,
): number | null {
  const earliest = toWall(start);
  for (const h of hour) {
    if (date + (h + 1) * 3_600_000 <= earliest) continue;
    for (const m of minute) {
      for (const s of second) {
        const wall = date + ((h * 60 + m) * 60 + s) * 1000;
        const time = wall < earliest ? null : fromWall(wall, toWall);
        if (time !== null && time >= start) return time;
      }
    }
  }
  return null;
}

/** The first time at which the clocks show this; null when they skip it. */
function fromWall(wall: Wall, toWall: (time: number) => Wall): number | null {
  for (const around of [wall - dayLength, wall + dayLength]) {
    const time = wall - (toWall(around) - around);
    if (toWall(time) === wall) return time;
  }
  return null;
}
