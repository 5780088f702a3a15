import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import { diagnose, explain } from '../../src/entries/explain.js';

const schema = defineSchema({
  ID: t.string,
  Status: t.string,
  Owner: t.nullable(t.string),
  Priority: t.int,
  Tags: t.list(t.string),
  Submitted: t.time,
  Updated: t.time('ns'),
  Timeout: t.duration,
  Uptime: t.duration('s'),
  Memory: t.bytes('MiB'),
  Address: t.ip({ port: true }),
  Version: t.version,
  Desired: t.int,
  Meta: t.map(t.string),
});

const row = {
  ID: 'web-1',
  Status: 'running',
  Owner: null,
  Priority: 40,
  Desired: 50,
  Tags: ['a', 'b'],
  Submitted: '2026-10-01T02:00:00+02:00',
  Updated: 1795338000000000001n,
  Timeout: '90s',
  Uptime: 5400,
  Memory: 512,
  Address: '10.0.0.1:80',
  Version: 'v1.9.2',
  Meta: {},
};

const now = (): Date => new Date('2026-11-22T12:00:00Z');

/** A clause, and what is said of it. */
type Case = readonly [clause: string, line: string];

const cases: readonly Case[] = [
  ['Priority >= 50', 'is false: Priority is 40, less than 50'],
  ['Priority < "0x32"', 'is true: Priority is 40, less than 50'],
  ['Priority > 40', 'is false: Priority is 40, equal to 40'],
  ['Status > "s"', 'is false: Status is "running", before "s"'],
  ['Submitted > now - 7d', 'is false: Submitted is "2026-10-01T02:00:00+02:00", before 2026-11-15T12:00:00Z'],
  [
    'Submitted < 2026-11-01',
    'is true: Submitted is "2026-10-01T02:00:00+02:00", before 2026-11-01T00:00:00Z',
  ],
  [
    'Submitted == 2026-10-01',
    'is true: Submitted is "2026-10-01T02:00:00+02:00" (compared with the time 2026-10-01T00:00:00Z)',
  ],
  [
    'Updated <= now',
    'is true: Updated is 1795338000000000001 (2026-11-22T09:00:00.000000001Z), before 2026-11-22T12:00:00Z',
  ],
  ['Timeout > 5m', 'is false: Timeout is "90s", shorter than 5m'],
  ['Timeout == 1.5m', 'is true: Timeout is "90s"'],
  ['Uptime > 1h', 'is true: Uptime is 5400 s, longer than 1h'],
  ['Memory >= 1GiB', 'is false: Memory is 512 MiB, less than 1GiB'],
  ['Address < 10.0.0.0', 'is false: Address is "10.0.0.1:80", after 10.0.0.0'],
  ['Version >= 1.10.0', 'is false: Version is "v1.9.2", older than 1.10.0'],
  ['Status in ["pending", "dead"]', 'is false: Status is "running", none of the 2 values of the list'],
  ['Status in ["x", "Running"i]', 'is true: Status is "running", which is in the list: "Running"i'],
  ['Status in ["x"]', 'is false: Status is "running", not the value of the list'],
  ['Status not in []', 'is true: Status is "running", and the list is empty'],
  [
    'Address in [127.0.0.1, 10.0.0.0/8]',
    'is true: Address is "10.0.0.1:80", which is in the list: 10.0.0.0/8',
  ],
  ['ID starts with "db"', 'is false: ID is "web-1"'],
  ['ID like "db-*"', 'is false: ID is "web-1"'],
  ['Status == "Running"i', 'is true: Status is "running", ignoring case'],
  ['len(Tags) > 2', 'is false: Tags is ["a", "b"], its length is 2, equal to 2'],
  ['len(Tags) == 3', 'is false: Tags is ["a", "b"], its length is 2'],
  ['len(ID) in [4, 5]', 'is true: ID is "web-1", its length is 5, which is in the list: 5'],
  ['Priority < @Desired', 'is true: Priority is 40, less than Desired, which is 50'],
  ['ID == @Status', 'is false: ID is "web-1", Status is "running"'],
  ['Owner < "a"', 'is false: Owner is null'],
  ['ID == @Meta.tier', 'is false: ID is "web-1", there is no Meta.tier'],
  ['Meta.tier > "a"', 'is false: there is no Meta.tier'],
];

const empty: readonly Case[] = [
  [
    'Submitted < 2026-11-01',
    'is true: Submitted is missing or null, which counts as 0001-01-01T00:00:00Z, before 2026-11-01T00:00:00Z',
  ],
  ['Timeout < 1s', 'is true: Timeout is missing or null, which counts as 0s, shorter than 1s'],
  ['Priority >= 1', 'is false: Priority is missing or null, which counts as 0, less than 1'],
  ['Version < 1.0.0', 'is false: there is no Version'],
  ['len(Tags) == 0', 'is true: Tags is missing or null, which counts as [], its length is 0'],
];

/** Without a schema. */
const open: readonly (readonly [clause: string, row: object, line: string])[] = [
  ['n < 10', { n: 9n }, 'is true: n is 9, less than 10'],
  ['n < 10', { n: NaN }, 'is false: n is NaN'],
  ['n < 10', { n: '9' }, 'fails: n is "9", and the literal is of another kind'],
  ['n in [1]', { n: 'a' }, 'fails: n is "a", and the literal is of another kind'],
  ['n < @m', { n: 1, m: 2 }, 'is true: n is 1, less than m, which is 2'],
  ['len(n) > 1', { n: 5 }, 'fails: n is 5, but this is of kind float64'],
];

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

describe('what is said of level 1', () => {
  it.each(cases)('%s', (clause, line) => {
    const reported = String(compileFilter(clause, { schema, now }).explain(row as never));
    expect(firstLine(reported)).toBe(`${clause} ${line}`);
    expect(firstLine(String(explain(clause, row, { schema, now })))).toBe(firstLine(reported));
  });

  it.each(empty)('%s in an empty row', (clause, line) => {
    expect(firstLine(String(explain(clause, {}, { schema, now })))).toBe(`${clause} ${line}`);
  });

  it.each(open)('%s without a schema', (clause, of, line) => {
    expect(firstLine(String(explain(clause, of)))).toBe(`${clause} ${line}`);
  });

  it('is there for machines', () => {
    const { tree } = explain('Submitted > now', row, { schema, now });
    expect(tree).toMatchObject({
      order: 'less',
      literal: { kind: 'time', text: '2026-11-22T12:00:00Z' },
      length: null,
      other: null,
      among: null,
    });
    expect(explain('len(Tags) in [1, 2]', row, { schema }).tree).toMatchObject({
      length: 2,
      among: { size: 2, equal: '2' },
    });
    expect(explain('Priority < @Desired', row, { schema }).tree).toMatchObject({
      order: 'less',
      other: { selector: 'Desired', observed: { text: '50' } },
    });
  });
});

const rows = [1, 7, 40].map((n) => ({
  ID: `web-${n}`,
  Status: n === 7 ? 'pending' : 'running',
  Priority: n,
  Tags: Array.from({ length: n % 6 }, () => 'x'),
  Submitted: `2026-0${(n % 9) + 1}-01T00:00:00Z`,
  Memory: n,
  Version: `1.${n}.0`,
  Groups: [{ Count: n }, { Count: n + 1 }],
}));

const results: readonly Case[] = [
  ['Priority >= 50', 'matches none of 3 rows; Priority ranges from 1 to 40 in these rows.'],
  [
    'Submitted > now - 7d',
    'matches none of 3 rows; Submitted ranges from "2026-02-01T00:00:00Z" to "2026-08-01T00:00:00Z" in these rows.',
  ],
  ['Memory > 1GiB', 'matches none of 3 rows; Memory ranges from 1 MiB to 40 MiB in these rows.'],
  ['Version > 2.0.0', 'matches none of 3 rows; Version ranges from "1.1.0" to "1.40.0" in these rows.'],
  ['len(Tags) > 9', 'matches none of 3 rows; len(Tags) ranges from 1 to 4 in these rows.'],
  [
    'Status in ["runing", "dead"]',
    'matches none of 3 rows; there are "running" (2), "pending" (1). Did you mean "running"?',
  ],
  [
    'ID starts with "wbe-"',
    'matches none of 3 rows; there are "web-1" (1), "web-40" (1), "web-7" (1). Did you mean "web-"?',
  ],
  ['ID ends with "x"', 'matches none of 3 rows; there are "web-1" (1), "web-40" (1), "web-7" (1).'],
];

describe('why nothing is found', () => {
  it.each(results)('%s', (clause, line) => {
    expect(String(diagnose(clause, rows, { schema, now }))).toBe(`${clause} ${line}`);
  });

  it('is known of elements and of rows without a schema', () => {
    const found = diagnose('any Groups as g { g.Count > 99 }', rows);
    expect(found.range).toEqual({ least: '1', greatest: '41' });
    expect(String(found)).toContain('g.Count ranges from 1 to 41 in these rows');
    expect(diagnose('Priority > 99', [{ Priority: NaN }, { Priority: 3 }]).range).toEqual({
      least: '3',
      greatest: '3',
    });
    expect(diagnose('Status == x', rows).range).toBeNull();
  });
});
