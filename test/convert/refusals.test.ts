import { describe, expect, it } from 'vitest';
import { defineSchema, parse, print, t } from '../../src/index.js';
import {
  fromAgGrid,
  fromOData,
  fromQueryBuilder,
  toAgGrid,
  toQueryBuilder,
} from '../../src/entries/convert.js';
import { problemsOf, schema, valueOf } from './foreign-rows.js';

const options = { schema };
const rule = (members: object): object => ({
  combinator: 'and',
  rules: [{ field: 'Name', operator: '=', value: 'a', ...members }],
});
const nested = (depth: number): object =>
  depth === 0 ? rule({}) : { combinator: 'and', rules: [nested(depth - 1)] };

describe('fromQueryBuilder', () => {
  it.each([
    [null, ': a group with rules is expected, got null'],
    [{ combinator: 'and' }, 'rules: an array is expected, got undefined'],
    [{ combinator: 'xor', rules: [] }, 'combinator: and or or is expected, got "xor"'],
    [{ combinator: 'and', rules: ['x'] }, 'rules[0]: and or or is expected, got "x"'],
    [rule({ field: 'Nmae' }), 'rules[0].field: Nmae: there is no such field. Did you mean Name?'],
    [rule({ field: '__proto__' }), 'rules[0].field: __proto__: there is no such field'],
    [rule({ field: 'Tags[0]' }), 'rules[0].field: "Tags[0]": there is no such field'],
    [
      rule({ operator: 'constructor' }),
      'rules[0].operator: "constructor" is not an operator that can be converted',
    ],
    [rule({ operator: 'null' }), 'rules[0]: Name: string, never null'],
    [
      rule({ field: 'Count', value: 'many' }),
      'rules[0].value: a value of Count, which is an int, is expected, got "many"',
    ],
    [
      rule({ field: 'Count', value: Number.NaN }),
      'rules[0]: NaN is not equal to any value, so a filter cannot match it',
    ],
    [rule({ field: 'Stop', operator: '<', value: true }), 'rules[0]: '],
    [rule({ match: { mode: 'all' } }), 'rules[0].match: match modes are not supported'],
    [
      rule({ valueSource: 'field', value: 'Owner' }),
      'rules[0].value: Owner can be null, which such a comparison does not exclude',
    ],
    [nested(150), `${'rules[0].'.repeat(101).slice(0, -1)}: nested more than 100 levels`],
  ])('refuses %j', (query, problem) =>
    expect(problemsOf(fromQueryBuilder(query, options))).toEqual([expect.stringContaining(problem)]),
  );

  it('reports every problem', () => {
    const rules = [rule({ field: 'A' }), rule({ field: 'B' }), rule({})];
    expect(problemsOf(fromQueryBuilder({ combinator: 'or', rules }, options))).toHaveLength(2);
  });

  it('limits the number of conditions', () => {
    const rules = Array.from({ length: 3_000 }, () => ({ field: 'Name', operator: '=', value: 'a' }));
    expect(problemsOf(fromQueryBuilder({ combinator: 'or', rules }, options))[0]).toBe(
      'rules[2000]: more than 2000 conditions',
    );
  });

  it('returns null for a query without rules', () => {
    expect(valueOf(fromQueryBuilder({ combinator: 'and', rules: [] }, options))).toBeNull();
    expect(
      valueOf(
        fromQueryBuilder({ combinator: 'and', rules: [{ combinator: 'or', not: true, rules: [] }] }, options),
      ),
    ).toBeNull();
  });

  it.each([['1'], [['5', '']], [['', '5']]])('ignores the incomplete range %j', (value) => {
    expect(
      valueOf(fromQueryBuilder(rule({ field: 'Count', operator: 'between', value }), options)),
    ).toBeNull();
  });

  it('refuses values and lists that are longer than the limits', () => {
    const refused = (value: unknown): readonly string[] =>
      problemsOf(fromQueryBuilder(rule({ operator: 'in', value }), { schema, limits: { maxLength: 1_000 } }));
    expect(refused(['a'.repeat(1_001)])).toEqual(['rules[0].value: a value of more than 1000 characters']);
    expect(refused(Array(3_000).fill('a'))).toEqual(['rules[0].value: a list of more than 2000 values']);
    expect(refused(Array(900).fill('a'))).toEqual([expect.stringContaining('the filter has')]);
  });

  it('ends at the first limit', () => {
    const rules = Array.from({ length: 100_000 }, () => ({ field: 'Nope', operator: '=', value: 'a' }));
    const problems = problemsOf(fromQueryBuilder({ combinator: 'or', rules }, options));
    expect(problems).toHaveLength(100);
  });

  it('reads lists that are one string', () => {
    const query = rule({ operator: 'in', value: String.raw`a, b\,c ,,d` });
    expect(valueOf(fromQueryBuilder(query, options))?.source).toBe('Name in ["a", "b,c", "d"]');
  });
});

describe('fromAgGrid', () => {
  const text = { filterType: 'text', type: 'equals', filter: 'a' };
  it.each([
    ['x', ': a filter model is expected, got "x"'],
    [{ Nmae: text }, 'Nmae: Nmae: there is no such field. Did you mean Name?'],
    [{ Name: 'a' }, 'Name: a filter is expected, got "a"'],
    [{ Name: { ...text, filter: '' } }, 'Name: a string that is not empty is expected, got ""'],
    [
      { Name: { ...text, type: 'toString' } },
      'Name: the filter "text" with the type "toString" is not supported',
    ],
    [{ Name: { ...text, type: 'true' } }, 'Name: the type true does not apply to Name'],
    [
      { Name: { filterType: 'text', operator: 'XOR', conditions: [text] } },
      'Name.operator: AND or OR is expected, got "XOR"',
    ],
    [{ Name: { filterType: 'number', type: 'equals', filter: 1 } }, null],
    [
      { Count: { filterType: 'number', type: 'equals', filter: null } },
      'Count: a value of Count, which is an int, is expected, got null',
    ],
    [{ Count: { filterType: 'date', type: 'equals', dateFrom: '2026-11-01' } }, 'Count: Count is not a time'],
    [{ Name: { filterType: 'set', values: 'a' } }, 'Name.values: an array is expected, got "a"'],
  ])('checks %j', (model, problem) =>
    expect(problemsOf(fromAgGrid(model, options))).toEqual(problem === null ? [] : [problem]),
  );

  it('reads set and multi filters', () => {
    const model = {
      Owner: { filterType: 'set', values: ['a', null] },
      Name: { filterType: 'multi', filterModels: [null, { filterType: 'set', values: ['a', 'b'] }] },
    };
    expect(valueOf(fromAgGrid(model, options))?.source).toBe(
      '(Owner in ["a"] or Owner is nil) and Name in ["a", "b"]',
    );
  });
});

describe('what has no equivalent', () => {
  it.each([
    ['Name matches "^a"', 'Name matches "^a": there is no operator for "matches"'],
    ['Name == "a"i', 'Name == "a"i: there is no operator that ignores letter case'],
    ['len(Tags) > 1', 'len(Tags) > 1: there is no rule for lengths'],
    ['any Tags as x { x == a }', 'any Tags: there is no rule for elements of a list'],
    [
      'Count == 9007199254740993',
      'Count == 9007199254740993: 9007199254740993 is beyond the integers that JSON readers represent exactly',
    ],
  ])('is refused by toQueryBuilder: %s', (source, problem) =>
    expect(problemsOf(toQueryBuilder(source, options))).toEqual([problem]),
  );

  it.each([
    [
      'Name == a',
      'Name == "a": the filter of the column ignores letter case; compare with "text"i, or set caseSensitive',
    ],
    [
      'Count == 1 or Load > 2',
      'Count == 1 or Load > 2: "or" is possible only between conditions of one column',
    ],
    ['Count in [1, 2, 3]', 'Count in [1, 2, 3]: 3 conditions are needed, and this column has at most 2'],
    ['Count < @Quota', 'Count < @Quota: a filter cannot compare with another column'],
    ['Count in [] and Count > 0', 'Count in []: a filter of the grid cannot match no row'],
    ['Tags is empty', 'Tags is empty: there is no filter for "is empty" on a list'],
  ])('is refused by toAgGrid: %s', (source, problem) =>
    expect(problemsOf(toAgGrid(source, options))).toEqual([problem]),
  );
});

describe('fields with unusual names', () => {
  const unusual = defineSchema({ '@x': t.int, 'First Name': t.string, Meta: t.map(t.string), At: t.time });
  it.each([
    ['["@x"] < 10', '@x'],
    ['["First Name"] == Ann', 'First Name'],
    ['Meta["cost.center"] == a', 'Meta["cost.center"]'],
    ['Meta.env == a', 'Meta.env'],
  ])('are written without brackets if they are read so: %s', (source, name) => {
    const group = valueOf(toQueryBuilder(source, { schema: unusual }));
    expect(group.rules[0]).toMatchObject({ field: name });
    const back = valueOf(fromQueryBuilder(group, { schema: unusual }));
    expect(back?.source).toContain(print(parse(source).ast));
  });

  it('are compared with valid times only', () => {
    const model = { At: { filterType: 'date', type: 'notEqual', dateFrom: '2026-13-01 00:00:00' } };
    expect(problemsOf(fromAgGrid(model, { schema: unusual }))).toEqual([
      'At: "2026-13-01T00:00:00Z" is not a time, as At is',
    ]);
    expect(problemsOf(fromOData("At ne 'zz'", { schema: unusual }))).toEqual([
      'offset 0: "zz" is not a time, as At is',
    ]);
  });
});
