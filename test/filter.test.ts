import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  defineSchema,
  FilterCheckError,
  FilterEvaluationError,
  FilterLimitError,
  FilterSyntaxError,
  parse,
  t,
  type FilterOptions,
} from '../src/index.js';

const job = {
  ID: 'web-1',
  Name: 'web',
  Status: 'running',
  Priority: 50,
  Submit: 1645230445788556000n,
  Stop: false,
  Load: 0.5,
  Datacenters: ['dc1', 'dc2'],
  Ports: [80, 443n],
  Meta: { team: 'core', 'cpu.arch': 'arm64', none: null },
  Groups: [
    { Name: 'web', Count: 2, Meta: { tier: 'a' } },
    { Name: 'cache', Count: 1, Meta: {} },
  ],
  Periodic: null,
  Empty: [],
  Mixed: ['x', 5, true, 7n],
};

function matches(text: string, row: unknown = job, options: FilterOptions = {}): boolean {
  return compileFilter(text, options).test(row);
}

describe('a filter without a schema', () => {
  it.each<[string, boolean]>([
    ['Status == running', true],
    ['Status != "running"', false],
    ['Priority == 50', true],
    ['Priority == "5e1"', true],
    ['Priority == "0x1p5"', false],
    ['Submit == 1645230445788556000', true],
    ['Submit == 1645230445788556001', false],
    ['Submit == "0x16d5085fa6e26ae0"', true],
    ['Stop == F', true],
    ['Load == ".5"', true],
    ['Load == "5e-1"', true],
    ['un in Status', true],
    ['"" in Status', true],
    ['dc1 in Datacenters', true],
    ['Datacenters not contains dc3', true],
    ['80 in Ports and 443 in Ports', true],
    ['x in Mixed and 5 in Mixed and T in Mixed and 7 in Mixed', true],
    ['9 in Mixed', false],
    ['team in Meta', true],
    ['constructor in Meta', false],
    ['Meta.team == core', true],
    ['Meta["cpu.arch"] == arm64', true],
    ['"/Meta/cpu.arch" == arm64', true],
    ['Meta.absent == x', false],
    ['Meta.absent != x', true],
    ['Meta.absent is empty and Meta.absent is nil', true],
    ['Meta.absent not matches "^x"', true],
    ['Meta.toString is nil', true],
    ['Meta.none is nil', true],
    ['Groups.0.Name == web', true],
    ['Groups["0x1"].Name == cache', true],
    ['Groups.1.Meta is empty', true],
    ['Name matches "^w.b$"', true],
    ['Name not matches "^c"', true],
    ['any Groups as g { g.Name == cache }', true],
    ['all Groups as g { g.Count == 1 or g.Name == web }', true],
    ['any Groups as i, g { i == 1 and g.Name == cache }', true],
    ['any Groups as i, _ { i == "0x1" }', true],
    ['any Meta as k { k == team }', true],
    ['any Meta as k, v { k == team and v == core }', true],
    ['any Groups as g { any g.Meta as k, v { k == tier and v == a } }', true],
    ['all Empty as x { x == 1 }', true],
    ['any Empty as x { x == 1 }', false],
    ['not (Status == dead) and (Priority == 1 or Priority == 50)', true],
    ['Status == dead and Nothing == 1', false],
    ['Periodic is nil', true],
  ])('%s is %s', (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  it.each<[text: string, code: string, message: string]>([
    [
      'Nothing == 1',
      'find-no-key',
      'error finding value in datum: /Nothing at part 0: couldn\'t find key "Nothing"',
    ],
    ['Nothing is nil', 'find-no-key', '/Nothing at part 0'],
    ['Meta.a.b == 1', 'find-no-key', '/Meta/a/b at part 1: couldn\'t find key "a"'],
    ['Groups.2.Name == x', 'find-out-of-range', 'index 2 is out of range (length = 2)'],
    ['Groups.x == 1', 'find-bad-index', 'couldn\'t convert value "x" to type int'],
    ['Name.x == 1', 'find-invalid-kind', '/Name/x: at part 1, invalid value kind: string'],
    ['Periodic.Enabled == true', 'find-invalid-kind', 'invalid value kind: invalid'],
    ['Priority == high', 'coerce-syntax', 'strconv.ParseFloat: parsing "high": invalid syntax'],
    ['1e400 in Ports', 'coerce-range-any-list', 'error getting interface slice match value in expression'],
    ['Datacenters == dc1', 'no-comparison', 'unable to find suitable primitive comparison function'],
    [
      '5 in Priority',
      'no-contains',
      'cannot perform in/contains operations on type float64 for selector: "Priority"',
    ],
    ['Priority is empty', 'no-empty', 'cannot perform is-empty operations'],
    ['Priority matches 5', 'no-match-text', 'value of type float64 is not convertible'],
    ['x in Groups', 'no-comparison', 'for "in" comparison'],
    ['any Name as x { x == 1 }', 'not-a-collection', 'Name is not a list or a map'],
    [
      'any Groups as g { g.Meta.x.y == 1 }',
      'find-no-key',
      '/Groups/0/Meta/x/y at part 3: couldn\'t find key "x"',
    ],
    ['any Meta as k { k.x == 1 }', 'binding-path', '/k references a string so /k/x is invalid'],
  ])('%s fails with %s', (text, code, message) => {
    const quoted = text.replace(/^1e400/, '"1e400"');
    const attempt = (): boolean => matches(quoted);
    expect(attempt).toThrow(FilterEvaluationError);
    expect(attempt).toThrow(
      expect.objectContaining({ goMessage: expect.stringContaining(message) as string }),
    );
    try {
      attempt();
    } catch (error) {
      expect(error).toMatchObject({ code, source: quoted });
    }
  });

  it.each<[string, boolean]>([
    ['Nothing == 1', false],
    ['Nothing != 1', true],
    ['Nothing is nil', true],
    ['Meta.a.b == 1', false],
    ['Meta.a.b is empty', true],
    ['Groups.7.Name not matches x', true],
    ['Periodic.Enabled == true', false],
    ['Periodic == x', false],
    ['Priority == high', false],
    ['Priority != high', true],
    ['Priority is empty', false],
    ['Name is not nil', true],
    ['any Name as x { x == 1 }', false],
    ['all Nothing as x { x == 1 }', true],
  ])('with unresolved: absent, %s is %s', (text, expected) => {
    expect(matches(text, job, { unresolved: 'absent' })).toBe(expected);
  });

  it.each<[string, unknown, boolean]>([
    ['Nothing == x', 'x', true],
    ['Meta.absent == x', 'x', true],
    ['Meta.a.b.c == 5', 5, true],
    ['any Nothing as x { x == a }', [], false],
  ])('with unknownValue, %s on %j is %s', (text, unknownValue, expected) => {
    expect(matches(text, job, { unknownValue })).toBe(expected);
  });
});

describe('a filter with a schema', () => {
  const schema = defineSchema({
    Status: t.string,
    Priority: t.int,
    Ratio: t.float32,
    Stop: t.bool,
    Meta: t.map(t.string),
    Datacenters: t.list(t.string),
    Groups: t.list(t.struct({ Name: t.string, Count: t.int })),
    Inner: t.struct({ Deep: t.struct({ Size: t.int }) }),
    Note: t.nullable(t.string),
  });

  it.each<[string, boolean]>([
    ['Status == ""', true],
    ['Status != x', true],
    ['Status is empty', true],
    ['Priority == 0', true],
    ['Priority != 1', true],
    ['Stop == false', true],
    ['Meta is nil and Meta is empty', true],
    ['Meta.x is empty', true],
    ['x in Datacenters', false],
    ['Datacenters is nil', true],
    ['any Groups as g { g.Name == x }', false],
    ['Inner.Deep.Size == 0', true],
    ['Inner is nil', false],
    ['Note is nil', true],
  ])('reads absent and null as the zero value: %s is %s', (text, expected) => {
    expect(matches(text, {}, { schema })).toBe(expected);
    const nulls = Object.fromEntries([...schema.root.fields.keys()].map((name) => [name, null]));
    expect(matches(text, nulls, { schema })).toBe(expected);
  });

  it('compares integers held as numbers and bigints alike', () => {
    const filter = compileFilter('Priority == 5', { schema });
    expect([{ Priority: 5 }, { Priority: 5n }, { Priority: 6n }].map(filter.test)).toEqual([
      true,
      true,
      false,
    ]);
    const large = compileFilter('Priority == 9007199254740993', { schema });
    expect([{ Priority: 9007199254740993n }, { Priority: 9007199254740992 }].map(large.test)).toEqual([
      true,
      false,
    ]);
  });

  it('compares float32 in single precision', () => {
    expect(matches('Ratio == 0.1', { Ratio: Math.fround(0.1) }, { schema })).toBe(true);
    expect(matches('Ratio == 0.1', { Ratio: 0.1 }, { schema })).toBe(true);
  });

  it('names the selector and the kind where a row is not what the schema says', () => {
    const filter = compileFilter<unknown>('Status == x', { schema });
    expect(() => filter.test({ Status: 5 })).toThrow(FilterEvaluationError);
    try {
      filter.test({ Status: 5 });
    } catch (error) {
      expect(error).toMatchObject({ code: 'kind-mismatch', selector: 'Status', actualKind: 'float64' });
    }
  });

  it('refuses before the first row', () => {
    expect(() => compileFilter('Stauts == x', { schema })).toThrow(FilterCheckError);
    expect(() => compileFilter('Status == x and Priority == high', { schema })).toThrow(
      '1:29: high is not an int',
    );
  });

  it('waits for a row with check: false', () => {
    const filter = compileFilter('Status == x and Nope == y', { schema, check: false });
    expect(filter.test({ Status: 'z' })).toBe(false);
    expect(() => filter.test({ Status: 'x' })).toThrow('1:17: Nope: there is no such field');
  });
});

describe('compileFilter', () => {
  it('gives a test that needs no this', () => {
    const rows = [job, { ...job, Status: 'dead' }];
    expect(rows.filter(compileFilter<typeof job>('Status == dead').test)).toEqual([rows[1]]);
    expect(compileFilter<typeof job>('Status == running').select(new Set(rows))).toEqual([job]);
  });

  it('can be used from within itself', () => {
    const filter = compileFilter('any L as x { x.Other == yes and x.Name == b }');
    const inner = { L: [{ Name: 'b', Other: 'yes' }] };
    const element = {
      Name: 'b',
      get Other() {
        return filter.test(inner) ? 'yes' : 'no';
      },
    };
    expect(filter.test({ L: [{ Name: 'a', Other: 'yes' }, element] })).toBe(true);
  });

  it.each<[string, () => unknown, new (...args: never[]) => Error]>([
    ['a syntax error', () => compileFilter('Status = x'), FilterSyntaxError],
    [
      'a text beyond the limit',
      () => compileFilter('a == b', { limits: { maxLength: 3 } }),
      FilterLimitError,
    ],
    [
      'nesting beyond the limit',
      () => compileFilter('((((a == b))))', { limits: { maxDepth: 3 } }),
      FilterLimitError,
    ],
    [
      'terms beyond the limit',
      () => compileFilter('a == b and c == d', { limits: { maxTerms: 1 } }),
      FilterLimitError,
    ],
    [
      'a long pattern',
      () => compileFilter('a matches abcdef', { limits: { maxPatternLength: 5 } }),
      FilterLimitError,
    ],
    ['a large pattern', () => compileFilter('a matches `(((x{100}){100}){100})`'), Error],
    ['a bad pattern', () => compileFilter('a matches "("'), FilterCheckError],
    ['a number for a filter', () => compileFilter(5 as never), TypeError],
    ['a wrong unresolved', () => compileFilter('a == b', { unresolved: 'x' as never }), TypeError],
    ['a wrong check', () => compileFilter('a == b', { check: 1 as never }), TypeError],
    ['a wrong schema', () => compileFilter('a == b', { schema: {} as never }), TypeError],
    ['wrong options', () => compileFilter('a == b', null as never), TypeError],
  ])('refuses %s', (_, attempt, kind) => {
    expect(attempt).toThrow(kind);
  });

  it('explains its results, for any code path', () => {
    const closures = compileFilter('Status == dead', { specialise: false });
    expect(closures.explain({ Status: 'dead' }).matches).toBe(true);
  });

  it('explains its results', () => {
    const filter = compileFilter('Status == dead and Priority == 50');
    expect(filter.explain(job)).toMatchObject({ matches: false, decidedBy: [{ text: 'Status == dead' }] });
    expect(String(filter.explain({}))).toContain('this row has no such key');
  });

  it('keeps the options that it was made with', () => {
    const schema = defineSchema({ Status: t.string, Secret: t.hidden(t.string) });
    const options: { schema?: typeof schema; unresolved: 'error' | 'absent' } = {
      schema,
      unresolved: 'absent',
    };
    const filter = compileFilter<unknown>('Secret == x', { ...options, check: false });
    const own = compileFilter<unknown>('Status == x', options);
    delete options.schema;
    options.unresolved = 'error';
    expect(own.explain({})).toMatchObject({ matches: false, error: null });
    expect(filter.explain({ Secret: 'x' }).error?.code).toBe('find-no-field');
  });

  it('shows its tree and what is not portable', () => {
    const filter = compileFilter('not(a == 1)');
    expect(filter.ast).toEqual(parse('not(a == 1)').ast);
    expect(filter.relaxations).toHaveLength(1);
    expect(Object.isFrozen(filter)).toBe(true);
  });
});

describe('nested collections', () => {
  const nest = (depth: number): string => 'any l as x { '.repeat(depth) + 'x == never' + ' }'.repeat(depth);
  const row = { l: ['a', 'b', 'c', 'd'] };

  it('end with a limit error instead of running for ever', () => {
    expect(() => compileFilter(nest(60)).test(row)).toThrow(FilterLimitError);
    expect(() => compileFilter(nest(60), { unresolved: 'absent' }).test(row)).toThrow('exceeds 100000 steps');
    expect(compileFilter(nest(60), { unknownValue: 'x' }).source).toHaveLength(nest(60).length);
  });

  it('have a budget for every row', () => {
    const filter = compileFilter(nest(3), { limits: { maxSteps: 4 * 4 + 4 * 4 * 4 } });
    expect([row, row, row].filter(filter.test)).toEqual([]);
    expect(() => compileFilter(nest(3), { limits: { maxSteps: 79 } }).test(row)).toThrow(FilterLimitError);
  });

  it('are free to run over one list as often as it is long', () => {
    const long = { l: Array.from({ length: 200_000 }, () => 'a') };
    expect(compileFilter('any l as x { x == b }').test(long)).toBe(false);
  });
});
