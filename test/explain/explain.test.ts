import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  defineSchema,
  FilterEvaluationError,
  FilterLimitError,
  FilterSyntaxError,
  parse,
  parseSchema,
  print,
  t,
  type Expression,
  type Filter,
  type FilterOptions,
} from '../../src/index.js';
import { createExplainer, explain } from '../../src/entries/explain.js';
import { expressionArbitrary } from '../support/arbitraries.js';
import { looseRowArbitrary, rowArbitrary } from '../support/row-arbitraries.js';
import { looseShape, schemaArbitrary } from '../support/shapes.js';

const mapSchema = defineSchema({ Meta: t.map(t.string) });

const job = {
  Status: 'pending',
  Priority: 50,
  Stamp: 1645230445788556001n,
  Datacenters: ['dc1', 'dc2'],
  Meta: { team: 'a', none: null },
  Groups: [
    { Name: 'web', Count: 2 },
    { Name: 'api', Count: 0 },
  ],
  Evil: 'a\u001b[31m\u202eb',
};

const jobs = defineSchema({
  Status: t.string,
  Priority: t.int,
  Periodic: t.nullable(t.struct({ Enabled: t.bool, Key: t.hidden(t.string) })),
  Node: t.struct({ ID: t.string, Key: t.hidden(t.string) }),
  Tags: t.list(t.string),
});

/** A clause, the first line that is said of it, and the literal as it was compared. */
type Row = readonly [text: string, line: string, literal: string | null];

const clauses: readonly Row[] = [
  ['Status == "running"', 'Status == "running" is false: Status is "pending"', 'string "running"'],
  ['Status != running', 'Status != running is true: Status is "pending"', 'string "running"'],
  ['Priority == 50.0', 'Priority == 50.0 is true: Priority is 50', 'float64 50'],
  [
    'Priority == "5e1"',
    'Priority == "5e1" is true: Priority is 50 (compared with the float64 50)',
    'float64 50',
  ],
  [
    'Stamp == "0x10"',
    'Stamp == "0x10" is false: Stamp is 1645230445788556001 (compared with the int 16)',
    'int 16',
  ],
  ['Priority == high', 'Priority == high fails: Priority is 50, and high is not a float64', null],
  ['"dc3" in Datacenters', '"dc3" in Datacenters is false: Datacenters is ["dc1", "dc2"]', 'any "dc3"'],
  ['"team" in Meta', '"team" in Meta is true: Meta is a map with the keys "team", "none"', 'string "team"'],
  ['Meta.owner == x', 'Meta.owner == x is false: there is no Meta.owner', null],
  ['Meta.owner is empty', 'Meta.owner is empty is true: there is no Meta.owner', null],
  ['Meta.none is nil', 'Meta.none is nil is true: Meta.none is null', null],
  ['Meta.none == x', 'Meta.none == x fails: Meta.none is null, which == does not take', null],
  ['Nope == x', 'Nope == x fails: Nope: this row has no such key', null],
  ['Status.x == 1', 'Status.x == 1 fails: Status.x: a string has no parts', null],
  ['Status matches "^p"', 'Status matches "^p" is true: Status is "pending"', 'pattern "^p"'],
  ['Evil == x', 'Evil == x is false: Evil is "a\\u001b[31m\\u202eb"', 'string "x"'],
];

const typed: readonly Row[] = [
  ['Status == ""', 'Status == "" is true: Status is missing or null, which counts as ""', 'string ""'],
  ['Priority == 0', 'Priority == 0 is true: Priority is missing or null, which counts as 0', 'int 0'],
  ['x in Tags', 'x in Tags is false: Tags is missing or null, which counts as []', 'string "x"'],
  ['Periodic is nil', 'Periodic is nil is true: Periodic is null', null],
  ['Node is nil', 'Node is nil is false: Node is a struct', null],
  ['Node.Key == x', 'Node.Key == x fails: Node.Key: there is no such field', null],
  ['Periodic.Enabled == true', 'Periodic.Enabled == true fails: Periodic.Enabled: a nil has no parts', null],
];

function expectClause([text, line, literal]: Row, row: unknown, options: FilterOptions): void {
  const reported = explain(text, row, options);
  expect(String(reported)).toBe(`${line}\n`);
  if (reported.tree.kind !== 'match') throw new Error('no match');
  const { literal: compared } = reported.tree;
  expect(compared === null ? null : `${compared.kind} ${compared.text}`).toBe(literal);
  expect(reported.decidedBy).toEqual([reported.tree]);
}

describe('explain', () => {
  it('does not fail on a value that the filter does not read', () => {
    const Meta = {
      get broken(): string {
        throw new Error('cannot be read');
      },
    };
    const filter = compileFilter('Meta is empty and Meta.broken == x', { schema: mapSchema });
    // The order of keys decides whether the filter itself meets the broken one.
    const row = {
      Meta: Object.defineProperties(
        {},
        { a: { value: 'x', enumerable: true }, ...Object.getOwnPropertyDescriptors(Meta) },
      ),
    };
    expect(filter.test(row as never)).toBe(false);
    expect(String(filter.explain(row as never))).toContain('a map with the keys "a", "broken"');
  });

  it.each(clauses)('describes %s', (text, line, literal) => expectClause([text, line, literal], job, {}));

  it.each(typed)('describes %s in a row of a schema', (text, line, literal) => {
    expectClause([text, line, literal], { Node: { ID: 'a', Key: 's' }, Periodic: null }, { schema: jobs });
  });

  it('marks what was not needed, and names what decided', () => {
    const reported = explain('"dc1" in Datacenters and (Status == x or Status == y) and Priority == 50', job);
    expect(String(reported)).toBe(
      [
        'Status == x is false: Status is "pending"',
        'Status == y is false: Status is "pending"',
        '',
        'false  and',
        'true     "dc1" in Datacenters: Datacenters is ["dc1", "dc2"]',
        'false    or',
        'false      Status == x: Status is "pending"',
        'false      Status == y: Status is "pending"',
        '-        Priority == 50: not needed',
        '',
      ].join('\n'),
    );
    expect(reported.decidedBy.map(({ text }) => text)).toEqual(['Status == x', 'Status == y']);
  });

  it('goes through collections to the element that decided', () => {
    expect(String(explain('all Groups as g { g.Count == 2 }', job))).toBe(
      [
        'all Groups as g { g.Count == 2 } is false: Groups.1 does not hold',
        '',
        'false  all Groups as g { g.Count == 2 }: Groups.1 does not hold',
        '         Groups.1',
        'false      g.Count == 2: g.Count is 0',
        '',
      ].join('\n'),
    );
    expect(String(explain('any Meta as k, v { k == x }', job))).toContain(
      'none of the 2 elements of Meta holds',
    );
    expect(String(explain('any Meta.x as k { k == x }', job))).toContain('is false: there is no Meta.x');
    expect(String(explain('all Meta as k, v { v != x }', job))).toContain('fails: Meta["none"] fails');
    expect(String(explain('any Status as x { x == y }', job))).toContain('this is a string');
  });

  it('treats values as absent if the filter does', () => {
    expect(String(explain('Nope == x', job, { unresolved: 'absent' }))).toBe(
      'Nope == x is false: there is no Nope\n',
    );
    expect(explain('Nope == x', job, { unknownValue: 'x' })).toMatchObject({ matches: true });
  });

  it('takes what knows its tree', () => {
    const text = 'Status == x';
    for (const filter of [text, parse(text), compileFilter(text)]) {
      expect(explain(filter, job).matches).toBe(false);
    }
  });

  it('refuses what it cannot explain', () => {
    expect(() => explain('a =', job)).toThrow(FilterSyntaxError);
    expect(() => explain(5 as never, job)).toThrow(TypeError);
    expect(() => explain('a == 1', job, { schema: {} as never })).toThrow(TypeError);
    expect(() => explain('a == 1', job, { unresolved: 'x' as never })).toThrow(TypeError);
  });

  it('keeps within the steps of nested collections', () => {
    const rows = { L: Array.from({ length: 100 }, () => 1) };
    const reported = explain('any L as x { any L as y { x == 2 } }', rows, { limits: { maxSteps: 50 } });
    expect(reported.error).toBeInstanceOf(FilterLimitError);
  });

  it('becomes JSON, errors included', () => {
    const json = JSON.parse(JSON.stringify(explain('Nope == 1', job))) as object;
    expect(json).toMatchObject({ matches: null, error: { code: 'find-no-key' }, tree: { observed: null } });
  });
});

type Result = boolean | string;

function resultOf(filter: Filter, row: unknown): Result {
  try {
    return filter.test(row);
  } catch (error) {
    if (error instanceof FilterEvaluationError) return `${error.code} ${error.message}`;
    throw error;
  }
}

function expectSame(expression: Expression, row: unknown, options: FilterOptions): void {
  const text = print(expression);
  let filter: Filter;
  try {
    filter = compileFilter(text, { ...options, check: false });
  } catch (error) {
    if (error instanceof FilterLimitError) return;
    throw error;
  }
  const reported = createExplainer(text, options)(row);
  const result =
    reported.error === null ? reported.matches : `${reported.error.code} ${reported.error.message}`;
  expect(result).toBe(resultOf(filter, row));
  expect(String(reported).endsWith('\n')).toBe(true);
  expect(reported.decidedBy.length).toBeGreaterThan(0);
}

const settings = fc.record({ unresolved: fc.constantFrom('error' as const, 'absent' as const) });

describe('an explanation agrees with the filter', () => {
  it('without a schema', () => {
    fc.assert(
      fc.property(expressionArbitrary(looseShape), looseRowArbitrary(looseShape), settings, expectSame),
      { numRuns: 1_000 },
    );
  });

  it('with a schema', () => {
    const cases = schemaArbitrary.chain((shape) =>
      fc.tuple(fc.constant(parseSchema(shape)), expressionArbitrary(shape), rowArbitrary(shape)),
    );
    fc.assert(
      fc.property(cases, settings, ([schema, expression, row], options) =>
        expectSame(expression, row, { ...options, schema }),
      ),
      { numRuns: 1_000 },
    );
  });
});
