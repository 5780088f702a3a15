import { describe, expect, it } from 'vitest';
import { CronError, parseCron } from '@tamis/scheduler-model/cron.js';

function next(expression: string, after: string, zone = ''): string | null {
  const time = parseCron(expression, zone).next(Date.parse(after));
  return time === null ? null : new Date(time).toISOString();
}

describe('a cron expression', () => {
  it.each([
    ['*/15 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:15:00.000Z'],
    ['*/15 * * * *', '2026-01-01T23:45:00.500Z', '2026-01-02T00:00:00.000Z'],
    ['5-10/2 3 * * *', '2026-01-01T03:05:30Z', '2026-01-01T03:07:00.000Z'],
    ['0 0 1 1 *', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['0 12 29 2 *', '2025-01-01T00:00:00Z', '2028-02-29T12:00:00.000Z'],
    ['0 0 * * 7', '2026-06-01T00:00:00Z', '2026-06-07T00:00:00.000Z'],
    ['0 0 * * mon-fri', '2026-06-05T00:00:00Z', '2026-06-08T00:00:00.000Z'],
    ['0 0 13 * fri', '2026-06-01T00:00:00Z', '2026-06-05T00:00:00.000Z'],
    ['0 0 13 * ?', '2026-06-01T00:00:00Z', '2026-06-13T00:00:00.000Z'],
    ['0 0 1 JAN,jul *', '2026-02-01T00:00:00Z', '2026-07-01T00:00:00.000Z'],
    ['30/10 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:30:00.000Z'],
    ['@daily', '2026-06-01T12:00:00Z', '2026-06-02T00:00:00.000Z'],
    ['@hourly', '2026-06-01T12:30:00Z', '2026-06-01T13:00:00.000Z'],
    ['@weekly', '2026-06-01T12:30:00Z', '2026-06-07T00:00:00.000Z'],
    ['0 0 1 1 * 2030', '2026-06-01T12:30:00Z', '2030-01-01T00:00:00.000Z'],
    ['*/20 0 0 * * * *', '2026-06-01T00:00:25Z', '2026-06-01T00:00:40.000Z'],
    ['0 0 30 2 *', '2026-01-01T00:00:00Z', null],
    ['0 0 1 1 * 2020', '2026-01-01T00:00:00Z', null],
  ])('%s after %s is %s', (expression, after, expected) => expect(next(expression, after)).toBe(expected));

  it.each([
    ['0 9 * * *', 'Europe/Berlin', '2026-06-01T08:00:00Z', '2026-06-02T07:00:00.000Z'],
    ['0 9 * * *', 'Europe/Berlin', '2026-01-01T07:00:00Z', '2026-01-01T08:00:00.000Z'],
    ['0 9 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', '2026-01-01T03:30:00.000Z'],
    ['0 9 * * *', 'America/New_York', '2026-01-01T00:00:00Z', '2026-01-01T14:00:00.000Z'],
    // Half past two does not exist on that night, and exists twice on the other.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00.000Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  ])('%s in %s after %s is %s', (expression, zone, after, expected) => {
    expect(next(expression, after, zone)).toBe(expected);
  });

  it.each([
    ['', '', 'expected 5 to 7 fields, found 0'],
    ['* * * *', '', 'expected 5 to 7 fields, found 4'],
    ['60 * * * *', '', '"60" is none of the minutes, 0 to 59'],
    ['* * 0 * *', '', '"0" is none of the days of the month, 1 to 31'],
    ['* * * foo *', '', '"foo" is none of the months, 1 to 12'],
    ['*/0 * * * *', '', '"*/0" in the minutes is empty'],
    ['5-1 * * * *', '', '"5-1" in the minutes is empty'],
    ['1,,2 * * * *', '', 'cannot read "" in the minutes'],
    ['@often', '', 'unknown word "@often"'],
    ['@daily', 'Mars/Olympus', 'unknown time zone "Mars/Olympus"'],
    ['*'.repeat(300), '', 'is longer than 256 characters'],
  ])('%j in %j is refused: %s', (expression, zone, message) => {
    expect(() => parseCron(expression, zone)).toThrow(new CronError(message));
  });
});
