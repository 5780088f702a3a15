import { describe, expect, it } from 'vitest';
import { CronError, parseCron } from '@tamis/scheduler-model/cron.js';

// An independent calculation: it looks at every minute of some days, as the clocks of a zone show it.

/** Zones, with days around which their clocks change. */
const zones: readonly (readonly [zone: string, changes: readonly string[]])[] = [
  ['UTC', ['2026-03-29']],
  ['Europe/Berlin', ['2026-03-29', '2026-10-25']],
  ['America/New_York', ['2026-03-08', '2026-11-01']],
  ['America/Havana', ['2026-03-08', '2026-11-01']],
  ['Australia/Lord_Howe', ['2026-04-05', '2026-10-04']],
  ['Asia/Kolkata', ['2026-10-25']],
];

interface WallTime {
  readonly time: number;
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
  /** Whether the clocks have shown the same before. */
  readonly isAgain: boolean;
}

function wallTimesIn(zone: string, from: number, to: number): WallTime[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const seen = new Set<string>();
  const found: WallTime[] = [];
  for (let time = from; time < to; time += 60_000) {
    const text = format.format(time);
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D+/).map(Number);
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    found.push({ time, minute, hour, day, month, weekday, isAgain: seen.has(text) });
    seen.add(text);
  }
  return found;
}

type FieldCase = readonly [text: string, matches: (value: number) => boolean];

const minutes: readonly FieldCase[] = [
  ['*', () => true],
  ['*/15', (value) => value % 15 === 0],
  ['*/7', (value) => value % 7 === 0],
  ['0', (value) => value === 0],
  ['30', (value) => value === 30],
  ['5,45', (value) => value === 5 || value === 45],
  ['10-20/5', (value) => value >= 10 && value <= 20 && value % 5 === 0],
  ['0-59/20', (value) => value % 20 === 0],
];
const hours: readonly FieldCase[] = [
  ['*', () => true],
  ['*/2', (value) => value % 2 === 0],
  ['2', (value) => value === 2],
  ['0-3', (value) => value <= 3],
  ['1,2,23', (value) => [1, 2, 23].includes(value)],
];
const days: readonly (readonly [text: string, matches: (wallTime: WallTime) => boolean])[] = [
  ['* * *', () => true],
  ['*/2 * *', ({ day }) => day % 2 === 1],
  ['? * sun', ({ weekday }) => weekday === 0],
  ['1,25 * mon', ({ day, weekday }) => day === 1 || day === 25 || weekday === 1],
  ['* mar-oct fri-sun', ({ month, weekday }) => month >= 3 && month <= 10 && [0, 5, 6].includes(weekday)],
];

const schedules = minutes.flatMap(([minute, isMinute]) =>
  hours.flatMap(([hour, isHour]) =>
    days.map(([rest, isDay]) => {
      const isWildcard = `${minute} ${hour}`.includes('*');
      const isDue = (wallTime: WallTime): boolean =>
        isMinute(wallTime.minute) &&
        isHour(wallTime.hour) &&
        isDay(wallTime) &&
        (isWildcard || !wallTime.isAgain);
      return { text: `${minute} ${hour} ${rest}`, isDue };
    }),
  ),
);

describe('the times of a schedule', () => {
  it.each(zones)('of 200 are those of an independent calculation in %s', (zone, changes) => {
    expect(schedules).toHaveLength(200);
    for (const change of changes) {
      const from = Date.parse(`${change}T00:00:00Z`) - 30 * 3_600_000;
      const to = from + 72 * 3_600_000;
      const wallTimes = wallTimesIn(zone, from, to);
      for (const { text, isDue } of schedules) {
        const { next } = parseCron(text, zone);
        const found: number[] = [];
        for (let time = next(from - 1); time !== null && time < to; time = next(time)) found.push(time);
        const expected = wallTimes.filter(isDue).map(({ time }) => time);
        if (found.join() !== expected.join()) expect([text, change, found]).toEqual([text, change, expected]);
      }
    }
  });

  const lastDay = (date: Date): number => {
    const next = new Date(date);
    let last = date.getUTCDate();
    for (; next.getUTCMonth() === date.getUTCMonth(); next.setUTCDate(next.getUTCDate() + 1))
      last = next.getUTCDate();
    return last;
  };
  /** The nearest day from Monday to Friday, found by looking at all days of the month. */
  const nearest = (date: Date, target: number): number => {
    const workdays = Array.from({ length: lastDay(date) }, (_, at) => at + 1).filter((day) => {
      const weekday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay();
      return weekday >= 1 && weekday <= 5;
    });
    return workdays.sort((a, b) => Math.abs(a - target) - Math.abs(b - target))[0] ?? 0;
  };

  it.each<[text: string, matches: (date: Date) => boolean]>([
    ['L * *', (date) => date.getUTCDate() === lastDay(date)],
    ['l-3 * ?', (date) => date.getUTCDate() === lastDay(date) - 3],
    ['LW * *', (date) => date.getUTCDate() === nearest(date, lastDay(date))],
    ['1W * *', (date) => date.getUTCDate() === nearest(date, 1)],
    ['15w * *', (date) => date.getUTCDate() === nearest(date, 15)],
    ['31W * *', (date) => lastDay(date) === 31 && date.getUTCDate() === nearest(date, 31)],
    [
      '10W,20W,L * *',
      (date) => [nearest(date, 10), nearest(date, 20), lastDay(date)].includes(date.getUTCDate()),
    ],
    ['* * 5L', (date) => date.getUTCDay() === 5 && date.getUTCDate() + 7 > lastDay(date)],
    ['* * sunL', (date) => date.getUTCDay() === 0 && date.getUTCDate() + 7 > lastDay(date)],
    ['* * 5#3', (date) => date.getUTCDay() === 5 && date.getUTCDate() > 14 && date.getUTCDate() <= 21],
    [
      '* * mon#1,7#5',
      (date) =>
        (date.getUTCDay() === 1 && date.getUTCDate() <= 7) ||
        (date.getUTCDay() === 0 && date.getUTCDate() > 28),
    ],
    [
      'L * 1#1',
      (date) => date.getUTCDate() === lastDay(date) || (date.getUTCDay() === 1 && date.getUTCDate() <= 7),
    ],
    ['*,5 * mon', (date) => date.getUTCDay() === 1],
  ])('at noon of %s are those of an independent calculation', (text, matches) => {
    const { next } = parseCron(`0 12 ${text}`, '');
    const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2031, 0, 1)];
    const expected: string[] = [];
    for (let day = from; day < to; day += 86_400_000) {
      if (matches(new Date(day))) expected.push(new Date(day + 43_200_000).toISOString());
    }
    const found: string[] = [];
    for (let time = next(from); time !== null && time < to; time = next(time))
      found.push(new Date(time).toISOString());
    expect(found).toEqual(expected);
  });

  it.each([
    '0 0 W * *',
    '0 0 32W * *',
    '0 0 1-5W * *',
    '0 0 * * L',
    '0 0 * * 5#6',
    '0 0 * * 8L',
    '0 L * * *',
  ])('of %s are refused', (text) => expect(() => parseCron(text, '')).toThrow(CronError));
});
