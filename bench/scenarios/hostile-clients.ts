import type { Random } from '../data/random.js';

/** A row of tables that untrusted clients write to and query. */
export interface HostileRow {
  readonly ID: string;
  readonly Few: string;
  readonly Name: string;
  readonly Size: number;
  readonly Note: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Tags: readonly string[];
}

/** One turn: rows that are written, and then one or several queries at once. */
export interface HostileTurn {
  readonly writes: readonly HostileRow[];
  readonly filters: readonly string[];
  /** Their queries. */
  readonly evaluates: 'count' | 'page' | 'all' | 'facets';
}

/** A client that wants columns to cost more than they are worth. */
export interface UntrustedClient {
  readonly name: string;
  /** Bytes a row that the table may have; as many as tables have by themselves where it is left out. */
  readonly budget?: number;
  readonly turn: (random: Random, at: number, rows: readonly HostileRow[]) => HostileTurn;
}

const few = ['a', 'b', 'c', 'd', 'e'];
const labels = Array.from({ length: 40 }, (_, at) => `l${String(at)}`);
const long = 'x'.repeat(900);

export function hostileRow(random: Random, at: number): HostileRow {
  return {
    ID: String(at).padStart(8, '0'),
    Few: random.pick(few),
    Name: `name-${String(random.int(1e9))}`,
    Size: random.int(1e6),
    Note: `note ${String(random.int(50))}`,
    Labels: Object.fromEntries(
      Array.from({ length: 3 }, () => [random.pick(labels), String(random.int(20))] as const),
    ),
    Tags: Array.from({ length: random.int(4) }, () => `t${String(random.int(30))}`),
  };
}

/** Rows that are there, each with something else in it. */
function changed(
  random: Random,
  rows: readonly HostileRow[],
  count: number,
  change: (row: HostileRow) => Partial<HostileRow>,
): readonly HostileRow[] {
  return Array.from({ length: count }, () => {
    const row = random.pick(rows);
    return { ...row, ...change(row) };
  });
}

const fewClause = (random: Random): string => `Few == "${random.pick(few)}"`;
const noWrites: readonly HostileRow[] = [];

export const clients: readonly UntrustedClient[] = [
  {
    name: 'keys of maps that nobody has',
    turn: (random) => ({
      ...{ writes: noWrites, evaluates: 'count' },
      filters: [`Labels.k${String(random.int(1e9))} != "v"`],
    }),
  },
  {
    name: 'each key of a map eight times, then the next',
    turn: (random, at) => ({
      ...{ writes: noWrites, evaluates: 'count' },
      filters: [`Labels.${labels[(at >> 3) % labels.length] as string} == "${String(random.int(20))}"`],
    }),
  },
  {
    name: 'texts that are all distinct, each pattern once',
    turn: (random) => ({
      ...{ writes: noWrites, evaluates: 'count' },
      filters: [`Name matches "${String(random.int(1e4))}$"`],
    }),
  },
  {
    name: 'the same, each pattern twice',
    turn: (_, at) => ({
      writes: noWrites,
      evaluates: 'count',
      filters: [`Name matches "${String(at >> 1)}$"`],
    }),
  },
  {
    name: 'each pattern three times, and then writes to all pages',
    turn: (random, at, rows) => ({
      writes: at % 3 === 2 ? changed(random, rows, 30, () => ({ Few: random.pick(few) })) : noWrites,
      ...{ evaluates: 'all', filters: [`Name matches "${String((at / 3) | 0)}$" and ${fewClause(random)}`] },
    }),
  },
  {
    name: 'other literals each time, and writes to all pages',
    turn: (random, _, rows) => ({
      writes: changed(random, rows, 40, () => ({ Few: random.pick(few), Size: random.int(1e6) })),
      ...{ evaluates: 'count', filters: [`Size > ${String(random.int(1e6))} and ${fewClause(random)}`] },
    }),
  },
  {
    name: 'writes of values that nobody had',
    turn: (random, at, rows) => ({
      writes: changed(random, rows, 100, () => ({ Note: `note ${String(random.int(1e9))}` })),
      ...{ evaluates: 'count', filters: [`Note != "none${String(at)}"`] },
    }),
  },
  {
    name: 'writes of long texts that nobody had',
    turn: (random, at, rows) => ({
      writes: changed(random, rows, 100, () => ({ Note: `${long}${String(random.int(1e9))}` })),
      ...{ evaluates: 'count', filters: [`Note != "none${String(at)}"`] },
    }),
  },
  {
    name: 'patterns over many values, another each time',
    turn: (random) => ({
      ...{ writes: noWrites, evaluates: 'count' },
      filters: [
        `any Tags as t { t matches "${String(random.int(30))}$" or t == "x${String(random.int(1e9))}" }`,
      ],
    }),
  },
  {
    name: 'more columns than there is room for, in turn',
    budget: 3,
    turn: (random, at) => ({
      ...{ writes: noWrites, evaluates: 'count' },
      filters: [
        [
          fewClause(random),
          `Note == "note ${String(random.int(50))}"`,
          `Size > ${String(random.int(1e6))}`,
          `"t${String(random.int(30))}" in Tags`,
          `Labels.${random.pick(labels)} == "3"`,
        ][at % 5] as string,
      ],
    }),
  },
  {
    name: 'the same, eight times each',
    budget: 3,
    turn: (random, at) => ({
      ...{ writes: noWrites, evaluates: 'all' },
      filters: [
        [
          fewClause(random),
          `Note == "note ${String(random.int(50))}"`,
          `Size > ${String(random.int(1e6))}`,
          `"t${String(random.int(30))}" in Tags`,
          `Labels.${labels[(at >> 6) % labels.length] as string} == "3"`,
        ][(at >> 3) % 5] as string,
      ],
    }),
  },
  {
    name: 'pages of which each needs a few rows',
    turn: (random, _, rows) => ({
      writes: changed(random, rows, 5, () => ({ Few: random.pick(few) })),
      ...{ evaluates: 'page', filters: [`${fewClause(random)} and Name != "n${String(random.int(1e9))}"`] },
    }),
  },
  {
    name: 'facets of fields whose values differ, between writes',
    turn: (random, _, rows) => ({
      writes: changed(random, rows, 20, () => ({ Note: `note ${String(random.int(1e9))}` })),
      ...{ evaluates: 'facets', filters: [`${fewClause(random)} or Size < ${String(random.int(1e6))}`] },
    }),
  },
  {
    name: 'several at once, each with a column of its own',
    turn: (random, at, rows) => ({
      writes: changed(random, rows, 10, () => ({ Few: random.pick(few) })),
      evaluates: 'count',
      filters: Array.from(
        { length: 4 },
        (_, place) =>
          `Labels.${labels[(at + place) % labels.length] as string} != "${String(random.int(20))}"`,
      ),
    }),
  },
];
