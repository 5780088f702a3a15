import { defineSchema, t } from '../../src/index.js';
import type { Random } from './random.js';

/** A row that is made to be costly, and what clauses about it are made of. */
export interface CostlyRow {
  readonly row: Readonly<Record<string, unknown>>;
  /** The element of which the lists of the row consist. */
  readonly element: string;
  /** By the name of a kind: what the field `KIND` and the elements of `KINDList` are; `KIND2` nearly is. */
  readonly instances: Readonly<Record<InstanceName, string | number>>;
}

export type InstanceName = 'time' | 'duration' | 'ip' | 'version' | 'bytes';

/** Fields that represent instances are declared; all others are of any kind, as without a schema. */
export const costlySchema = defineSchema({
  ...{ s: t.any, s2: t.any, k: t.any, o: t.any, a: t.any, text: t.string, text2: t.string },
  ...{ l: t.any, many: t.any, m: t.any, map: t.any, set: t.any, sparse: t.any, texts: t.list(t.string) },
  ...{ time: t.time, time2: t.time, timeList: t.list(t.time) },
  ...{ duration: t.duration, duration2: t.duration, durationList: t.list(t.duration) },
  ...{ ip: t.ip({ port: true }), ip2: t.ip({ port: true }), ipList: t.list(t.ip({ port: true })) },
  ...{ version: t.version, version2: t.version, versionList: t.list(t.version) },
  ...{ bytes: t.bytes('KiB'), bytes2: t.bytes('KiB'), bytesList: t.list(t.bytes('KiB')) },
});

/** Instances that take long to read, and some of which there is nothing to say. */
export const instances: Readonly<Record<InstanceName, readonly (string | number)[]>> = {
  time: [
    '2026-11-01T08:00:00Z',
    '2026-11-01T08:00:00.123456789+01:00',
    `2026-11-01T08:00:00.${'1'.repeat(220)}Z`,
  ],
  duration: ['1h30m', '1ns'.repeat(84), '.1h'.repeat(84), '.123456h'.repeat(30), `.${'1'.repeat(250)}h`],
  ip: [
    '10.1.2.3:80',
    '2001:db8:1234:5678:9abc:def0:1234:5678',
    `[fe80:1111:2222:3333:4444:5555:6666:7777%${'a'.repeat(200)}]:80`,
  ],
  version: [
    '1.12.3',
    `1.0.0-${'a.'.repeat(120)}b`,
    `1.0.0-${'1.'.repeat(120)}2`,
    `1.0.0+${'a.'.repeat(120)}b`,
    `${'9'.repeat(80)}.${'9'.repeat(80)}.${'9'.repeat(80)}`,
  ],
  bytes: [1, 2 ** 53 - 1],
};

export function costlyRow(random: Random): CostlyRow {
  const element = random.chance(0.5)
    ? longText(random)
    : flat(random.pick(['a', 'é', 'ab']).repeat(random.pick([1, 3, 16, 125, 3_000, 20_000])));
  const length = random.pick([1, 50, 255, 256, 3_000, 100_000]);
  const list = Array.from({ length }, () => element);
  const sparse: unknown[] = [];
  sparse.length = 4_294_967_295;
  const entries = Array.from(
    { length: random.pick([1, 50, 300, 20_000]) },
    (_, i) => [`key ${i}`, element] as const,
  );
  const s = longText(random);
  const chosen = Object.fromEntries(
    instanceNames.map((name) => [name, random.pick(instances[name])]),
  ) as CostlyRow['instances'];
  const row: Record<string, unknown> = {
    s,
    s2: longText(random),
    k: nearlyEqual(element, random),
    text: element,
    text2: nearlyEqual(element, random),
    o: { s },
    a: 1,
    l: list,
    texts: list,
    many: random.chance(0.5) ? Array.from({ length: 1_000 }, () => list) : list,
    m: Object.fromEntries(entries),
    map: new Map(entries),
    set: new Set(entries.map(([key]) => key)),
    sparse,
  };
  for (const name of instanceNames) {
    const value = chosen[name];
    row[name] = value;
    row[`${name}2`] = typeof value === 'string' ? nearlyEqual(value, random) : value + 1;
    row[`${name}List`] = Array.from({ length }, () => value);
  }
  return { row, element, instances: chosen };
}

/** The text as rows have it that were read from JSON, and not as a program that puts texts together. */
export function flat(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

export const instanceNames = Object.keys(instances) as readonly InstanceName[];

/** A text of the same length that differs at its end, or not at all. */
export function nearlyEqual(text: string, random: Random): string {
  if (text === '' || random.chance(0.2)) return `${text} `.slice(0, -1);
  const last = text.charCodeAt(text.length - 1);
  const other = last >= 0x30 && last < 0x39 ? String.fromCharCode(last + 1) : 'b';
  return flat(text.slice(0, -1) + other);
}

/** Letters in no order: automata meet many states. */
function mixed(random: Random): string {
  return Array.from({ length: 10_000 }, () => random.pick(['a', 'b'])).join('');
}

function longText(random: Random): string {
  const length = random.pick([
    0, 20, 200, 1_000, 1_025, 5_000, 32_000, 40_000, 300_000, 1_000_000, 9_000_000,
  ]);
  const filler = random.pick(['a', 'ab', 'aab', 'é', 'a\n', 'aaaaaaaaab', '😀', mixed(random)]);
  return flat(filler.repeat(Math.ceil(length / filler.length)));
}
