import { compileFilter, defineSchema, t } from '../../src/index.js';
import { arraySource, createList, type List } from '../../src/entries/query.js';
import {
  array,
  date,
  enumeration,
  looseText,
  numeric,
  sqlListSource,
  sqlMapping,
  timestamp,
  uuid,
} from '../../src/entries/sql.js';
import { rangeOf } from '../../src/sql/numeric.js';
import type { Draw } from '../support/draw.js';
import type { Engine } from './engines.js';
import { now, resultsOf, type Row } from './queries.js';

/** Columns of the types of PostgreSQL that are stored in another form than rows have: random filters and lists of them. */

const labels = ['sad', 'ok', 'happy', 'Über', 'a"b\\c', ''];

export const schema = defineSchema({
  id: t.string,
  owner: t.nullable(t.string),
  peer: t.string,
  mood: t.nullable(t.string),
  firm: t.string,
  word: t.nullable(t.string),
  name: t.string,
  code: t.string,
  price: t.float64,
  ratio: t.nullable(t.float64),
  big: t.int,
  count: t.nullable(t.uint),
  safe: t.int,
  day: t.time,
  due: t.nullable(t.time),
  at: t.time,
  ids: t.list(t.string),
  moods: t.list(t.string),
  words: t.list(t.nullable(t.string)),
  ratios: t.list(t.float64),
  bigs: t.list(t.int),
  days: t.list(t.time),
  ats: t.nullable(t.list(t.time)),
});

const mood = { type: ['odd "schema', 'mood"s'], values: labels };
const utc = { zone: 'UTC' } as const;

export const mapping = sqlMapping(schema, {
  dialect: 'postgres',
  table: ['typed'],
  columns: {
    id: uuid('id', { notNull: true }),
    owner: uuid('owner'),
    peer: uuid('peer'),
    mood: enumeration('mood', mood),
    firm: enumeration('firm', { ...mood, notNull: true }),
    word: looseText('word'),
    name: looseText('name', { notNull: true }),
    code: looseText('code'),
    price: numeric('price', { precision: 10, scale: 2 }),
    ratio: numeric('ratio'),
    big: numeric('big', { scale: 0 }),
    count: numeric('count', { precision: 20, scale: 0 }),
    safe: numeric('safe', { precision: 20, scale: 0, notNull: true, constrained: true }),
    day: date('day'),
    due: date('due', { constrained: true }),
    at: timestamp('at', { ...utc, notNull: true }),
    ids: array(uuid('ids')),
    moods: array(enumeration('moods', mood)),
    words: array(looseText('words')),
    ratios: array(numeric('ratios')),
    bigs: array(numeric('bigs', { scale: 0 })),
    days: array(date('days'), { notNull: true }),
    ats: array(timestamp('ats', utc)),
  },
});

const enumType = '"odd ""schema"."mood""s"';

/** Creates the table, with its types. */
export const setup: readonly string[] = [
  'CREATE EXTENSION IF NOT EXISTS citext',
  'CREATE SCHEMA "odd ""schema"',
  `CREATE TYPE ${enumType} AS ENUM (${['ok', 'sad', '', 'Über', 'a"b\\c', 'happy'].map((each) => `'${each}'`).join()})`,
  `CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  `CREATE TABLE typed (id uuid PRIMARY KEY, owner uuid, peer uuid, mood ${enumType}, firm ${enumType} NOT NULL, word citext,
    name text COLLATE folded NOT NULL, code char(5), price numeric(10, 2), ratio numeric, big numeric(30), count numeric(20),
    safe numeric(20) NOT NULL CHECK (safe <> 'NaN'), day date, due date CHECK (due BETWEEN '0001-01-01' AND '9999-12-31'),
    at timestamp NOT NULL, ids uuid[], moods ${enumType}[], words citext[], ratios numeric[], bigs numeric(20)[],
    days date[] NOT NULL, ats timestamp[])`,
];

const uuids = [
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-000000000001',
  '9f000000-0000-4000-8000-0000000000ff',
  '9f000000-0000-4000-8000-000000000100',
  'a0000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];
const words = [
  '',
  'a',
  'A',
  'á',
  'ab',
  'AB ',
  'straße',
  'STRASSE',
  'k',
  'K',
  '\u212a',
  '%_\\',
  '\u{1f600}',
  'a\n',
];
const doubles = [
  '0',
  '-0',
  '0.1',
  '0.3',
  '-1.5',
  '2',
  '9007199254740992',
  '9007199254740993',
  '1e-400',
  '1e400',
];
/** At and next to the midpoints of doubles, and beyond the doubles. */
const decimals = [
  ...doubles,
  ...[0.1, -1.5, 0.3, 5e-324, 1e308].flatMap((each) => [rangeOf(each).low, rangeOf(each).high]),
  '0.1000000000000000055511151231257827',
  '0.09999999999999999861222121921855432447046',
  '0.30000000000000004',
  '-1e400',
  'NaN',
  'Infinity',
  '-Infinity',
  '2.4703282292062327e-324',
  '2.4703282292062328e-324',
  '1.7976931348623158079372897140530341507993413271003782693617377898044496829276475094664901797758720709633028641669288791094655554785194040263065748867150582068190890200070838367627385484581771153176447573027006985557136695962284291481986083493647529271907416844436551070434271155969950809304288017790417449779e308',
];
const integers = [
  '0',
  '-1',
  '5',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '18446744073709551615',
];
const days = ['2026-11-01', '2026-11-02', '0001-01-01', '9999-12-31', '1969-12-31'];
const oddDays = [...days, 'infinity', '-infinity', '0044-03-15 BC', '12026-01-01'];
const times = [
  '2026-11-01 00:00:00',
  '2026-11-01 08:00:00.000001',
  '1969-12-31 23:59:59.999999',
  '9999-12-31 23:59:59.999999',
];
const oddTimes = [...times, 'infinity', '-infinity', '0044-03-15 BC', '12026-01-01'];

interface Kind {
  /** Values of rows, as PostgreSQL reads them. */
  readonly stored: readonly string[];
  readonly literals: readonly string[];
  readonly isText?: boolean;
}

const cut = uuids.flatMap((each) => [
  each,
  each.slice(0, 9),
  each.slice(0, 3),
  each.toUpperCase(),
  `${each}0`,
]);
const kinds = {
  uuid: {
    stored: uuids,
    literals: [...cut, 'g', '-', '9f0000000', '9f/', 'é', 'ffffffff-ffff-ffff-ffff-fffffffffffg'],
    isText: true,
  },
  mood: { stored: labels, literals: [...labels, 'Sad', 'x', 'a'], isText: true },
  word: { stored: words, literals: words, isText: true },
  price: {
    stored: ['0', '0.1', '-0.1', '12345678.99', '2', 'NaN'],
    literals: [...doubles, '12345678.99', '-0.1'],
  },
  ratio: {
    stored: decimals,
    literals: [
      '0',
      '0.1',
      '0.30000000000000004',
      '-1.5',
      '5e-324',
      '1e308',
      '1.7976931348623157e308',
      '9007199254740992',
      'Inf',
      '-Inf',
    ],
  },
  big: { stored: [...integers, 'NaN', '123456789012345678901'], literals: integers.slice(0, 6) },
  count: {
    stored: ['0', '5', '9007199254740993', '18446744073709551615', 'NaN'],
    literals: ['0', '5', '9007199254740993', '18446744073709551615'],
  },
  safe: { stored: integers.slice(0, 6), literals: integers.slice(0, 6) },
  day: {
    stored: oddDays,
    literals: [...days, '2026-11-01T00:00:00.000000001Z', '2026-11-01T08:00:00Z', '0000-01-01'],
  },
  due: { stored: days, literals: [...days, '2026-11-01T08:00:00+08:00'] },
  at: {
    stored: oddTimes,
    literals: [
      '2026-11-01',
      '2026-11-01T08:00:00.000001Z',
      '2026-11-01T08:00:00.0000015Z',
      '9999-12-31T23:59:59.999999999Z',
    ],
  },
} as const satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;

/** The kind of each column's values. */
const columns: readonly (readonly [name: string, kind: KindName, isNotNull?: boolean])[] = [
  ['owner', 'uuid'],
  ['peer', 'uuid'],
  ['mood', 'mood'],
  ['firm', 'mood', true],
  ['word', 'word'],
  ['name', 'word', true],
  ['code', 'word'],
  ['price', 'price'],
  ['ratio', 'ratio'],
  ['big', 'big'],
  ['count', 'count'],
  ['safe', 'safe', true],
  ['day', 'day'],
  ['due', 'due'],
  ['at', 'at', true],
];
const lists: readonly (readonly [name: string, kind: KindName])[] = [
  ['ids', 'uuid'],
  ['moods', 'mood'],
  ['words', 'word'],
  ['ratios', 'ratio'],
  ['bigs', 'safe'],
  ['days', 'day'],
  ['ats', 'at'],
];

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;

function drawTest(draw: Draw, name: string, kind: Kind): string {
  const literal = (): string =>
    `${quote(draw.pick(kind.literals))}${kind.isText === true && draw.oneIn(6) ? 'i' : ''}`;
  const plain = (): string => quote(draw.pick(kind.literals));
  const not = draw.pick(['', 'not ']);
  return draw.either<string>(
    [4, () => `${name} ${draw.pick(['==', '!='])} ${literal()}`],
    [4, () => `${name} ${draw.pick(['<', '<=', '>', '>='])} ${plain()}`],
    [2, () => `${name} ${not}in [${draw.list(1, 3, literal).join(', ')}]`],
    [1, () => `${name} is ${not}nil`],
    [1, () => `${name} is ${not}empty`],
    [
      kind.isText === true ? 3 : 0,
      () => `${name} ${not}${draw.pick(['starts with', 'ends with', 'contains'])} ${literal()}`,
    ],
    [
      kind.isText === true ? 1 : 0,
      () => `${name} ${not}like ${quote(`${draw.pick(['*', '', '?'])}${draw.pick(['a', 'A', '9f', '-'])}*`)}`,
    ],
    [
      kind.isText === true ? 1 : 0,
      () => `${name} ${not}matches ${quote(draw.pick(['^[a-f0-9-]+$', '(?i)a', '^$', 'ß|s']))}`,
    ],
    [kind.isText === true ? 1 : 0, () => `len(${name}) ${draw.pick(['==', '<'])} ${draw.pick([0, 1, 36])}`],
    [
      1,
      () =>
        `${name} ${draw.pick(['==', '!=', '<', '>='])} @${draw.pick(columns.filter(([other, of]) => kinds[of] === kind || other === name))[0]}`,
    ],
  );
}

/** A filter about the columns. */
export function drawTypedFilter(draw: Draw, depth = 2): string {
  const test = (): string => {
    if (draw.oneIn(4)) {
      const [name, of] = draw.pick(lists);
      const kind: Kind = kinds[of];
      return draw.either<string>(
        [3, () => `${quote(draw.pick(kind.literals))} ${draw.pick(['', 'not '])}in ${name}`],
        [2, () => `${draw.pick(['any', 'all'])} ${name} as x { ${drawTest(draw, 'x', kind)} }`],
        [1, () => `len(${name}) > ${draw.below(3)}`],
        [1, () => `${name}.0 == ${quote(draw.pick(kind.literals))}`],
        [1, () => `${name} is ${draw.pick(['empty', 'nil', 'not empty'])}`],
      );
    }
    const [name, of] = draw.pick(columns);
    return drawTest(draw, draw.oneIn(9) ? 'id' : name, draw.oneIn(9) ? kinds.uuid : kinds[of]);
  };
  if (depth === 0) return test();
  return draw.either<string>(
    [3, test],
    [1, () => `(${drawTypedFilter(draw, depth - 1)} and ${drawTypedFilter(draw, depth - 1)})`],
    [1, () => `(${drawTypedFilter(draw, depth - 1)} or ${drawTypedFilter(draw, depth - 1)})`],
    [1, () => `not (${drawTypedFilter(draw, depth - 1)})`],
  );
}

async function fill({ run }: Engine, draw: Draw, count: number): Promise<void> {
  const drawn = Array.from({ length: count }, (_, at) => {
    const row: Record<string, unknown> = {
      id: draw.pick(uuids).slice(0, 34) + String(at).padStart(2, '0'),
    };
    for (const [name, of, isNotNull] of columns) {
      const value = draw.pick<string>(kinds[of].stored);
      if (isNotNull === true || !draw.oneIn(5)) row[name] = name === 'code' ? value.slice(0, 5) : value;
    }
    for (const [name, of] of lists)
      if (name === 'days' || !draw.oneIn(6))
        row[name] = draw.list(0, 3, () => (draw.oneIn(8) ? null : draw.pick<string>(kinds[of].stored)));
    return row;
  });
  await run('TRUNCATE typed', []);
  await run('INSERT INTO typed SELECT * FROM jsonb_populate_recordset(NULL::typed, $1::text::jsonb)', [
    JSON.stringify(drawn),
  ]);
}

export interface TypedTally {
  exact: number;
  residual: number;
  refused: number;
  lists: number;
}

const sorts = [
  'owner',
  'peer',
  'mood',
  'word',
  'name',
  'code',
  'price',
  'big',
  'count',
  'safe',
  'day',
  'due',
  'at',
];

/** Runs random filters until a number of them or a time in ms is spent. Reports each filter with other results than its own. */
export async function proveTypes(
  engine: Engine,
  draw: Draw,
  bound: { readonly filters: number; readonly until?: () => boolean },
  report: (filter: string, detail: string) => void,
): Promise<TypedTally> {
  const tally: TypedTally = { exact: 0, residual: 0, refused: 0, lists: 0 };
  const idsOf = (rows: readonly Row[]): string =>
    rows
      .map(({ id }) => String(id))
      .sort()
      .join();
  const { run } = engine;
  while (tally.exact + tally.residual < bound.filters && bound.until?.() !== true) {
    await fill(engine, draw, 30);
    const all = (await run(`SELECT ${mapping.select} FROM ${mapping.from}`, [])).map(
      (row) => mapping.decode(row) as Row,
    );
    for (let count = 0; count < 40; count += 1) {
      const filter = drawTypedFilter(draw);
      const options = { unresolved: 'absent', now: now() } as const;
      let test: (row: object) => boolean;
      try {
        ({ test } = compileFilter(filter, { schema, unresolved: 'absent', now }));
      } catch {
        tally.refused += 1;
        continue;
      }
      const found = mapping.where(filter, options);
      tally[found.exact ? 'exact' : 'residual'] += 1;
      try {
        const given = await run(
          `SELECT ${mapping.select} FROM ${mapping.from} WHERE ${found.toSQL('$')}`,
          found.values,
        );
        const rows = given.map((row) => mapping.decode(row) as Row);
        const left = idsOf(
          found.residual === null ? rows : rows.filter((row) => found.residual?.test(row as never)),
        );
        const expected = idsOf(all.filter((row) => test(row)));
        if (left !== expected)
          report(filter, `${found.toSQL('?')} ${found.values.join(' | ')}\n  ${left}\n  ${expected}`);
      } catch (error) {
        report(filter, `${String(error)}\n  ${found.toSQL('?')}`);
      }
    }
    const query = {
      ...(draw.oneIn(3) ? {} : { filter: drawTypedFilter(draw) }),
      ...(draw.oneIn(4)
        ? { reverse: draw.oneIn(2), prefix: draw.pick(['', '9f', 'a', '0', 'x']) }
        : { sort: draw.list(1, 2, () => draw.pick(['', '-']) + draw.pick(sorts)).join() as never }),
      perPage: draw.pick([1, 4, 50]),
    };
    const key = 'id' as never;
    const unresolved = draw.pick(['error', 'absent'] as const);
    const [inDatabase, inMemory] = [
      sqlListSource(mapping, run, { key, sorts: sorts as never[] }),
      arraySource(schema, () => all as never, { key, sorts: sorts as never[] }),
    ].map((source) => createList(source as never, { unresolved, now }) as object as List<Row>) as [
      List<Row>,
      List<Row>,
    ];
    tally.lists += 1;
    const token = draw.pick([null, null, 'abc', '9f', uuids[3] ?? '', 'owner:9f0', 'zz']);
    const [left, right] = await Promise.all(
      [inDatabase, inMemory].map(async (list) => pagesOf(list, query as never, token).catch(String)),
    );
    if (left !== right)
      report(JSON.stringify({ ...query, token, unresolved }), `${left ?? ''}\n  ${right ?? ''}`);
  }
  return tally;
}

async function pagesOf(list: List<Row>, query: never, token: string | null): Promise<string> {
  return JSON.stringify(
    await resultsOf(list, query, token, ['owner', 'mood', 'word', 'code', 'price', 'big']),
    (_, value: unknown) =>
      typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
        ? String(value)
        : value,
  );
}
