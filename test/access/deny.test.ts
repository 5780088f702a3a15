import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnose, explain } from '../../src/entries/explain.js';
import { createList } from '../../src/entries/query.js';
import { compileTree, compileWhole } from '../../src/filter/filter.js';
import {
  compileFilter,
  defineSchema,
  fieldIndex,
  FilterError,
  FilterCheckError,
  orderedIndex,
  parse,
  parseSchema,
  planFilter,
  print,
  t,
  type Filter,
  type Schema,
} from '../../src/index.js';
import { eager } from '../specialise/eager.js';
import { Draw } from '../support/draw.js';
import { drawFilter } from '../support/drawn-filter.js';
import { drawShape } from '../support/drawn-shape.js';
import { Values } from '../support/drawn-values.js';
import { scaled } from '../support/property-runs.js';
import { damage } from './damage.js';
import { selectEveryWay } from './forms.js';
import { evaluate } from './kleene.js';

interface Case {
  readonly schema: Schema;
  readonly text: string;
  readonly rows: readonly unknown[];
}

/** Draws from a seed. */
function drawFrom(seed: number): Draw {
  let state = seed;
  return new Draw((bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  });
}

function drawCase(seed: number): Case {
  const draw = drawFrom(seed);
  const shape = drawShape(draw);
  const values = new Values(draw);
  const text = print(drawFilter(draw, values, shape, true));
  const rows = draw.list(1, 6, () => {
    const row = values.row(shape, draw.oneIn(3));
    return draw.oneIn(2) ? damage(draw, row) : row;
  });
  return { schema: parseSchema(shape), text, rows };
}

/** Compares every way to evaluate a filter with the reference. Returns the number of rows by truth; null for an invalid filter. */
function compareWays({ schema, text, rows }: Case): Map<boolean | undefined, number> | null {
  try {
    const selections = selectEveryWay(text, schema, rows);
    const { ast } = parse(text);
    const truths = rows.map((row) => evaluate(ast, schema, row));
    const expected = rows.filter((_, at) => truths[at] === true);
    for (const [way, selected] of selections) {
      const isSame = selected.length === expected.length && selected.every((row, at) => row === expected[at]);
      const wrong = isSame
        ? -1
        : rows.findIndex((row, at) => (truths[at] === true) !== selected.includes(row));
      const note = (): string =>
        inspect({ way, text, truth: truths[wrong], row: rows[wrong], wrong }, { depth: 8 });
      expect(isSame, isSame ? '' : note()).toBe(true);
    }
    const sums = new Map<boolean | undefined, number>();
    for (const truth of truths) sums.set(truth, (sums.get(truth) ?? 0) + 1);
    return sums;
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

const docs = defineSchema({
  Owner: t.nullable(t.string),
  Team: t.string,
  Level: t.int,
  Score: t.float64,
  Ratio: t.float32,
  Sealed: t.bool,
  At: t.time,
  Due: t.int,
  Addr: t.ip,
  Release: t.version,
  Tags: t.list(t.string),
  Counts: t.list(t.int),
  Scores: t.list(t.float64),
  Times: t.list(t.time),
  Meta: t.map(t.string),
  Pair: t.array(t.string, 2),
  Any: t.any,
  Anys: t.list(t.any),
  Place: t.struct({ City: t.string, length: t.int, Zone: t.nullable(t.struct({ Name: t.string })) }),
  Parts: t.list(t.struct({ Team: t.string, Min: t.int })),
  Groups: t.map(t.struct({ Team: t.string })),
});

const whole = {
  ...{ Owner: 'ann', Team: 'a', Level: 3, Score: 1.5, Ratio: 0.5, Sealed: false, Due: 5, Addr: '10.0.0.1' },
  ...{ At: '2026-10-01T00:00:00Z', Release: '1.2.3', Tags: ['a', 'b'], Counts: [1, 2], Scores: [0.5, 1] },
  ...{ Times: ['2026-10-01T00:00:00Z'], Meta: { k: 'a' }, Pair: ['a', 'b'], Any: 'a', Anys: ['a', 1, true] },
  ...{ Place: { City: 'Bern', length: 2, Zone: { Name: 'z' } }, Parts: [{ Team: 'a', Min: 1 }] },
  ...{ Groups: { g: { Team: 'a' } } },
};

const matches = [
  ...['Owner == "ann"', 'Owner in ["ann", "bob"]', 'Owner == @Team', 'Owner is nil', 'Owner starts with "a"'],
  ...['Team == "a"', 'Team in ["a"]', 'Team in []', 'Team == "A"i', 'Team contains "a"', 'Team like "a*"'],
  ...['Team matches "^a"', 'Team starts with "a"', 'Team ends with @Team', 'Team is empty', 'len(Team) == 1'],
  ...['Team == "a" or Team == "b"', 'Team != "x" and Team != "y"', 'Team < "b"', 'Team >= @Owner'],
  ...['Level == 3', 'Level in [3, 4]', 'Level < 5', 'Level >= 3', 'Level == @Due', 'Level < @Due'],
  ...[
    'Score == 1.5',
    'Score in [1.5]',
    'Score in [1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6]',
    'Score < 2',
    'Score > 1',
  ],
  ...['Score == @Ratio', 'Score <= @Ratio', 'Score == @Level', 'Ratio == 0.5', 'Ratio in [0.5]'],
  ...['Sealed == true', 'Sealed == false', 'Sealed == @Sealed', 'At < now', 'At > now - 60d'],
  ...['At == 2026-10-01T00:00:00Z', 'At in [2026-10-01T00:00:00Z]', 'At starts with "2026"', 'At == "soon"'],
  ...['At is empty', 'Addr == 10.0.0.1', 'Addr in [10.0.0.0/8]', 'Release >= 1.2.0', 'len(At) > 3'],
  ...[
    '"a" in Tags',
    'Tags contains @Team',
    'Tags is empty',
    'len(Tags) == 2',
    'len(Tags) > @Level',
    'Tags is nil',
  ],
  ...['1 in Counts', '0 in Counts', 'Counts contains @Level', '0.5 in Scores', '1 in Scores'],
  ...[
    'Times contains 2026-10-01T00:00:00Z',
    'Tags.0 == "a"',
    'Tags.5 == "a"',
    'Pair.1 == "b"',
    '"a" in Pair',
  ],
  ...[
    'Pair is empty',
    'len(Pair) == 2',
    '"k" in Meta',
    '"x" in Meta',
    'Meta contains @Team',
    'Meta.k == "a"',
  ],
  ...['Meta.x == "a"', 'Meta.x is nil', 'Meta is empty', 'len(Meta) == 1', 'Meta is nil', 'Meta.k is empty'],
  ...[
    'Any == "a"',
    'Any == 5',
    'Any == true',
    'Any < "b"',
    'Any < 5',
    'Any in ["a"]',
    'Any in [5]',
    'Any is nil',
  ],
  ...[
    'Any is empty',
    'Any contains "a"',
    'Any.k == "a"',
    'Any.0 == "a"',
    '"a" in Anys',
    '1 in Anys',
    'Anys contains @Team',
  ],
  ...[
    'Place is nil',
    'Place.City == "Bern"',
    'Place.length == 2',
    'Place.Zone is nil',
    'Place.Zone.Name == "z"',
  ],
  ...['Place.Zone.Name is nil', 'any Tags as x { x == "a" }', 'all Tags as x { x != "c" }'],
  ...['any Parts as p { p.Team == @Team and p.Min <= @Level }', 'all Parts as p { p.Team == "a" }'],
  ...[
    'all Parts as p { not (p.Min > 1 or p.Team in ["b"]) }',
    'any Groups as k, g { g.Team == "a" and k != "x" }',
  ],
  ...['all Groups as k { k == "g" }', 'any Any as x { x == "a" }', 'all Any as i, x { x == "a" or i == 5 }'],
  ...['any Tags as i, x { i == 0 and x == @Team }', 'any Pair as x { x == "b" }'],
];

/** Returns a row for each value that a field that the filter reads can have instead of its own. */
function damagedRows(text: string): object[] {
  const deep = [
    ...[
      null,
      undefined,
      NaN,
      0,
      -0,
      1,
      3,
      5,
      2n ** 70n,
      '',
      'a',
      'ann',
      'true',
      'soon',
      '10.0.0.300',
      true,
      false,
    ],
    ...[
      [],
      [null],
      ['a'],
      ['a', null],
      ['b', 5],
      [undefined, 'a'],
      [NaN],
      [0, NaN],
      [1, '1'],
      [true],
      [['a']],
    ],
    ...[{}, { k: 'a' }, { k: null }, { k: undefined }, { City: null }, { City: 'Bern' }, { length: 2 }],
    ...[
      { Zone: null },
      { Zone: {} },
      { Zone: 'z' },
      { Zone: { Name: null } },
      [{ Team: 'a' }],
      [{ Team: 'a', Min: NaN }],
    ],
    ...[{ g: null }, { g: { Team: 'a' } }, { g: { Team: null } }, { g: 5 }, new Set(['a']), new Set([null])],
    ...[new Map([['k', 'a']]), new Map([[{}, 'a']]), new Date(0), new Date(NaN), Symbol('s'), () => true],
    ...[new Uint8Array(2), ['2026-10-01T00:00:00Z', 'soon'], 'x'.repeat(300)],
  ];
  const fields = Object.keys(whole).filter((field) => text.includes(field));
  return fields.flatMap((field) => {
    const { [field]: _, ...rest } = whole as Record<string, unknown>;
    return [rest, ...deep.map((value) => ({ ...whole, [field]: value }))];
  });
}

describe("unresolved: 'deny'", () => {
  it('selects exactly the rows for which the filter is true in three-valued logic, in every way', () => {
    const seen = { true: 0, false: 0, undefined: 0 };
    fc.assert(
      fc.property(fc.integer().map(drawCase), (one) => {
        for (const [truth, count] of compareWays(one) ?? []) seen[String(truth) as 'true'] += count;
      }),
      { numRuns: 600 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(scaled(100));
  });

  it.each(matches)(
    'selects exactly the damaged rows for which %s, its negation or a combination is true',
    (text) => {
      const rows = [whole, {}, ...damagedRows(text), null, undefined, 5, 'text', [], [whole]];
      for (const [form, each] of Object.entries({
        plain: text,
        negated: `not (${text})`,
        'within or': `Level == 77 or not (${text})`,
        'within and': `not (${text} or Level == 77)`,
      })) {
        const sums = compareWays({ schema: docs, text: each, rows });
        expect(sums, `${form}: ${text}`).not.toBeNull();
      }
    },
  );

  const row = (changes: object): object => ({ ...whole, ...changes });
  const filterOf = (text: string): Filter<object> =>
    compileFilter<object>(text, { schema: docs, unresolved: 'deny' });

  it.each([
    ['Score != 1', { Score: NaN }],
    ['Score not in [1]', { Score: NaN }],
    ['Score != @Ratio', { Score: NaN }],
    ['Score != @Ratio', { Ratio: NaN }],
    ['Score != "NaN"', {}],
    ['Score not in [1, "NaN"]', {}],
    ['1 not in Scores', { Scores: [NaN] }],
    ['Anys not contains 2', { Anys: [NaN] }],
    ['Sealed == false', { Sealed: undefined }],
    ['Sealed != true', { Sealed: null }],
    ['Level == 0', { Level: undefined }],
    ['Level < 5', { Level: null }],
    ['Team == ""', { Team: undefined }],
    ['Team is empty', { Team: null }],
    ['len(Tags) == 0', { Tags: undefined }],
    ['"a" not in Tags', { Tags: undefined }],
    ['"c" not in Tags', { Tags: ['a', null] }],
    ['"c" not in Tags', { Tags: ['a', 5] }],
    ['0 in Counts', { Counts: [null] }],
    ['Team != "x" and Team != "y"', { Team: undefined }],
    ['Meta.x != "a" and Meta.x != "b"', {}],
    ['Meta.x != "a"', {}],
    ['Meta.x is empty', {}],
    ['Meta.x is nil', {}],
    ['Meta.x not in []', {}],
    ['Team not in []', { Team: 5 }],
    ['Place is not nil', { Place: 'Bern' }],
    ['Place is nil', { Place: undefined }],
    ['Place.City != "x"', { Place: ['Bern'] }],
    ['Place.length == 2', { Place: [1, 2] }],
    ['Place.Zone.Name is nil', { Place: { Zone: null } }],
    ['Owner is nil', { Owner: undefined }],
    ['Owner is not nil', { Owner: 5 }],
    ['At != 2026-01-01', { At: 'soon' }],
    ['Addr not in [10.0.0.0/8]', { Addr: '10.0.0.300' }],
    ['all Tags as x { x == "a" }', { Tags: undefined }],
    ['not (any Tags as x { x == "a" })', { Tags: undefined }],
    ['all Any as x { x == "a" }', { Any: undefined }],
    ['Pair is not empty', { Pair: 'ab' }],
  ])('denies %s for %j', (text, changes) => {
    const filter = filterOf(text);
    const rows = Array.from({ length: 600 }, () => row(changes));
    expect(filter.test(rows[0] ?? {})).toBe(false);
    expect(filter.select(rows)).toEqual([]);
    expect(filterOf(`not (${text})`).select(rows)).toEqual([]);
  });

  it.each([
    ['Owner is nil', { Owner: null }],
    ['Owner is nil or Owner != "x"', { Owner: null }],
    ['Tags is nil', { Tags: null }],
    ['Any is not nil', { Any: NaN }],
    ['At starts with "so"', { At: 'soon' }],
    ['"a" in Tags', { Tags: [null, 'a'] }],
    ['all Tags as x { x == "a" }', { Tags: [] }],
    ['Team not in []', {}],
    ['not (Team in [])', {}],
    ['not (Level < 3)', {}],
    ['"c" not in Tags', {}],
    ['Sealed == false', {}],
  ])('grants %s for %j', (text, changes) => {
    expect(filterOf(text).select([row(changes)])).toHaveLength(1);
  });

  it('denies rows that exceed the limits or whose getters throw, and evaluates the others', () => {
    const limits = { maxSteps: 50, maxSearchedText: 2_000 };
    const large = row({ Tags: new Array(5_000).fill('b'), Team: 'ab'.repeat(5_000) });
    const throwing = {
      ...whole,
      get Team(): string {
        throw new Error('out of reach');
      },
    };
    const rows = Array.from({ length: 700 }, (_, at) =>
      at % 100 === 7 ? large : at % 100 === 8 ? throwing : row({ ID: at }),
    );
    const expected = rows.filter((_, at) => at % 100 !== 7 && at % 100 !== 8);
    for (const text of [
      '"c" not in Tags and not (Team matches "(ba)+a$")',
      'not (Team matches "(ba)+a$") and all Tags as x { x != @Team or x == "a" }',
      'Team != "x" and not (any Tags as x { any Tags as y { x != y and x == "z" } })',
    ]) {
      for (const accelerate of [null, eager]) {
        const { filter } = compileWhole(text, { schema: docs, unresolved: 'deny', limits }, accelerate);
        expect(filter.select(rows)).toEqual(expected);
        expect(filter.count(rows)).toBe(expected.length);
        expect(filter.page(rows, 650).items).toEqual(expected.slice(0, 650));
        expect(rows.filter((each) => filter.test(each))).toEqual(expected);
      }
    }
  });

  it('keeps a row in the residual of an index that stores missing values as zero', () => {
    const indexes = [fieldIndex(docs, 'Sealed'), orderedIndex(docs, 'Level')];
    const plan = planFilter('Sealed == false and Level < 5', { schema: docs, unresolved: 'deny', indexes });
    expect(plan.mayFail).toBe(false);
    expect(plan.lookups.map(({ residual }) => residual?.test({}))).toEqual([false]);
    expect(plan.ranges.map(({ residual }) => residual?.test({}))).toEqual([false]);
  });

  it('plans the clauses of the normal form', () => {
    const plan = planFilter('not (Sealed != false or Level >= 5)', {
      ...{ schema: docs, unresolved: 'deny' },
      indexes: [fieldIndex(docs, 'Sealed'), orderedIndex(docs, 'Level')],
    });
    expect(plan.clauses).toHaveLength(2);
    expect([plan.lookups.length, plan.ranges.length]).toEqual([1, 1]);
  });

  it('explains the matches as they are evaluated', () => {
    const filter = filterOf('not (Team == "x" or Level < 3)');
    const { matches: result, decidedBy } = filter.explain(row({ Team: undefined }));
    expect(result).toBe(false);
    expect(decidedBy.map(({ text }) => text)).toEqual(['Team != "x"']);
    expect(filter.explain(whole).matches).toBe(true);
    expect(filter.ast.kind).toBe('not');
    const { matched, clauses } = diagnose(filter, [row({ Team: undefined }), row({ Level: 2 })], {
      ...{ schema: docs, unresolved: 'deny' },
    });
    expect([matched, clauses.map(({ text }) => text)]).toEqual([0, ['Team != "x"', 'Level >= 3']]);
  });

  it('accepts the dialect of go-bexpr', () => {
    const filter = compileFilter<object>('not (Team == "x" or "c" in Tags)', {
      ...{ schema: docs, unresolved: 'deny', dialect: 'go-bexpr' },
    });
    expect([whole, {}, row({ Tags: ['a', null] })].map(filter.test)).toEqual([true, false, false]);
  });

  it('uses the clock', () => {
    const filter = filterOf('not (At > now)');
    expect(filter.usesNow).toBe(true);
    expect(filter.at(new Date('2026-09-30T00:00:00Z')).test(whole)).toBe(false);
    expect(filter.at(new Date('2026-10-02T00:00:00Z')).test(whole)).toBe(true);
  });

  it('compiles a tree without parsing', () => {
    const { ast } = parse('not (Team == "x" or Level < 3)');
    const { filter, tree } = compileTree(ast, 'source', { schema: docs, unresolved: 'deny' });
    expect([filter.source, tree.kind, filter.test(whole), filter.test({})]).toEqual([
      'source',
      'and',
      true,
      false,
    ]);
    const wrong = parse('Level == "x"').ast;
    expect(() => compileTree(wrong, 'source', { schema: docs, unresolved: 'deny' })).toThrow(
      FilterCheckError,
    );
  });

  it.each([
    [{}, "unresolved: 'deny' requires a schema"],
    [{ schema: docs, check: false }, "unresolved: 'deny' cannot be combined with check: false"],
    [{ schema: docs, unknownValue: 1 }, "unresolved: 'deny' cannot be combined with unknownValue"],
  ] as const)('is rejected with %o', (options, message) => {
    expect(() => compileFilter('Team == "a"', { ...options, unresolved: 'deny' })).toThrow(
      new TypeError(`compileFilter: ${message}`),
    );
    expect(() => explain('Team == "a"', whole, { ...options, unresolved: 'deny' })).toThrow(
      'check' in options ? (undefined as never) : new TypeError(`explain: ${message}`),
    );
  });

  it('is rejected for lists', () => {
    expect(() => createList(() => [], { schema: docs, key: 'Team', unresolved: 'deny' as never })).toThrow(
      new TypeError("createList: unresolved must be 'error' or 'absent', got \"deny\""),
    );
  });
});
