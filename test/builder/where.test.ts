import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  defineSchema,
  FilterCheckError,
  FilterLimitError,
  parse,
  t,
} from '../../src/index.js';
import {
  allOf,
  anyOf,
  createWhere,
  filter,
  not,
  where,
  type AnyField,
  type Condition,
} from '../../src/entries/builder.js';

const a = where('a').is(1);
const b = where('b').is(2);
const c = where('c').is(3);

describe('where', () => {
  it.each<[Condition, string]>([
    [where('Status').is('running'), 'Status == "running"'],
    [where('Status').isNot('running'), 'Status != "running"'],
    [where('Datacenters').contains('dc1'), '"dc1" in Datacenters'],
    [where('Datacenters').notContains('dc1'), '"dc1" not in Datacenters'],
    [where('Name').matches('^web-\\d+$'), 'Name matches "^web-\\\\d+$"'],
    [where('Name').notMatches('x'), 'Name not matches "x"'],
    [where('Meta').isEmpty(), 'Meta is empty'],
    [where('Meta').isNotEmpty(), 'Meta is not empty'],
    [where('Meta').isNil(), 'Meta is nil'],
    [where('Meta').isNotNil(), 'Meta is not nil'],
    [where('Priority').is(50), 'Priority == 50'],
    [where('Index').is(2n ** 63n), 'Index == 9223372036854775808'],
    [where('Load').is(1e-7), 'Load == 0.0000001'],
    [where('Load').is(-1.25e-7), 'Load == -0.000000125'],
    [where('Stop').is(true), 'Stop == "true"'],
    [where('Path').is('/srv/x'), 'Path == `/srv/x`'],
    [where('Name').is('" or "" == "'), 'Name == "\\x22 or \\x22\\x22 == \\x22"'],
    [where('Meta', 'cpu.arch').is('x'), 'Meta["cpu.arch"] == "x"'],
    [where('Groups', 0, 'Name').is('x'), 'Groups.0.Name == "x"'],
    [where('Meta').at('a b').at('c', 2).isNil(), 'Meta["a b"].c.2 is nil'],
    [where('cpu.arch', 'a/b~c').isNil(), '"/cpu.arch/a~1b~0c" is nil'],
    [where('').isNil(), '"" is nil'],
    [where('not').is('in'), 'not == "in"'],
  ])('%s', (condition, text) => {
    expect(condition.source).toBe(text);
    expect(condition.ast).toEqual(parse(text).ast);
    expect(condition.relaxations).toEqual([]);
    expect(parse(condition.source, { dialect: 'go-bexpr' }).ast).toEqual(condition.ast);
  });

  it.each<[Condition, string]>([
    [a.and(b), 'a == 1 and b == 2'],
    [a.and(b, c), 'a == 1 and b == 2 and c == 3'],
    [a.and(b).and(c), 'a == 1 and b == 2 and c == 3'],
    [a.and(b.and(c)), 'a == 1 and b == 2 and c == 3'],
    [a.or(b).or(c), 'a == 1 or b == 2 or c == 3'],
    [a.or(b).and(c), '(a == 1 or b == 2) and c == 3'],
    [a.and(b).or(c), 'a == 1 and b == 2 or c == 3'],
    [a.and(b.or(c)), 'a == 1 and (b == 2 or c == 3)'],
    [a.not(), 'not a == 1'],
    [a.and(b).not(), 'not (a == 1 and b == 2)'],
    [a.not().not(), 'a == 1'],
    [not(not(a)), 'a == 1'],
    [not(parse('not a == 1')), 'a == 1'],
    [allOf([a]), 'a == 1'],
    [allOf([a, b]).or(c), 'a == 1 and b == 2 or c == 3'],
    [
      anyOf(['x', 'y'].map((name) => where('Name').is(name))).and(a),
      '(Name == "x" or Name == "y") and a == 1',
    ],
    [a.and(parse('b==2 or c==3')), 'a == 1 and (b == 2 or c == 3)'],
    [a.and(compileFilter('b == 2')), 'a == 1 and b == 2'],
    [a.or(parse('any L as x { x == 1 }').ast), 'a == 1 or any L as x { x == 1 }'],
    [a.and(filter`b == ${2}`), 'a == 1 and b == 2'],
  ])('%s', (condition, text) => {
    expect(condition.source).toBe(text);
  });

  it.each<[Condition, string]>([
    [where('L').any((x) => x.is(1)), 'any L as _, x { x == 1 }'],
    [
      where('L').all((x) => x.at('Name').is('a').or(x.at('k v').isNil())),
      'all L as _, x { x.Name == "a" or x["k v"] is nil }',
    ],
    [where('L').any((_, i) => i.is(1)), 'any L as i, _ { i == 1 }'],
    [where('L').any((x, i) => x.is(1).and(i.isNot(0))), 'any L as i, x { x == 1 and i != 0 }'],
    [where('L').any(() => a), 'any L as _, x { a == 1 }'],
    [
      where('L').any((x) => x.at('M').all((y, j) => y.is(1).and(j.is('k'), x.at('Name').is('a')))),
      'any L as _, x { all x.M as j, y { y == 1 and j == "k" and x.Name == "a" } }',
    ],
    [
      where('L').any((_, i) => where('M').any((y) => y.is(1).and(i.is(0)))),
      'any L as i, _ { any M as _, y { y == 1 and i == 0 } }',
    ],
    [
      where('L')
        .any((x) => x.is(1))
        .and(where('M').any((x) => x.is(2))),
      '(any L as _, x { x == 1 }) and (any M as _, x { x == 2 })',
    ],
    // Names of fields in the body stay unchanged.
    [
      where('L').any((element) => element.is(1).and(where('x').is(2))),
      'any L as _, x_ { x_ == 1 and x == 2 }',
    ],
    [where('x').any((element) => element.is(1)), 'any x as _, x_ { x_ == 1 }'],
    [
      where('L').any((e, i) => e.is(1).and(i.is(1), where('x', 'i').is(2), filter`"/i/x" == 1 or x_ == 1`)),
      'any L as i_, x__ { x__ == 1 and i_ == 1 and x.i == 2 and ("/i/x" == 1 or x_ == 1) }',
    ],
    [
      where('L').any((e) => e.is(1).and(parse('any x as k { k == 1 }'))),
      'any L as _, x_ { x_ == 1 and (any x as k { k == 1 }) }',
    ],
  ])('%s', (condition, text) => {
    expect(condition.source).toBe(text);
  });

  it('binds the same to lists and maps', () => {
    const byValue = compileFilter(where('M').any((value, key) => value.is('core').and(key.is('team'))));
    expect(byValue.test({ M: { team: 'core' } })).toBe(true);
    expect(byValue.test({ M: { team: 'x', core: 'core' } })).toBe(false);
    const byElement = compileFilter(where('M').any((element) => element.is('core')));
    expect(byElement.test({ M: ['x', 'core'] })).toBe(true);
    expect(byElement.test({ M: { team: 'core' } })).toBe(true);
    expect(byElement.test({ M: { core: 'x' } })).toBe(false);
  });

  it('nests as deep as it likes', () => {
    let condition = where('L').any((x) => x.is(1));
    for (let depth = 0; depth < 6; depth += 1) {
      const inner = condition;
      condition = where('L').any((x) => x.is(depth).and(inner));
    }
    expect(condition.source).toContain('any L as _, x7 { x7 == 1 }');
    expect(compileFilter(condition).ast).toEqual(condition.ast);
  });

  it.each<[string, () => unknown, string]>([
    ['no path', () => (where as () => unknown)(), 'where: the path has no parts'],
    [
      'a negative index',
      () => where('L', -1),
      'where: part 2 of the path: expected a name or the index of an element, got -1',
    ],
    ['half an index', () => where('L', 0.5), 'got 0.5'],
    [
      'an object for a part',
      () => where({} as never),
      'part 1 of the path: expected a name or the index of an element, got object',
    ],
    [
      'an unpaired surrogate',
      () => where('M', '\udc00'),
      'where: part 2 of the path: the string has an unpaired surrogate',
    ],
    [
      'undefined',
      () =>
        where('A')
          .at('b')
          .is(undefined as never),
      'where("A", "b").is: undefined cannot be compared',
    ],
    ['NaN', () => where('A').isNot(NaN), 'where("A").isNot: NaN'],
    ['a list', () => where('A').contains([1] as never), 'where("A").contains: a list'],
    ['a regular expression', () => where('A').matches(/x/ as never), 'is not RE2'],
    [
      'a bad value for an element',
      () => where('A').any((x) => x.at('k').is(null as never)),
      'element("k").is: null',
    ],
    [
      'a callback that makes nothing',
      () => where('A').any((() => undefined) as never),
      'where("A").any: the callback\'s result: expected a condition',
    ],
    [
      'a callback that makes text',
      () => where('A').all((() => 'x == 1') as never),
      'got string; convert a string with parse(text)',
    ],
    ['no callback', () => where('A').all(undefined as never), 'where("A").all: expected a callback'],
    ['text for a condition', () => a.and(b, 'c == 1' as never), 'and: condition 3: expected a condition'],
    [
      'data for a condition',
      () => a.or(structuredClone(parse('b == 1').ast)),
      'or: condition 2: expected a condition',
    ],
    [
      'null for a condition',
      () => not(null as never),
      'not: expected a condition, a filter, or a tree made by parse, got null',
    ],
    ['no conditions', () => anyOf([]), 'anyOf: there are no conditions'],
    ['no conditions for all', () => allOf([]), 'allOf: there are no conditions'],
  ])('refuses %s', (_, attempt, message) => {
    expect(attempt).toThrow(TypeError);
    expect(attempt).toThrow(message);
  });

  it('refuses an element outside of its callback', () => {
    const leaked: AnyField[] = [];
    where('L').any((x, i) => {
      leaked.push(x, i);
      return x.is(1);
    });
    const [element, index] = leaked;
    expect(() => element?.is(1).source).toThrow(
      'The element that any or all passes to its callback is valid only there',
    );
    expect(() => compileFilter(a.and(index?.is(1) ?? a))).toThrow(
      'The key that any or all passes to its callback',
    );
  });

  it('leaves the limits to the compiler', () => {
    let long = a;
    for (let count = 0; count < 3000; count += 1) long = long.or(b);
    expect(() => compileFilter(long)).toThrow(FilterLimitError);
    expect(
      compileFilter(long, { limits: { maxTerms: Infinity, maxLength: Infinity } }).test({ a: 0, b: 2 }),
    ).toBe(true);
    let deep = a;
    for (let count = 0; count < 50_000; count += 1) deep = deep.and(a).or(b);
    expect(() => deep.source).toThrow('The condition is nested too deeply for this machine');
  });

  it('can be compiled, checked and compared like any filter', () => {
    const schema = defineSchema({ Status: t.string, Priority: t.int });
    const typed = createWhere(schema);
    const running = compileFilter(typed('Status').is('running').and(typed('Priority').is(50n)), { schema });
    expect(running.source).toBe('Status == "running" and Priority == 50');
    expect(running.select([{ Status: 'running', Priority: 50 }, { Status: 'dead' }])).toEqual([
      { Status: 'running', Priority: 50 },
    ]);
    expect(() => compileFilter(where('Stauts').is('x'), { schema })).toThrow(FilterCheckError);
    expect(() => createWhere({} as never)).toThrow(
      'schema must be created with defineSchema() or parseSchema()',
    );
  });

  it('is read in the dialect that the options name', () => {
    const relaxed = filter`not(a == ${1})`;
    expect(compileFilter(relaxed).test({ a: 2 })).toBe(true);
    expect(() => compileFilter(relaxed, { dialect: 'go-bexpr' })).toThrow('whitespace');
    expect(compileFilter(parse('a == "/b"', { dialect: 'go-bexpr' })).test({ a: 'b' })).toBe(true);
  });
});

describe('a path that begins with a name of other characters', () => {
  it.each([
    [where('First Name').is('x'), '["First Name"] == "x"'],
    [where('a b', 'c').contains('x').not(), 'not (["a b"].c contains "x")'],
    [where('@at').oneOf(['x']), '["@at"] in ["x"]'],
    [where('a.b', 'c d').isNil(), '["a.b"]["c d"] is nil'],
    [where('node-id').is('x'), '"/node-id" == "x"'],
    [where('_id').is(1), '"/_id" == 1'],
  ])('is written in brackets unless it can be a pointer', (condition, source) => {
    expect(condition.source).toBe(source);
    expect(compileFilter(condition).ast).toEqual(condition.ast);
  });
});
